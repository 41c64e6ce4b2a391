// The run in names and numbers: what summary.json and the report say of settings, counters and broken records.
#include "engine/output_stage.h"
#include "paraprint/engine.h"
#include "report/verdict_text.h"

namespace paraprint {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

NamedGroup group_of(std::string name, const Counters& counters) {
  NamedGroup group;
  group.name = std::move(name);
  for (const auto& [counter, amount] : counters) group.values.push_back({counter, amount, ""});
  return group;
}

std::vector<NamedValue> settings_of(const RunSetup& run) {
  const DedupOptions& options = run.options;
  std::string statuses;
  for (const StatusRange& range : options.reading.statuses) {
    statuses += (statuses.empty() ? "" : ",") + std::to_string(range.first);
    if (range.last != range.first) statuses += "-" + std::to_string(range.last);
  }
  return {
      {"algorithm", options.profile.algorithm, ""},
      {"with_paragraphs", options.profile.with_paragraphs, ""},
      {"extractor", options.profile.extractor, ""},
      {"fold_traditional", options.profile.fold_traditional, ""},
      {"paragraph_words", options.profile.paragraph_words, ""},
      {"word_hash", options.profile.word_hash, ""},
      {"idf", options.profile.idf, ""},
      {"weigh_part_of_speech", options.profile.weigh_part_of_speech, ""},
      {"synonyms", options.profile.synonyms, ""},
      {"relevance", options.profile.relevance, ""},
      {"anchors_per_paragraph", std::int64_t{options.profile.anchors_per_paragraph}, ""},
      {"sentence_candidate_characters", std::int64_t{options.profile.sentence_candidate_characters}, ""},
      {"simhash_distinct_words_minimum", std::int64_t{options.profile.simhash_distinct_words_minimum}, ""},
      {"candidate_distance_bits", std::int64_t{options.candidates.distance_bits}, ""},
      {"candidate_group_cap", std::uint64_t{options.candidates.group_cap}, ""},
      {"discount_boilerplate", options.candidates.discount_boilerplate, ""},
      {"paragraph_distance_bits", std::int64_t{options.match.paragraph_distance_bits}, ""},
      {"near_resemblance", options.match.near_resemblance, ""},
      {"containment", options.match.containment, ""},
      {"matched_characters_minimum", std::uint64_t{options.match.matched_characters_minimum}, ""},
      {"overlap_share", options.match.overlap_share, ""},
      {"list_weight", options.match.list_weight, ""},
      {"after_heading_weight", options.match.after_heading_weight, ""},
      {"match_sentences", options.match.match_sentences, ""},
      {"match_whole_text", options.match.match_whole_text, ""},
      {"align_words", options.match.align_words, ""},
      {"keep", options.survivors.keep, ""},
      {"prefer_hosts", joined(options.survivors.prefer_hosts), ""},
      {"prefer_schemes", joined(options.survivors.prefer_schemes), ""},
      {"remove_contained", options.survivors.remove_contained, ""},
      {"clusters", options.survivors.clusters, ""},
      {"id_field", options.reading.id_field, ""},
      {"html_field", options.reading.html_field, ""},
      {"text_field", options.reading.text_field, ""},
      {"url_field", options.reading.url_field, ""},
      {"date_field", options.reading.date_field, ""},
      {"statuses", statuses, ""},
      {"content_types", joined(options.reading.content_types), ""},
      {"max_record_bytes", options.reading.max_record_bytes, ""},
      {"max_body_bytes", options.reading.max_body_bytes, ""},
      {"max_line_bytes", options.reading.max_line_bytes, ""},
      {"write_records", options.output.write_records, ""},
      {"write_revisits", options.output.write_revisits, ""},
      {"write_evidence", options.output.write_evidence, ""},
      {"settings_identity", run.identity, ""},
  };
}

Counters count_pages(const PageTable& pages, const Decisions& decisions) {
  Counters counters;
  count(counters, "read", pages.size());
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    count(counters, is_kept(decisions, page) ? "kept" : "removed");
    if (is_kept(decisions, page) && pages.row(page).content_characters == 0) count(counters, "kept_without_text");
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
                  const OutputRows& rows, const Counters& writing) {
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
  if (run.options.match.align_words) summary.counters.push_back(group_of("alignment", matched.aligned.counters));
  summary.broken = read.defects.kinds;
  return summary;
}

}  // namespace paraprint
