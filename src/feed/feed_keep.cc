// A bound is recognised by its unit: none means events, a unit of time an age, a unit of size bytes on disk.
#include "feed/feed_keep.h"

#include <fmt/format.h>

#include <string>

#include "base/propagate.h"
#include "options/option_text.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::string_view kName = "feed_keep";
constexpr std::uint64_t kBytesMinimum = std::uint64_t{1} << 20;
constexpr std::int64_t kDaysMaximum = 36'500;  // times in milliseconds stay far from their limit
constexpr std::int64_t kSecondsMaximum = kDaysMaximum * 86'400;

Status set_once(std::uint64_t& bound, std::uint64_t value, std::string_view item) {
  if (value == 0) return failure(ErrorCode::kInvalidArgument, fmt::format("{}: '{}' keeps nothing", kName, item));
  if (bound != 0) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: '{}' is a second bound of its kind", kName, item));
  }
  bound = value;
  return {};
}

Status read_bound(std::string_view item, FeedKeep& keep) {
  std::uint64_t events = 0;
  if (item.find_first_not_of("0123456789") == std::string_view::npos && !item.empty()) {
    PARAPRINT_TRY(parse_option(kName, item, events));
    return set_once(keep.events, events, item);
  }
  std::int64_t seconds = 0;
  if (parse_duration(kName, item, seconds) && seconds >= 0) {
    if (seconds > kSecondsMaximum) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{} is {}; it must be at most {}d", kName, item, kDaysMaximum));
    }
    return set_once(keep.seconds, static_cast<std::uint64_t>(seconds), item);
  }
  std::uint64_t bytes = 0;
  if (parse_size(kName, item, bytes)) {
    if (bytes < kBytesMinimum) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{} is {}; it must be at least {}", kName, item, size_text(kBytesMinimum)));
    }
    return set_once(keep.bytes, bytes, item);
  }
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{}: '{}' is no bound; write an age (7d), a number of events (1000000) or a size (10GB)",
                             kName, item));
}

}  // namespace

Result<FeedKeep> parse_feed_keep(std::string_view text) {
  FeedKeep keep;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    is_last = comma == std::string_view::npos;
    PARAPRINT_TRY(read_bound(text.substr(0, comma), keep));
    if (!is_last) text.remove_prefix(comma + 1);
  }
  return keep;
}

}  // namespace paraprint::inline event_feed
