// Each frame has a mark, its size and a checksum of everything behind that, so that a torn or damaged frame is
// recognised, and frames behind a damaged place can be found again.
#include "feed/event_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::string_view kFileMark = "PARAFEED";
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::string_view kFrameMark = "EVNT";
constexpr std::size_t kUncheckedBytes = 16;  // of a frame: mark, size, checksum

}  // namespace

std::string segment_header_bytes(const SegmentHeader& header) {
  std::string bytes(kFileMark);
  ByteWriter writer(bytes);
  writer.fixed(kFormatVersion);
  writer.fixed(std::uint32_t{0});
  writer.fixed(header.first_number);
  writer.fixed(header.created_milliseconds);
  writer.fixed(hash64(bytes));
  return bytes;
}

Result<SegmentHeader> read_segment_header(std::string_view bytes) {
  if (bytes.size() < kSegmentHeaderBytes) return failure(ErrorCode::kCorruptData, "the header is incomplete");
  if (!bytes.starts_with(kFileMark)) return failure(ErrorCode::kCorruptData, "not a file of an event log");
  ByteReader reader(bytes.substr(kFileMark.size(), kSegmentHeaderBytes - kFileMark.size()));
  const auto version = reader.fixed<std::uint32_t>();
  reader.fixed<std::uint32_t>();
  SegmentHeader header;
  header.first_number = reader.fixed<std::uint64_t>();
  header.created_milliseconds = reader.fixed<std::uint64_t>();
  if (version > kFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("the format is {}, and this version reads up to {}", version, kFormatVersion));
  }
  const bool is_intact =
      reader.fixed<std::uint64_t>() == hash64(bytes.substr(0, kSegmentHeaderBytes - sizeof(std::uint64_t)));
  if (!is_intact || header.first_number == 0) return failure(ErrorCode::kCorruptData, "the header is damaged");
  return header;
}

void append_frame(std::string& out, const StoredEvent& event) {
  PARAPRINT_ASSERT(event.json.size() <= kEventBytesMaximum);
  std::string checked;
  checked.reserve(kFrameHeaderBytes + event.json.size());
  ByteWriter checked_writer(checked);
  checked_writer.fixed(event.number);
  checked_writer.fixed(event.time_milliseconds);
  checked.append(event.json).push_back('\n');
  out.append(kFrameMark);
  ByteWriter writer(out);
  writer.fixed(static_cast<std::uint32_t>(kUncheckedBytes + checked.size()));
  writer.fixed(hash64(checked));
  out.append(checked);
}

std::size_t frame_bytes(std::string_view bytes) {
  if (bytes.size() < kFrameHeaderBytes || !bytes.starts_with(kFrameMark)) return 0;
  ByteReader reader(bytes.substr(kFrameMark.size()));
  const std::size_t size = reader.fixed<std::uint32_t>();
  return size > kFrameHeaderBytes && size <= kFrameHeaderBytes + kEventBytesMaximum + 1 ? size : 0;
}

FrameState take_frame(std::string_view& bytes, StoredEvent& event) {
  const std::string_view mark = bytes.substr(0, kFrameMark.size());
  if (!kFrameMark.starts_with(mark)) return FrameState::kDamaged;
  if (bytes.size() < kFrameHeaderBytes) return FrameState::kIncomplete;
  const std::size_t size = frame_bytes(bytes);
  if (size == 0) return FrameState::kDamaged;
  if (bytes.size() < size) return FrameState::kIncomplete;
  ByteReader reader(bytes.substr(kFrameMark.size() + sizeof(std::uint32_t)));
  const auto checksum = reader.fixed<std::uint64_t>();
  const std::string_view checked = bytes.substr(kUncheckedBytes, size - kUncheckedBytes);
  if (checksum != hash64(checked) || checked.back() != '\n') return FrameState::kDamaged;
  event.number = reader.fixed<std::uint64_t>();
  event.time_milliseconds = reader.fixed<std::uint64_t>();
  event.json = checked.substr(2 * sizeof(std::uint64_t));
  event.json.remove_suffix(1);
  bytes.remove_prefix(size);
  return FrameState::kWhole;
}

SegmentScan scan_segment(std::string_view bytes, const SegmentHeader& header) {
  SegmentScan scan;
  scan.next_number = header.first_number;
  std::string_view rest = bytes.substr(std::min(bytes.size(), kSegmentHeaderBytes));
  StoredEvent event;
  for (std::string_view frame = rest; take_frame(frame, event) == FrameState::kWhole; rest = frame) {
    if (event.number != scan.next_number) break;
    ++scan.next_number;
    scan.last_time_milliseconds = event.time_milliseconds;
  }
  scan.valid_bytes = bytes.size() - rest.size();
  // A frame behind the place that cannot be read was complete when a later one was written: that is damage, and its
  // number was given away.
  for (std::size_t at = rest.find(kFrameMark, 1); at < rest.size(); at = rest.find(kFrameMark, at + 1)) {
    std::string_view frame = rest.substr(at);
    if (take_frame(frame, event) == FrameState::kWhole && event.number > scan.next_number) {
      scan.last_number_after_damage = std::max(scan.last_number_after_damage, event.number);
    }
  }
  return scan;
}

}  // namespace paraprint::inline event_feed
