// The stages of a distributed run, and in which order they exchange parcels: the one place that says so, for all
// schedulers. Which kinds of parcels travel from stage to stage and which are stored for a later job follows from the
// kinds that stages take.
#include <algorithm>
#include <optional>
#include <utility>

#include "distribute/known/known_lines.h"
#include "distribute/known/known_tasks.h"
#include "distribute/sets/set_tasks.h"
#include "distribute/tables/table_tasks.h"
#include "distribute/task_base.h"

namespace paraprint {

using namespace distribute;

namespace distribute {
namespace {

// A new stage needs a row here, a place in distributed_jobs() unless drivers run it apart from the jobs, and its name
// in paraprint/distributed.h.
const std::vector<StageRow>& stage_rows() {
  static const std::vector<StageRow> rows = {
      {"words", make_words_task, {"words"}},
      {"rows", make_rows_task, {}},
      {"arrange", make_arrange_task, {"rows"}},
      {"texts", make_texts_task, {}},
      {"repeats", make_repeats_task, {"texts", "sites"}},
      {"paragraphs", make_paragraphs_task, {}},
      {"boilerplate", make_boilerplate_task, {"paragraphs"}},
      {"keys", make_keys_task, {"copies"}, make_fingerprint_keys_task},
      {"exact", make_exact_task, {"exact"}, make_fingerprint_exact_task},
      {"near", make_near_task, {"near"}, make_fingerprint_near_task},
      {"buckets", make_buckets_task, {"groups"}},
      {"hamming", make_hamming_task, {"buckets"}},
      {"sketch", make_sketch_task, {"sketch"}},
      {"count-values", sets::make_count_values_task, {"set-values"}},
      {"order-sets", sets::make_order_sets_task, {"frequencies"}},
      {"join-sets", sets::make_join_sets_task, {"postings"}},
      {"select", make_select_task, {"pairs", "meetings"}},
      {"fetch", make_fetch_task, {"requests", "known-pages"}},
      {"fetch-profiles", make_fetch_task, {"requests"}},
      {"verify", make_verify_task, {"selected", "pages", "known-pages", "selected-meetings", "orders"}},
      {"large-star", make_large_star_task, {"links"}},
      {"small-star", make_small_star_task, {"low-links"}},
      {"gather", make_gather_task, {"places", "matches", "copies", "names", "known-pages"}},
      {"assemble", make_assemble_task, {"members", "edges"}},
      {"cluster", make_cluster_task, {"members", "edges", "pages"}},
      {"names", tables::make_names_task, {"ids"}},
      {"expand-first", tables::make_expand_first_task, {"matches", "groups", "names"}},
      {"expand-second", tables::make_expand_second_task, {"half-rows", "groups", "names"}},
      {"meet-addresses", tables::make_meet_addresses_task, {"addresses"}},
      {"list-wanted", tables::make_list_wanted_task, {"wanted-pages"}},
      {"join-targets", tables::make_join_targets_task, {"removals", "targets"}},
      {"list-removed", tables::make_list_removed_task, {"removed-pages", "templates"}},
      {"number", tables::make_number_task, {"page-rows", "cluster-sums"}},
      {"list-pages", tables::make_list_pages_task, {"numbered-rows"}},
      {"list-matches", tables::make_list_matches_task, {"match-rows"}},
      {"evidence", tables::make_evidence_task, {"evidence", "pages"}},
      {"list-sites", known::make_list_sites_task, {}},
      {"find-templates", known::make_find_templates_task, {"asked-sites"}},
      {"ask-known", known::make_ask_task, {"copies"}},
      {"find-exact", known::make_find_exact_task, {"asked-exact"}},
      {"find-near", known::make_find_near_task, {"asked-near"}},
      {"find-sketch", known::make_find_sketch_task, {"asked-sketch"}},
      {"choose-known", known::make_choose_task, {"known-hits"}},
      {"fetch-known", known::make_fetch_known_task, {"wanted-texts"}},
      {"judge-known", known::make_judge_task, {"known-pairs", "known-texts", "sharing"}},
      {"remember", known::make_remember_task, {"gone-pages", "names"}},
      {"sort-known",
       known::make_sort_known_task,
       {known::kExactLines.parcels, known::kNearLines.parcels, known::kSketchLines.parcels,
        known::kTemplateLines.parcels}}};
  return rows;
}

DistributedStage stage_of(std::string_view name) {
  const StageRow& row = *find_stage(name);
  return {std::string(name), {row.kinds.begin(), row.kinds.end()}};
}

}  // namespace

const StageRow* find_stage(std::string_view name) {
  const auto row =
      std::find_if(stage_rows().begin(), stage_rows().end(), [&](const StageRow& stage) { return stage.name == name; });
  return row == stage_rows().end() ? nullptr : &*row;
}

}  // namespace distribute

namespace {

// Appends a job to a list. A new level of `levels` begins where the stages of the one before must be done.
void add_job(std::vector<DistributedJob>& jobs, std::string_view name,
             const std::vector<std::vector<std::string_view>>& levels,
             std::vector<std::pair<std::string, std::string>> stored, std::string_view joined = {}) {
  DistributedJob& job = jobs.emplace_back();
  job.name = name;
  for (const std::vector<std::string_view>& level : levels) {
    std::vector<DistributedStage>& stages = job.levels.emplace_back();
    for (const std::string_view stage : level) stages.push_back(stage_of(stage));
  }
  job.stored = std::move(stored);
  job.joined = joined;
}

// What the job stores depends on what the run writes, and so does its name: a run that is resumed with other output
// begins it again.
std::string clusters_job(const DedupOptions& options) {
  if (!options.output.records) return "clusters";
  return options.output.revisits ? "clusters-for-revisits" : "clusters-for-records";
}
std::string tables_job(const DedupOptions& options) {
  return options.output.evidence ? "tables-and-evidence" : "tables";
}

}  // namespace

// Each level costs every task its start, so levels are few: stages that do not need each other's results share one, and
// an algorithm without paragraphs or without a join of fingerprints or sets has no levels for them. Options that
// check_distributed() refuses are treated as those of an algorithm without such a join.
std::vector<DistributedJob> distributed_jobs(const DedupOptions& options, bool compares_known) {
  std::vector<DistributedJob> jobs;
  add_job(jobs, "repeats", {{"texts"}, {"repeats", "names"}}, {}, "large-sites");
  if (compares_known) {
    if (options.candidates.boilerplate) {
      add_job(jobs, "known-templates", {{"list-sites"}, {"find-templates"}}, {}, "known-templates");
    }
    add_job(
        jobs, "known",
        {{"ask-known"}, {"find-exact", "find-near", "find-sketch"}, {"choose-known"}, {"fetch-known"}, {"judge-known"}},
        {{"copies", "repeats"}});
  }
  if (options.candidates.boilerplate && options.profile.paragraphs) {
    add_job(jobs, "paragraphs", {{"paragraphs"}, {"boilerplate"}}, {}, "boilerplate");
  }
  const Result<std::optional<FingerprintIndex>> page_level = page_level_index(options);
  const bool joins_sets = page_level && *page_level && (*page_level)->sets();
  std::vector<std::string_view> equals = {"exact", "near", "sketch"};
  if (joins_sets) equals.push_back("count-values");
  add_job(jobs, "keys", {{"keys"}, equals}, {{"copies", "repeats"}});
  const std::vector<std::vector<std::string_view>> verification = {{"select"}, {"fetch"}, {"verify"}};
  std::vector<std::vector<std::string_view>> levels;
  std::vector<std::pair<std::string, std::string>> stored = {{"pairs", "keys"}};
  if (page_level && hamming_reach_of(*page_level, options).distance_bits > 0) {
    levels = {{"buckets"}, {"hamming"}};
    stored.emplace_back("groups", "keys");
  } else if (joins_sets) {
    levels = {{"order-sets"}, {"join-sets"}};
    stored.emplace_back("frequencies", "keys");
  }
  levels.insert(levels.end(), verification.begin(), verification.end());
  if (compares_known) stored.emplace_back("known-pages", "known");
  add_job(jobs, "matches", levels, std::move(stored));
  add_job(jobs, "components", {{"large-star"}, {"small-star"}}, {{"links", "repeats"}, {"links", "matches"}});
  jobs.back().repeated_levels = 2;
  jobs.back().repeated_until = "links_moved";
  const std::string clusters = clusters_job(options);
  add_job(jobs, clusters, {{"gather"}, {"assemble", "expand-first"}, {"fetch", "expand-second"}, {"cluster"}},
          {{"places", "components"}, {"matches", "matches"}, {"copies", "repeats"}, {"names", "repeats"}});
  if (compares_known) jobs.back().stored.emplace_back("known-pages", "known");
  std::vector<std::vector<std::string_view>> lists = {{"number", "list-matches"}, {"list-pages"}};
  if (options.output.evidence) {
    lists.back().push_back("fetch-profiles");
    lists.push_back({"evidence"});
  }
  add_job(jobs, tables_job(options), lists,
          {{"page-rows", clusters}, {"cluster-sums", clusters}, {"match-rows", clusters}});
  return jobs;
}

std::vector<DistributedJob> distributed_known_jobs(const DedupOptions& options) {
  std::vector<DistributedJob> jobs;
  add_job(jobs, "remembered", {{"remember"}, {"sort-known"}},
          {{"gone-pages", clusters_job(options)}, {"names", "repeats"}});
  return jobs;
}

std::vector<DistributedJob> distributed_record_jobs(const DedupOptions& options) {
  std::vector<DistributedJob> jobs;
  const std::string clusters = clusters_job(options);
  if (!options.output.records) return jobs;
  if (!options.output.revisits) {
    add_job(jobs, "removed", {{"list-removed"}}, {{"removed-pages", clusters}, {"templates", "keys"}});
    return jobs;
  }
  add_job(jobs, "wanted", {{"meet-addresses"}, {"list-wanted"}}, {{"addresses", clusters}});
  add_job(jobs, "removed-for-revisits", {{"join-targets"}, {"list-removed"}},
          {{"removals", clusters}, {"targets", "targets"}, {"templates", "keys"}});
  return jobs;
}

}  // namespace paraprint
