// The run in names and numbers: what summary.json and the report say of settings, counters and broken records.
#include "engine/output_stage.h"
#include "options/option_table.h"
#include "paraprint/engine.h"
#include "report/verdict_text.h"

namespace paraprint::inline engine {
namespace {

// Every option that can change the output, so that a run can be repeated from its summary.
std::vector<NamedValue> settings_of(const RunSetup& run) {
  std::vector<NamedValue> settings;
  for_each_run_table(run.options, [&](const auto rows, const auto& options) {
    for (const auto& row : rows) {
      if (!row.has(kKeepsOutput)) settings.push_back({std::string(row.name), option_value(row, options), ""});
    }
  });
  settings.push_back({"settings_identity", run.identity, ""});
  return settings;
}

Counters count_pages(const PageTable& pages, const Decisions& decisions) {
  Counters counters;
  count(counters, "read", pages.size());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    count(counters, is_kept(decisions, page) ? "kept" : "removed");
    if (is_kept(decisions, page) && pages.row(page).content_characters == 0) count(counters, "kept_without_text");
    if (is_in_other_language(decisions, page)) count(counters, "removed_other_language");
    if (pages.has_scores() && !pages.score(page)) count(counters, "without_score");
  }
  if (!decisions.known.empty()) count(counters, "removed_known_before", decisions.known.size());
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

Summary summarise(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched, const Decisions& decisions,
                  const OutputRows& rows, const Counters& revisits, const Counters& writing) {
  Summary summary;
  summary.version = version();
  summary.command = run.mode == RunMode::kRecluster ? "recluster" : "dedup";
  for (const InputFile& input : run.inputs) summary.inputs.push_back(input.path);
  summary.settings = settings_of(run);
  Counters verdicts;
  for (const Match& match : rows.matches) {
    tick(&run.budget);
    count(verdicts, verdict_name(match.verdict));
  }
  summary.counters = {group_of("pages", count_pages(read.pages, decisions)),
                      group_of("reading", read.counters),
                      group_of("boilerplate", matched.basis.boilerplate_counters),
                      group_of("pairs", matched.scored.counters),
                      group_of("matches", verdicts),
                      group_of("clusters", count_clusters(decisions.clustering.statistics)),
                      group_of("output", writing)};
  if (!revisits.empty()) summary.counters.push_back(group_of("revisits", revisits));
  if (run.options.match.align_words) summary.counters.push_back(group_of("alignment", matched.aligned.counters));
  if (!matched.ruling_counters.empty()) summary.counters.push_back(group_of("rulings", matched.ruling_counters));
  summary.broken = read.defects.kinds;
  return summary;
}

}  // namespace paraprint::inline engine
