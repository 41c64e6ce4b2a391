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

std::optional<RedirectTurns::Time> RedirectTurns::begin(const std::string& name, Time now, bool has_turn) {
  if (hosts_.size() >= forgets_at_) forget_idle(now);
  Host& host = hosts_[name];
  const bool is_free = !host.is_busy && host.rested <= now;
  if (is_free && (has_turn || host.next_turn <= now)) {
    host.is_busy = true;
    return std::nullopt;
  }
  // Nobody waits longer than the clock can count, however many are waiting.
  const Time turn =
      std::min(std::max({host.next_turn, host.rested, now + pause_}), now + clock_time(kPauseMaximumSeconds));
  host.next_turn = turn + pause_;
  return turn;
}

void RedirectTurns::end(const std::string& name, Time now, Time::duration asked_for) {
  Host& host = hosts_[name];
  host.is_busy = false;
  host.rested = now + std::max(pause_, asked_for);
}

// Costs as much as the additions since the last time.
void RedirectTurns::forget_idle(Time now) {
  std::erase_if(hosts_, [&](const auto& host) {
    return !host.second.is_busy && host.second.rested <= now && host.second.next_turn <= now;
  });
  forgets_at_ = std::max(kForgetsAtMinimum, 2 * hosts_.size());
}

bool is_worth_another_attempt(const FetchResult& fetch) {
  if (fetch.is_answered()) {
    constexpr std::array kPassingStatuses = {408, 425, 429, 500, 502, 503, 504};
    return std::find(kPassingStatuses.begin(), kPassingStatuses.end(), fetch.http_status) != kPassingStatuses.end();
  }
  switch (fetch.failure) {
    case CrawlReason::kNameResolution:
    case CrawlReason::kConnection:
    case CrawlReason::kTimeout:
    case CrawlReason::kStalled:
    case CrawlReason::kTruncated:
      return true;
    default:
      return false;
  }
}

double HostPacing::own_delay_seconds() const {
  if (options_.pages_per_hour <= 0) return options_.delay;
  return std::max(options_.delay, kSecondsPerHour / options_.pages_per_hour);
}

HostSchedule::Time::duration HostPacing::usual_pause() const {
  return clock_time(own_delay_seconds());
}

HostSchedule::Time::duration HostPacing::pause_after(const FetchResult& fetch) const {
  const double failure = is_worth_another_attempt(fetch) ? options_.retry_pause : 0;
  return clock_time(std::max(failure, std::min(fetch.retry_after_seconds, kRetryAfterMaximumSeconds)));
}

// The longest of our own delay, the one that --pages-per-hour gives, and the host's crawl-delay up to --max-delay.
double HostPacing::delay_of_seconds(const CrawlHost& host) const {
  return std::max(own_delay_seconds(), std::min(host.record.crawl_delay_seconds, options_.max_delay));
}

void HostPacing::postpone(std::size_t number, HostSchedule::Time due) {
  CrawlHost& host = frontier_.host(number);
  host.due = due;
  host.is_busy = false;
  frontier_.schedule(number);
}

void HostPacing::release(std::size_t number, const FetchResult& fetch, bool has_failed) {
  CrawlHost& host = frontier_.host(number);
  double pause = delay_of_seconds(host);
  host.failures_in_a_row = has_failed ? host.failures_in_a_row + 1 : 0;
  if (has_failed) {
    constexpr unsigned kDoublingsMaximum = 20;  // more would exceed any --max-delay
    const double longer =
        std::ldexp(options_.retry_pause, static_cast<int>(std::min(host.failures_in_a_row - 1, kDoublingsMaximum)));
    pause = std::max(pause, std::min(longer, options_.max_delay));
  }
  pause = std::max(pause, std::min(fetch.retry_after_seconds, kRetryAfterMaximumSeconds));
  postpone(number, frontier_.system().now() + clock_time(pause));
}

}  // namespace paraprint::inline crawler
