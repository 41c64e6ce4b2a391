// How many events the log keeps (--feed-keep).
#pragma once

#include <cstdint>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline event_feed {

// Bounds; 0: there is none. What exceeds any of them is dropped.
struct FeedKeep {
  std::uint64_t seconds = 0;
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
};

// Reads "7d", "1000000" (events) or "10GB", or several of these separated by commas. kInvalidArgument for other text, a
// bound that is given twice, bounds that are too small to be kept, and ages above a century.
Result<FeedKeep> parse_feed_keep(std::string_view text);

}  // namespace paraprint::inline event_feed
