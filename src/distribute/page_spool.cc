// Wraps the fetched profiles in a PageLog and a PageTable, so that the PairScorer of a run in one process can be used
// as it is. Pages get local numbers in the order of arrival, which differ from run to run; only page numbers leave this
// file.
#include "distribute/page_spool.h"

#include <fmt/format.h>

#include <utility>

#include "base/propagate.h"
#include "distribute/records.h"

namespace paraprint::distribute {
namespace {

// Encoded pages are buffered up to this size before they are appended to the log.
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;

}  // namespace

PageSpool::PageSpool(const SiteBoilerplate& boilerplate, const MatchOptions& options, std::string temporary_folder,
                     MemoryBudget* budget)
    : boilerplate_(boilerplate),
      options_(options),
      temporary_folder_(std::move(temporary_folder)),
      pages_(budget),
      place_of_page_(budget),
      content_characters_(budget) {}

// The log is created on demand: many tasks get no pages. A page that comes twice is an error, since it would leave two
// local numbers for one page.
Status PageSpool::add(const FetchedPage& page) {
  if (log_ == nullptr) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageLog> log, PageLog::create_nameless(temporary_folder_));
    log_ = std::move(log);
  }
  const auto place = static_cast<std::uint32_t>(place_of_page_.size() + 1);
  PARAPRINT_ASSIGN(std::uint32_t* const added, place_of_page_.find_or_add(page.page, place));
  if (*added != place) return corrupt("pages");
  PARAPRINT_TRY(content_characters_.push_back(page.content_characters));
  Page entry;
  entry.url = page.url;
  batch_.append_page(entry, page.language, page.profile, {});
  if (batch_.pages.size() < kBatchBytes) return {};
  Status appended = log_->append(batch_);
  batch_ = PageBatch{};
  return appended;
}

std::optional<std::uint32_t> PageSpool::content_characters(std::uint32_t page) const {
  const std::uint32_t place = place_of_page_.find(page);
  if (place == 0) return std::nullopt;
  return content_characters_[place - 1];
}

Status PageSpool::finish() {
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
    return failure(ErrorCode::kNotFound, fmt::format("profiles: page {} or page {} is missing", page_a, page_b));
  }
  Result<Match> match = scorer_->score(place_a - 1, place_b - 1, evidence);
  PARAPRINT_TRY(match);
  match->page_a = page_a;
  match->page_b = page_b;
  return match;
}

}  // namespace paraprint::distribute
