// The common part of tasks. Candidate options come from candidate_options() of a run in one process, so that both
// search in the same way; only the memory of the sorters differs.
#include "distribute/task_base.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/tables/removal_records.h"
#include "engine/pair_scorer.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"

namespace paraprint {

using namespace distribute;

namespace distribute {
namespace {

// The sorters of a process share 1/4 of its memory; the rest is for profiles, open parcels and tables, which go to
// files when the process as a whole nears its memory, whichever task they belong to.
constexpr std::uint64_t kSorterShare = 4;
constexpr std::uint64_t kSorterBytesMinimum = std::uint64_t{8} << 20;

// Parcels that are read from the file of a task at once.
constexpr std::size_t kTakenBytes = std::size_t{16} << 20;

Result<SiteBoilerplate> read_boilerplate(std::string_view bytes) {
  if (bytes.empty()) return SiteBoilerplate();
  PARAPRINT_ASSIGN(const std::vector<std::uint64_t> entries, read_entries(bytes));
  return SiteBoilerplate::from_entries(entries);
}

SpillOptions spill_options(const DedupOptions& options, const StageSettings& settings, MemoryBudget* budget) {
  const std::uint64_t sorter_bytes = options.resources.memory / kSorterShare / settings.process_stages;
  return {settings.temporary_folder, std::max(kSorterBytesMinimum, sorter_bytes), budget};
}

}  // namespace

TaskBase::TaskBase(TaskInput&& input)
    : options_(input.options),
      settings_(input.settings),
      kinds_(input.kinds),
      large_sites_(std::move(input.large_sites)),
      boilerplate_(std::move(input.boilerplate)),
      known_templates_(std::move(input.known_templates)),
      referred_places_(std::move(input.referred_places)),
      page_level_(std::move(input.page_level)),
      budget_(options_.resources.memory, settings_.temporary_folder),
      candidate_options_(candidate_options(options_, spill_options(options_, settings_, &budget_))),
      overflow_(settings_.temporary_folder) {}

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

Status TaskBase::add_known(std::uint32_t, std::string_view) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("stage {} takes no known texts", settings_.stage));
}

// Parcels from the file go first, so that those of a partition come in the order in which they were made.
Result<std::vector<Parcel>> TaskBase::take_parcels() {
  std::vector<Parcel> parcels;
  PARAPRINT_TRY(overflow_.take(parcels, kTakenBytes));
  if (!parcels.empty()) return parcels;
  for (ParcelBox& box : boxes_) box.take(parcels, is_finished_);
  return parcels;
}

ParcelBox& TaskBase::add_box(std::string_view kind, std::uint32_t partitions) {
  return boxes_.emplace_back(kind, partitions, &overflow_);
}

ExternalSortOptions TaskBase::sort_options(double share) const {
  return {static_cast<std::uint64_t>(static_cast<double>(candidate_options_.memory_limit_bytes) * share),
          settings_.temporary_folder};
}

std::uint32_t TaskBase::partition_of_fingerprint(const Fingerprint128& fingerprint) const {
  return static_cast<std::uint32_t>(mix64(fingerprint.high ^ mix64(fingerprint.low)) % settings_.partitions);
}

std::unique_ptr<FetchedPages> TaskBase::make_fetched_pages() {
  return distribute::make_fetched_pages(page_level_ ? &*page_level_ : nullptr, boilerplate_, options_.match,
                                        settings_.temporary_folder, &budget_);
}

Result<bool> TaskBase::consists_of_template(const DriverPage& page, std::string_view profile) {
  if (boilerplate_.size() == 0) return false;
  if (!std::binary_search(large_sites_.begin(), large_sites_.end(), site_of_url(page.url))) return false;
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
    if (!is_page(pair.page_b)) return corrupt("keys");
    ByteWriter out(box.record_for(owner_of(pair.page_a)));
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

// Large sites and boilerplate are broadcast to all tasks as bytes; stages before they are known get none.
Result<std::unique_ptr<StageTask>> StageTask::create(const DedupOptions& options, const StageSettings& settings) {
  const StageRow* const row = find_stage(settings.stage);
  const std::vector<std::uint32_t>& first = settings.first_pages;
  const bool has_owners = first.empty() || (first.size() == settings.partitions + std::size_t{1} &&
                                            first.front() == 0 && std::is_sorted(first.begin(), first.end()));
  if (row == nullptr || settings.partitions == 0 || settings.process_stages == 0 || settings.share >= settings.shares ||
      !has_owners || settings.first_ids.size() >= settings.partitions || settings.known_texts.empty() ||
      !std::is_sorted(settings.known_texts.begin(), settings.known_texts.end())) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("invalid task: stage '{}', share {} of {}, {} partitions", settings.stage,
                               settings.share, settings.shares, settings.partitions));
  }
  TaskInput input{options, settings, {}, {}, {}, {}, row->kinds, {}};
  PARAPRINT_ASSIGN(input.page_level, page_level_index(options));
  const bool joins_near = settings.stage == "buckets" || settings.stage == "hamming";
  if (const int distance = hamming_reach_of(input.page_level, options).distance_bits; joins_near && distance <= 0) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("stage '{}': there is no join of fingerprints within {} bits", settings.stage, distance));
  }
  const bool joins_sets =
      settings.stage == "count-values" || settings.stage == "order-sets" || settings.stage == "join-sets";
  if (joins_sets && !(input.page_level && input.page_level->sets())) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("stage '{}': the algorithm does not find pages by sets", settings.stage));
  }
  if (!settings.large_sites.empty()) {
    PARAPRINT_ASSIGN(std::vector<std::uint64_t> sites, read_entries(settings.large_sites));
    if (!std::is_sorted(sites.begin(), sites.end())) return corrupt("sites");
    input.large_sites = std::move(sites);
  }
  PARAPRINT_ASSIGN(input.referred_places, tables::read_referred_places(settings.referred_places));
  PARAPRINT_ASSIGN(input.boilerplate, read_boilerplate(settings.boilerplate));
  PARAPRINT_ASSIGN(input.known_templates, read_boilerplate(settings.known_templates));
  const bool is_own = input.page_level && row->make_page_level != nullptr;
  return (is_own ? row->make_page_level : row->make)(std::move(input));
}

}  // namespace paraprint
