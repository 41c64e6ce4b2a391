// The common part of tasks, and the table of stages by name. Candidate options come from candidate_options() of a run
// in one process, so that both search in the same way; only the memory of the sorters differs.
#include "distribute/task_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/propagate.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"

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

// A join of keys reaches no other bits: its distance is 0.
HammingReach hamming_reach_of(const std::optional<FingerprintIndex>& page_level, const DedupOptions& options) {
  if (!page_level) return {128, options.candidates.candidate_bits};
  return page_level->hamming_reach().value_or(HammingReach{});
}

// A new stage needs a row here and its name in paraprint/distributed.h.
using MakeTask = std::unique_ptr<StageTask> (*)(TaskInput&&);
struct StageRow {
  std::string_view name;
  MakeTask make;
  std::array<std::string_view, 2> kinds;  // of the parcels that it takes; empty ones are not used
  MakeTask make_page_level = nullptr;     // under a page-level algorithm; null: as under the paragraph method
};
constexpr std::array kStages = {
    StageRow{"words", make_words_task, {"words"}},
    StageRow{"paragraphs", make_paragraphs_task, {}},
    StageRow{"boilerplate", make_boilerplate_task, {"paragraphs"}},
    StageRow{"keys", make_keys_task, {}, make_fingerprint_keys_task},
    StageRow{"exact", make_exact_task, {"exact"}, make_fingerprint_exact_task},
    StageRow{"near", make_near_task, {"near"}, make_fingerprint_near_task},
    StageRow{"buckets", make_buckets_task, {"groups"}},
    StageRow{"hamming", make_hamming_task, {"buckets"}},
    StageRow{"sketch", make_sketch_task, {"sketch"}},
    StageRow{"select", make_select_task, {"pairs"}},
    StageRow{"fetch", make_fetch_task, {"requests"}},
    StageRow{"fetch-profiles", make_fetch_task, {"requests"}},
    StageRow{"verify", make_verify_task, {"selected", "pages"}},
    StageRow{"connect", make_connect_task, {"matches"}},
    StageRow{"large-star", make_large_star_task, {"links"}},
    StageRow{"small-star", make_small_star_task, {"low-links"}},
    StageRow{"cluster", make_cluster_task, {"components", "pages"}},
    StageRow{"evidence", make_evidence_task, {"evidence", "pages"}},
};

}  // namespace

TaskBase::TaskBase(TaskInput&& input)
    : options_(input.options),
      settings_(input.settings),
      kinds_(input.kinds),
      tables_(std::move(input.tables)),
      boilerplate_(std::move(input.boilerplate)),
      page_level_(std::move(input.page_level)),
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

std::uint32_t TaskBase::partition_of_fingerprint(const Fingerprint128& fingerprint) const {
  return static_cast<std::uint32_t>(mix64(fingerprint.high ^ mix64(fingerprint.low)) % settings_.partitions);
}

HammingReach TaskBase::hamming_reach() const {
  return hamming_reach_of(page_level_, options_);
}

std::unique_ptr<FetchedPages> TaskBase::make_fetched_pages() {
  return distribute::make_fetched_pages(page_level_ ? &*page_level_ : nullptr, boilerplate_, options_.match,
                                        settings_.temporary_folder, &budget_);
}

Result<bool> TaskBase::consists_of_template(const DriverPage& page, std::string_view profile) {
  const std::vector<std::uint64_t>& sites = tables_.large_sites;
  if (boilerplate_.size() == 0 || !std::binary_search(sites.begin(), sites.end(), site_of_url(page.url))) return false;
  PARAPRINT_TRY(decode_profile(profile, template_profile_));
  flag_boilerplate(page, template_profile_, template_flags_);
  return consists_of_boilerplate(template_flags_);
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
  TaskInput input{options, settings, {}, {}, row->kinds, {}};
  PARAPRINT_ASSIGN(const AlgorithmChoice algorithm, choose_algorithm(options.profile.algorithm));
  if (!algorithm.is_paragraph_method()) {
    PARAPRINT_ASSIGN(FingerprintIndex index, FingerprintIndex::create(algorithm));
    input.page_level = std::move(index);
  }
  const bool joins_near = settings.stage == "buckets" || settings.stage == "hamming";
  if (const int distance = hamming_reach_of(input.page_level, options).distance_bits; joins_near && distance <= 0) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("stage '{}': there is no join of fingerprints within {} bits", settings.stage, distance));
  }
  if (!settings.tables.empty()) {
    PARAPRINT_ASSIGN(TaskTables tables, TaskTables::read(settings.tables));
    input.tables = std::move(tables);
  }
  if (!settings.boilerplate.empty()) {
    PARAPRINT_ASSIGN(const std::vector<std::uint64_t> entries, read_entries(settings.boilerplate));
    PARAPRINT_ASSIGN(SiteBoilerplate boilerplate, SiteBoilerplate::from_entries(entries));
    input.boilerplate = std::move(boilerplate);
  }
  const bool is_own = input.page_level && row->make_page_level != nullptr;
  return (is_own ? row->make_page_level : row->make)(std::move(input));
}

}  // namespace paraprint
