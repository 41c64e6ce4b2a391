// Lookups in the tables of outcomes and reasons. The tables are small, so searching them is fast enough.
#include "crawl/crawl_reason.h"

#include <algorithm>

#include "base/assert.h"

namespace paraprint::inline crawler {
namespace {

// In the order of UrlStatus.
constexpr std::array<std::string_view, kUrlStatusCount> kStatusNames = {"queued",   "stored",  "copy",   "unchanged",
                                                                        "redirect", "refused", "failed", "skipped"};

}  // namespace

std::string_view url_status_name(UrlStatus status) {
  return kStatusNames.at(static_cast<std::size_t>(status));
}

const CrawlReasonInfo& crawl_reason_info(CrawlReason reason) {
  const auto* found = std::find_if(kCrawlReasons.begin(), kCrawlReasons.end(),
                                   [&](const CrawlReasonInfo& info) { return info.reason == reason; });
  PARAPRINT_ASSERT(found != kCrawlReasons.end());
  return *found;
}

}  // namespace paraprint::inline crawler
