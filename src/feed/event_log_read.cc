// Reading the event log. Readers have no state in the log: each read opens the file that its cursor names, so any
// number of them costs the log nothing, and a file can be deleted while they are elsewhere.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/propagate.h"
#include "base/system_error.h"
#include "feed/event_log.h"

namespace paraprint::inline event_feed {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  // False: errno says why.
  bool get_size(std::uint64_t& size_bytes) const {
    struct stat facts {};
    if (::fstat(descriptor_, &facts) != 0) return false;
    size_bytes = static_cast<std::uint64_t>(facts.st_size);
    return true;
  }

  // Replaces `bytes` by up to `size` bytes from `offset` on; fewer only at the end of the file. False: errno says why.
  bool read(std::uint64_t offset, std::size_t size, std::string& bytes) const {
    bytes.resize(size);
    std::size_t filled = 0;
    while (filled < size) {
      const ssize_t got =
          ::pread(descriptor_, bytes.data() + filled, size - filled, static_cast<off_t>(offset + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return false;
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return true;
  }

 private:
  int descriptor_;
};

}  // namespace

std::string_view gap_reason_name(GapReason reason) {
  switch (reason) {
    case GapReason::kDropped:
      return "dropped";
    case GapReason::kDamaged:
      return "damaged";
    case GapReason::kAhead:
      return "ahead";
    case GapReason::kTooLarge:
      return "too-large";
  }
  return "";
}

// A damaged header does not prevent a start: readers get a gap instead of what the file has.
Status EventLog::open_earlier(Segment& segment, std::vector<std::string>& warnings) const {
  const std::string path = path_of(segment.first_number);
  const OpenFile file(path);
  std::string bytes;
  if (!file.is_open() || !file.get_size(segment.size_bytes) || !file.read(0, kSegmentHeaderBytes, bytes)) {
    return tl::unexpected<Error>(system_error("read", path, errno));
  }
  const Result<SegmentHeader> header = read_segment_header(bytes);
  if (header) {
    segment.created_milliseconds = header->created_milliseconds;
  } else {
    warnings.push_back(fmt::format("{}: {}; its events may be reported as a gap", path, header.error().message));
  }
  return {};
}

std::optional<EventLog::Segment> EventLog::find_segment(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto after = std::upper_bound(segments_.begin(), segments_.end(), number,
                                      [](std::uint64_t n, const Segment& segment) { return n < segment.first_number; });
  if (after == segments_.begin()) return std::nullopt;
  return *(after - 1);
}

void EventLog::skip_damage(EventCursor& cursor, EventSlice& slice) const {
  const std::uint64_t last = published();
  std::uint64_t first = last + 1;
  {
    const std::lock_guard lock(mutex_);
    for (const Segment& segment : segments_) {
      if (segment.first_number > cursor.next) {
        first = std::min(first, segment.first_number);
        break;
      }
    }
  }
  // Events before the damage come first; the next read finds it again.
  if (!slice.events.empty() || first <= cursor.next) return;
  slice.gap = {cursor.next - 1, first, GapReason::kDamaged};
  cursor = {.next = first};
}

void EventLog::rewind(EventCursor& cursor, const EventSlice& slice, std::size_t event) {
  const StoredEvent& next = slice.events[event];
  cursor.next = next.number;
  cursor.offset_bytes =
      slice.offset_bytes + static_cast<std::uint64_t>(next.json.data() - slice.bytes.data()) - kFrameHeaderBytes;
}

// One file and one piece of it per call, unless the cursor has to be found first.
Status EventLog::read(EventCursor& cursor, std::size_t max_bytes, EventSlice& slice) const {
  slice.gap.reset();
  slice.events.clear();
  const std::uint64_t last = published();
  if (cursor.next > last + 1) {
    // Whatever the reader knows, it is not of this log: it gets all that is kept.
    slice.gap = {cursor.next - 1, statistics().first_number, GapReason::kAhead};
    cursor = {.next = slice.gap->first};
    return {};
  }
  if (cursor.next > last) return {};
  const std::optional<Segment> segment = find_segment(cursor.next);
  if (!segment) {
    const std::uint64_t first = statistics().first_number;
    slice.gap = {cursor.next - 1, first, GapReason::kDropped};
    cursor = {.next = first};
    return {};
  }
  const std::string path = path_of(segment->first_number);
  const OpenFile file(path);
  if (!file.is_open()) {
    // Dropped since it was looked for.
    if (errno == ENOENT && statistics().first_number > cursor.next) return read(cursor, max_bytes, slice);
    if (errno != ENOENT) return tl::unexpected<Error>(system_error("open", path, errno));
    skip_damage(cursor, slice);
    return {};
  }
  if (cursor.segment != segment->first_number) {
    cursor.segment = segment->first_number;
    cursor.offset_bytes = kSegmentHeaderBytes;
  }
  std::size_t piece_bytes = std::max(max_bytes, kFrameHeaderBytes);
  for (;;) {
    slice.offset_bytes = cursor.offset_bytes;
    if (!file.read(cursor.offset_bytes, piece_bytes, slice.bytes)) {
      return tl::unexpected<Error>(system_error("read", path, errno));
    }
    std::string_view rest = slice.bytes;
    const bool is_end = rest.size() < piece_bytes;
    StoredEvent event;
    FrameState state = FrameState::kIncomplete;
    while (cursor.next <= last && (state = take_frame(rest, event)) == FrameState::kWhole) {
      cursor.offset_bytes += frame_bytes({event.json.data() - kFrameHeaderBytes, kFrameHeaderBytes});
      if (event.number < cursor.next) continue;
      if (event.number > cursor.next) {
        state = FrameState::kDamaged;
        break;
      }
      slice.events.push_back(event);
      ++cursor.next;
    }
    if (cursor.next > last || !slice.events.empty()) return {};
    // A whole file without the number: its events ended early. All events up to `last` are completely written.
    if (state == FrameState::kDamaged || is_end) {
      skip_damage(cursor, slice);
      return {};
    }
    piece_bytes = std::max(piece_bytes, frame_bytes(rest));
  }
}

}  // namespace paraprint::inline event_feed
