// What a request for events asks for: GET /v1/events.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "feed/event_filter.h"
#include "paraprint/result.h"

namespace paraprint::inline event_feed {

enum class EventForm : std::uint8_t {
  kStream,  // server-sent events, until the client leaves
  kPage,    // JSON lines: what there is, or after a wait what has come
};

struct EventRequest {
  EventForm form = EventForm::kStream;
  std::optional<std::uint64_t> after;  // the last number that the client has; empty: from now on
  std::uint32_t wait_seconds = 0;      // of a page: how long to wait for the first event
  std::uint32_t limit = 1000;          // of a page: events
  EventFilter filter;
};

struct EventParameter {
  std::string_view name;
  std::string_view value;
};

// Parameters: "after", "wait", "limit", "verdict", "host", "min_score", each at most once. `last_event_id` and `accept`
// are the header fields, empty if missing; the first replaces "after". kInvalidArgument with a message for the client.
Result<EventRequest> parse_event_request(std::span<const EventParameter> parameters, std::string_view last_event_id,
                                         std::string_view accept);

}  // namespace paraprint::inline event_feed
