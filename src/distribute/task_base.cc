// The common part of tasks, and the table of stages by name. Candidate options come from candidate_options() of a run
// in one process, so that both search in the same way; only the memory of the sorters differs.
#include "distribute/task_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/propagate.h"
#include "engine/pair_scorer.h"

namespace paraprint {

using namespace distribute;

namespace distribute {
namespace {

// The sorters of a task share 1/4 of its memory; the rest is for tables, profiles and open parcels.
constexpr std::uint64_t kSorterShare = 4;
constexpr std::uint64_t kSorterBytesMinimum = std::uint64_t{8} << 20;

// Consecutive pages whose pairs go to the same task. Larger blocks need fewer batches per task, smaller ones spread the
// work of a site with many copies better.
constexpr std::uint32_t kPagesPerBlock = 256;

SpillOptions spill_options(const DedupOptions& options, const StageSettings& settings, MemoryBudget* budget) {
  return {settings.temporary_folder, std::max(kSorterBytesMinimum, options.resources.memory / kSorterShare), budget};
}

// A new stage needs a row here and its name in paraprint/distributed.h.
using MakeTask = std::unique_ptr<StageTask> (*)(TaskInput&&);
struct StageRow {
  std::string_view name;
  MakeTask make;
  std::array<std::string_view, 2> kinds;  // of the parcels that it takes; empty ones are not used
};
constexpr std::array<StageRow, 17> kStages{{{"words", make_words_task, {"words"}},
                                            {"paragraphs", make_paragraphs_task, {}},
                                            {"boilerplate", make_boilerplate_task, {"paragraphs"}},
                                            {"keys", make_keys_task, {}},
                                            {"exact", make_exact_task, {"exact"}},
                                            {"near", make_near_task, {"near"}},
                                            {"buckets", make_buckets_task, {"groups"}},
                                            {"hamming", make_hamming_task, {"buckets"}},
                                            {"sketch", make_sketch_task, {"sketch"}},
                                            {"select", make_select_task, {"pairs"}},
                                            {"fetch", make_fetch_task, {"requests"}},
                                            {"verify", make_verify_task, {"selected", "pages"}},
                                            {"connect", make_connect_task, {"matches"}},
                                            {"large-star", make_large_star_task, {"links"}},
                                            {"small-star", make_small_star_task, {"low-links"}},
                                            {"cluster", make_cluster_task, {"components", "pages"}},
                                            {"evidence", make_evidence_task, {"evidence", "pages"}}}};

}  // namespace

TaskBase::TaskBase(TaskInput&& input)
    : options_(input.options),
      settings_(input.settings),
      kinds_(input.kinds),
      tables_(std::move(input.tables)),
      boilerplate_(std::move(input.boilerplate)),
      budget_(options_.resources.memory, settings_.temporary_folder),
      candidate_options_(candidate_options(options_, spill_options(options_, settings_, &budget_))) {}

Status TaskBase::add_parcel(std::string_view kind, std::string_view bytes) {
  if (kind.empty() || std::find(kinds_.begin(), kinds_.end(), kind) == kinds_.end()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("stage {} takes no parcels of kind '{}'", settings_.stage, kind));
  }
  return read_parcel(kind, bytes);
}

Status TaskBase::read_parcel(std::string_view kind, std::string_view) {
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("stage {} takes no parcels of kind '{}'", settings_.stage, kind));
}

Status TaskBase::add_pages(std::uint64_t, std::string_view, std::string_view) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("stage {} takes no pages", settings_.stage));
}

std::vector<Parcel> TaskBase::take_parcels() {
  std::vector<Parcel> parcels;
  for (ParcelBox& box : boxes_) box.take(parcels, is_finished_);
  return parcels;
}

ParcelBox& TaskBase::add_box(std::string_view kind, std::uint32_t partitions) {
  return boxes_.emplace_back(kind, partitions);
}

ExternalSortOptions TaskBase::sort_options(double share) const {
  return {static_cast<std::uint64_t>(static_cast<double>(candidate_options_.memory_limit_bytes) * share),
          settings_.temporary_folder};
}

std::uint32_t TaskBase::partition_of_pair(std::uint32_t page_a) const {
  return static_cast<std::uint32_t>(mix64(page_a / kPagesPerBlock) % settings_.partitions);
}

// The sorter adds up hits before they travel: one record per pair and task instead of one per hit.
Status TaskBase::give_pairs(CandidatePairSorter& pairs) {
  ParcelBox& box = add_box("pairs", settings_.partitions);
  PARAPRINT_TRY(pairs.finish());
  CandidatePair pair;
  while (pairs.next(pair)) {
    ByteWriter out(box.record_for(partition_of_pair(pair.page_a)));
    write_pair(pair, out);
  }
  return pairs.status();
}

// As in a run: pages whose URL has no host have no site.
void TaskBase::flag_boilerplate(const DriverPage& page, const Profile& profile,
                                std::vector<std::uint8_t>& flags) const {
  flags.clear();
  if (boilerplate_.size() == 0) return;
  const std::uint64_t site = site_of_url(page.url);
  if (site != 0) boilerplate_.flag(site, profile, flags);
}

}  // namespace distribute

// Tables and boilerplate are broadcast to all tasks as bytes; stages before the page numbers are known get none.
Result<std::unique_ptr<StageTask>> StageTask::create(const DedupOptions& options, const StageSettings& settings) {
  const auto* const row =
      std::find_if(kStages.begin(), kStages.end(), [&](const StageRow& stage) { return stage.name == settings.stage; });
  if (row == kStages.end() || settings.partitions == 0 || settings.share >= settings.shares) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("invalid task: stage '{}', share {} of {}, {} partitions", settings.stage,
                               settings.share, settings.shares, settings.partitions));
  }
  const bool joins_near = settings.stage == "buckets" || settings.stage == "hamming";
  if (joins_near && options.candidates.candidate_bits <= 0) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("stage '{}': there is no join of fingerprints with candidate-bits {}", settings.stage,
                               options.candidates.candidate_bits));
  }
  TaskInput input{options, settings, {}, {}, row->kinds};
  if (!settings.tables.empty()) {
    PARAPRINT_ASSIGN(TaskTables tables, TaskTables::read(settings.tables));
    input.tables = std::move(tables);
  }
  if (!settings.boilerplate.empty()) {
    PARAPRINT_ASSIGN(const std::vector<std::uint64_t> entries, read_entries(settings.boilerplate));
    PARAPRINT_ASSIGN(SiteBoilerplate boilerplate, SiteBoilerplate::from_entries(entries));
    input.boilerplate = std::move(boilerplate);
  }
  return row->make(std::move(input));
}

}  // namespace paraprint
