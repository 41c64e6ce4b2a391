// The delay between two requests to a host is the same whatever they are for; pages, sitemaps and robots.txt are all
// paced here. Everything that a server asks for is bounded by our own options.
#include "crawl/host_pacing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace paraprint::inline crawler {
namespace {

// Upper bound for Retry-After: a server may ask for a long pause, but not for an endless one.
constexpr double kRetryAfterMaximumSeconds = 3600;
constexpr double kSecondsPerHour = 3600;

// Longer pauses, which the clock could not count, mean that the host is not asked again by this run.
constexpr double kPauseMaximumSeconds = 365 * 24 * kSecondsPerHour;

std::chrono::steady_clock::duration clock_time(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, kPauseMaximumSeconds)));
}

}  // namespace

bool is_worth_another_attempt(const FetchResult& fetch) {
  switch (fetch.failure) {
    case CrawlReason::kNone:
      break;
    case CrawlReason::kNameResolution:
    case CrawlReason::kConnection:
    case CrawlReason::kTimeout:
    case CrawlReason::kStalled:
    case CrawlReason::kTruncated:
      return true;
    default:
      return false;
  }
  constexpr std::array kPassingStatuses = {408, 425, 429, 500, 502, 503, 504};
  return std::find(kPassingStatuses.begin(), kPassingStatuses.end(), fetch.http_status) != kPassingStatuses.end();
}

// The longest of our own delay, the one that --pages-per-hour gives, and the host's crawl-delay up to --max-delay.
std::chrono::duration<double> HostPacing::delay_of(const CrawlHost& host) const {
  double seconds = options_.delay;
  if (options_.pages_per_hour > 0) seconds = std::max(seconds, kSecondsPerHour / options_.pages_per_hour);
  return std::chrono::duration<double>(
      std::max(seconds, std::min(host.record.crawl_delay_seconds, options_.max_delay)));
}

void HostPacing::release(std::size_t number, const FetchResult& fetch, bool has_failed) {
  CrawlHost& host = frontier_.host(number);
  double pause = delay_of(host).count();
  host.failures_in_a_row = has_failed ? host.failures_in_a_row + 1 : 0;
  if (has_failed) {
    constexpr unsigned kDoublingsMaximum = 20;  // more would exceed any --max-delay
    const double longer =
        std::ldexp(options_.retry_pause, static_cast<int>(std::min(host.failures_in_a_row - 1, kDoublingsMaximum)));
    pause = std::max(pause, std::min(longer, options_.max_delay));
  }
  pause = std::max(pause, std::min(fetch.retry_after_seconds, kRetryAfterMaximumSeconds));
  host.due = frontier_.system().now() + clock_time(pause);
  host.is_busy = false;
  frontier_.schedule(number);
}

}  // namespace paraprint::inline crawler
