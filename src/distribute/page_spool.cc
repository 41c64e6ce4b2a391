// Wraps the fetched profiles in a PageLog and a PageTable, so that the PairScorer of a run in one process can be used
// as it is. Pages get local numbers in the order of arrival, which differ from run to run; only page numbers leave this
// file.
#include "distribute/page_spool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/propagate.h"

namespace paraprint::distribute {
namespace {

// Encoded pages are buffered up to this size before they are appended to the log.
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;

}  // namespace

PageSpool::PageSpool(const TaskTables& tables, const SiteBoilerplate& boilerplate, const MatchOptions& options,
                     std::string temporary_folder, MemoryBudget* budget)
    : tables_(tables),
      boilerplate_(boilerplate),
      options_(options),
      temporary_folder_(std::move(temporary_folder)),
      is_wanted_(tables.number_of_position.size(), false),
      pages_(budget),
      place_of_page_(budget) {}

bool PageSpool::wants_any(std::uint64_t first_position, std::uint64_t pages) const {
  const std::span<const std::uint32_t> numbers = tables_.number_of_position;
  // A batch outside the tables is malformed; accept it, so that add_batch() reports the error.
  if (first_position + pages > numbers.size()) return true;
  const auto batch = numbers.subspan(first_position, pages);
  return std::any_of(batch.begin(), batch.end(), [&](std::uint32_t page) { return is_wanted_[page]; });
}

// The log is created on demand: many tasks want no pages. A page that comes twice is an error, since it would leave two
// local numbers for one page.
Status PageSpool::add_batch(std::uint64_t first_position, std::string_view facts, std::string_view profiles) {
  if (log_ == nullptr) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageLog> log, PageLog::create_nameless(temporary_folder_));
    log_ = std::move(log);
  }
  Page entry;
  return for_each_page_of_batch(
      first_position, facts, profiles,
      [&](std::uint64_t position, const DriverPage& page, std::string_view profile) -> Status {
        if (position >= tables_.number_of_position.size()) return corrupt("profiles");
        const std::uint32_t number = tables_.number_of_position[position];
        if (!is_wanted_[number]) return {};
        const auto place = static_cast<std::uint32_t>(place_of_page_.size() + 1);
        PARAPRINT_ASSIGN(std::uint32_t* const added, place_of_page_.find_or_add(number, place));
        if (*added != place) return corrupt("profiles");
        entry.url = page.url;
        batch_.append_page(entry, page.language, profile, {});
        if (batch_.pages.size() < kBatchBytes) return {};
        Status appended = log_->append(batch_);
        batch_ = PageBatch{};
        return appended;
      });
}

// Missing pages are an error now, rather than wrong scores later.
Status PageSpool::finish() {
  const auto wanted = static_cast<std::size_t>(std::count(is_wanted_.begin(), is_wanted_.end(), true));
  if (place_of_page_.size() != wanted) {
    return failure(ErrorCode::kNotFound, fmt::format("profiles: {} of {} pages are missing from the batches",
                                                     wanted - place_of_page_.size(), wanted));
  }
  if (log_ == nullptr) return {};
  PARAPRINT_TRY(log_->append(batch_));
  batch_ = PageBatch{};
  // The table is filled from the log, which knows the offsets of the profiles. Content characters are 0, since scoring
  // takes sizes from the profiles.
  PARAPRINT_TRY(log_->read([&](const LoggedPage& page) { return pages_.add(page, 0); },
                           [](const PageBatch&) -> Status { return {}; }));
  scorer_ = std::make_unique<PairScorer>(*log_, pages_, boilerplate_, options_);
  return {};
}

// Local numbers go to the scorer, page numbers into the answer.
Result<Match> PageSpool::score(std::uint32_t page_a, std::uint32_t page_b, std::vector<MatchedSpan>* evidence) {
  const std::uint32_t place_a = place_of_page_.find(page_a);
  const std::uint32_t place_b = place_of_page_.find(page_b);
  if (place_a == 0 || place_b == 0 || scorer_ == nullptr) {
    return failure(ErrorCode::kNotFound, fmt::format("profiles: page {} or page {} was not fetched", page_a, page_b));
  }
  Result<Match> match = scorer_->score(place_a - 1, place_b - 1, evidence);
  PARAPRINT_TRY(match);
  match->page_a = page_a;
  match->page_b = page_b;
  return match;
}

}  // namespace paraprint::distribute
