// Follows the log for one client or webhook: reads slices, leaves out what its filter does not want, and writes them in
// the forms in which events are sent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "feed/event_filter.h"
#include "feed/event_log.h"
#include "paraprint/result.h"

namespace paraprint::inline event_feed {

// Not thread-safe. The log must outlive it.
class EventReader {
 public:
  // `after`: the last number that the client has.
  EventReader(const EventLog& log, EventFilter filter, std::uint64_t after);

  // Replaces gap and events by the next ones, at most `max_events` and about kSliceBytes; returns early after looking
  // at about kScannedBytes without an event that is wanted. Errors: those of EventLog::read(). Throws std::bad_alloc,
  // after which only restart() keeps events from being missed.
  Status read(std::size_t max_events);
  const std::optional<EventGap>& gap() const { return slice_.gap; }
  const std::vector<StoredEvent>& events() const { return slice_.events; }
  // The last number looked at: the client has everything up to it that it wants.
  std::uint64_t after() const { return cursor_.next - 1; }
  // Whether there are further events to look at, or a gap.
  bool has_more() const { return log_->published() + 1 != cursor_.next; }
  // Continues behind `after` instead.
  void restart(std::uint64_t after) noexcept { cursor_ = {.next = after + 1}; }
  const EventLog& log() const { return *log_; }

  static constexpr std::size_t kSliceBytes = std::size_t{128} << 10;
  static constexpr std::size_t kScannedBytes = std::size_t{4} << 20;

 private:
  const EventLog* log_;
  EventMatcher matcher_;
  EventCursor cursor_;
  EventSlice slice_;
};

// Events in the form in which they are sent.
struct EventPage {
  std::string text;  // empty: there was neither an event that is wanted nor a gap
  std::size_t events = 0;
};
// The next events for a stream, as stream_text() writes them. Errors: those of EventLog::read().
Result<EventPage> read_stream(EventReader& reader);
// The next events for a page, as lines_text() writes them: up to `limit`, fewer if they exceed about a megabyte or
// looking for them takes long.
Result<EventPage> read_page(EventReader& reader, std::size_t limit);

// The slice as server-sent events: "id: 17\ndata: {...}\n\n", and a gap as an event of the type "gap" whose id is the
// last number before its end.
std::string stream_text(const EventReader& reader);
// Tells the client its position after events that it did not want, so that it does not look at them again when it
// reconnects; otherwise a comment. Both keep the connection alive.
std::string heartbeat_text(const EventReader& reader, bool has_moved);
// The slice as JSON lines; of the line of a gap the only member is "gap".
std::string lines_text(const EventReader& reader);
// The last line of a page: {"after":17,"last":20}
std::string position_line(const EventReader& reader);
// {"after":3,"first":17,"missed":13,"reason":"dropped"}
std::string gap_json(const EventGap& gap);

}  // namespace paraprint::inline event_feed
