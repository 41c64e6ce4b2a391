// The run in names and numbers: what summary.json and the report say of settings, counters and broken records.
#include "engine/output_stage.h"
#include "options/option_table.h"
#include "paraprint/engine.h"
#include "report/verdict_text.h"

namespace paraprint {
namespace {

NamedGroup group_of(std::string name, const Counters& counters) {
  NamedGroup group;
  group.name = std::move(name);
  for (const auto& [counter, amount] : counters) group.values.push_back({counter, amount, ""});
  return group;
}

// Every option that can change the output, so that a run can be repeated from its summary.
std::vector<NamedValue> settings_of(const DedupRun& run) {
  std::vector<NamedValue> settings;
  for_each_run_table(run.options, [&](const auto rows, const auto& options) {
    for (const auto& row : rows) {
      if (!row.has(kKeepsOutput)) settings.push_back({std::string(row.name), option_value(row, options), ""});
    }
  });
  settings.push_back({"settings_identity", run.identity, ""});
  return settings;
}

Counters count_pages(const DedupRun& run) {
  Counters counters;
  count(counters, "read", run.pages.size());
  for (std::uint32_t page = 0; page < run.pages.size(); ++page) {
    count(counters, is_kept(run, page) ? "kept" : "removed");
    if (is_kept(run, page) && run.pages.row(page).content_characters == 0) count(counters, "kept_without_text");
  }
  if (!run.known.empty()) count(counters, "removed_known_before", run.known.size());
  return counters;
}

Counters count_clusters(const ClusteringStatistics& statistics) {
  Counters counters;
  count(counters, "clusters", statistics.clusters);
  count(counters, "largest_cluster_pages", statistics.largest_cluster);
  count(counters, "extra_checks", statistics.extra_checks);
  count(counters, "extra_matches", statistics.extra_matches);
  count(counters, "checks_not_made", statistics.checks_not_made);
  return counters;
}

}  // namespace

Summary summarise(const DedupRun& run, const Counters& writing) {
  Summary summary;
  summary.version = version();
  summary.command = run.mode == RunMode::kRecluster ? "recluster" : "dedup";
  for (const InputFile& input : run.inputs) summary.inputs.push_back(input.path);
  summary.settings = settings_of(run);
  Counters verdicts;
  for (const Match& match : run.matches) {
    tick(&run.budget);
    count(verdicts, verdict_name(match.verdict));
  }
  summary.counters = {group_of("pages", count_pages(run)),
                      group_of("reading", run.reading),
                      group_of("boilerplate", run.boilerplate_counters),
                      group_of("pairs", run.scored.counters),
                      group_of("matches", verdicts),
                      group_of("clusters", count_clusters(run.clustering.statistics)),
                      group_of("output", writing)};
  if (run.options.match.align_words) summary.counters.push_back(group_of("alignment", run.aligning));
  summary.broken = run.defects.kinds;
  return summary;
}

}  // namespace paraprint
