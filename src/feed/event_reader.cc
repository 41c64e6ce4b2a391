// Events were escaped when they were stored, so they are sent as they are.
#include "feed/event_reader.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/propagate.h"
#include "report/json_writer.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::size_t kPageBytes = std::size_t{1} << 20;
constexpr std::size_t kEventsPerSliceMaximum = 10'000;  // those of a slice are far fewer

}  // namespace

EventReader::EventReader(const EventLog& log, EventFilter filter, std::uint64_t after)
    : log_(&log), matcher_(std::move(filter)), cursor_{.next = after + 1} {}

Status EventReader::read(std::size_t max_events) {
  std::size_t scanned_bytes = 0;
  do {
    PARAPRINT_TRY(log_->read(cursor_, kSliceBytes, slice_));
    scanned_bytes += kSliceBytes;
    std::erase_if(slice_.events, [this](const StoredEvent& event) { return !matcher_.wants(event.json); });
    if (slice_.events.size() > max_events) {
      EventLog::rewind(cursor_, slice_, max_events);
      slice_.events.resize(max_events);
    }
  } while (!slice_.gap && slice_.events.empty() && has_more() && scanned_bytes < kScannedBytes);
  return {};
}

std::string gap_json(const EventGap& gap) {
  JsonWriter json;
  json.begin_object();
  json.member("after", gap.after);
  json.member("first", gap.first);
  if (gap.first > gap.after) json.member("missed", gap.first - gap.after - 1);
  json.member("reason", gap_reason_name(gap.reason));
  json.end_object();
  return json.take();
}

std::string stream_text(const EventReader& reader) {
  std::string text;
  if (const auto& gap = reader.gap()) {
    text = fmt::format("event: gap\nid: {}\ndata: {{\"gap\":{}}}\n\n", gap->first - 1, gap_json(*gap));
  }
  for (const StoredEvent& event : reader.events()) {
    fmt::format_to(std::back_inserter(text), "id: {}\ndata: {}\n\n", event.number, event.json);
  }
  return text;
}

std::string heartbeat_text(const EventReader& reader, bool has_moved) {
  return has_moved ? fmt::format(": heartbeat\nid: {}\n\n", reader.after()) : ": heartbeat\n\n";
}

std::string lines_text(const EventReader& reader) {
  std::string text;
  if (const auto& gap = reader.gap()) text = fmt::format("{{\"gap\":{}}}\n", gap_json(*gap));
  for (const StoredEvent& event : reader.events()) text.append(event.json).push_back('\n');
  return text;
}

std::string position_line(const EventReader& reader) {
  return fmt::format("{{\"after\":{},\"last\":{}}}\n", reader.after(), reader.log().published());
}

Result<EventPage> read_stream(EventReader& reader) {
  PARAPRINT_TRY(reader.read(kEventsPerSliceMaximum));
  return EventPage{stream_text(reader), reader.events().size()};
}

Result<EventPage> read_page(EventReader& reader, std::size_t limit) {
  EventPage page;
  // A read that finds nothing has looked at enough.
  for (bool is_found = true; is_found && page.events < limit && page.text.size() < kPageBytes && reader.has_more();) {
    PARAPRINT_TRY(reader.read(limit - page.events));
    page.text += lines_text(reader);
    page.events += reader.events().size();
    is_found = reader.gap() || !reader.events().empty();
  }
  return page;
}

}  // namespace paraprint::inline event_feed
