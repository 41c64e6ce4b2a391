// The bytes of a file of the event log (docs/formats/event-log.md): a header, then one frame per event, in the order of
// their numbers. Pure and thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline event_feed {

inline constexpr std::size_t kSegmentHeaderBytes = 40;
inline constexpr std::size_t kFrameHeaderBytes = 32;
// Longer events are not stored. None comes near it (feed_event.h).
inline constexpr std::size_t kEventBytesMaximum = std::size_t{1} << 20;

struct SegmentHeader {
  std::uint64_t first_number = 0;
  std::uint64_t created_milliseconds = 0;  // Unix time
};

struct StoredEvent {
  std::uint64_t number = 0;
  std::uint64_t time_milliseconds = 0;  // Unix time
  std::string_view json;                // one line, without the line end
};

std::string segment_header_bytes(const SegmentHeader& header);
// Reads the first bytes of a file. kCorruptData with the reason; kUnsupported for a newer format.
Result<SegmentHeader> read_segment_header(std::string_view bytes);

// Requires at most kEventBytesMaximum bytes of JSON without a line end.
void append_frame(std::string& out, const StoredEvent& event);

enum class FrameState : std::uint8_t {
  kWhole,       // `event` was set, and the frame was removed from the front of the bytes
  kIncomplete,  // the bytes may be the beginning of a frame
  kDamaged,     // they cannot be
};
// Removes the frame at the front of untrusted `bytes`, which are unchanged unless it is whole. `event.json` points into
// them.
FrameState take_frame(std::string_view& bytes, StoredEvent& event);

// Size of the frame whose header begins `bytes`; 0 if they are no such header.
std::size_t frame_bytes(std::string_view bytes);

// What a file holds.
struct SegmentScan {
  std::uint64_t valid_bytes = 0;             // header and whole frames with consecutive numbers
  std::uint64_t next_number = 0;             // after the last of them
  std::uint64_t last_time_milliseconds = 0;  // of the last of them; 0: there is none
  // The largest number of the whole frames behind the first damaged place; 0: there is none, so what follows
  // `valid_bytes` is the torn end of the last write.
  std::uint64_t last_number_after_damage = 0;
};
// Scans a whole file whose header is `header`. Linear.
SegmentScan scan_segment(std::string_view bytes, const SegmentHeader& header);

}  // namespace paraprint::inline event_feed
