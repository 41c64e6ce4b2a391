// Everything here comes from the network; what is not understood is refused with its name.
#include "feed/event_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/propagate.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::uint32_t kWaitSecondsMaximum = 60;
constexpr std::uint32_t kEventsPerPageMaximum = 10'000;
// No log gets there, and one more is still a number.
constexpr std::uint64_t kNumberMaximum = std::uint64_t{1} << 62;

template <class Number>
Result<Number> number_in(std::string_view name, std::string_view text, Number minimum, Number maximum) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && number >= minimum && number <= maximum) return number;
  return failure(ErrorCode::kInvalidArgument, fmt::format("{} must be a number from {} to {}", name, minimum, maximum));
}

// A client that takes anything, or does not say, gets the stream. One that wants another type must not wait for the end
// of a stream.
bool accepts_stream(std::string_view accept) {
  if (accept.empty()) return true;
  return std::ranges::any_of(std::initializer_list<std::string_view>{"text/event-stream", "*/*", "text/*"},
                             [&](std::string_view type) { return accept.find(type) != std::string_view::npos; });
}

Status read_event_parameter(const EventParameter& parameter, EventRequest& request) {
  const auto& [name, value] = parameter;
  if (name == "after") {
    PARAPRINT_ASSIGN(request.after, number_in<std::uint64_t>(name, value, 0, kNumberMaximum));
  } else if (name == "wait") {
    PARAPRINT_ASSIGN(request.wait_seconds, number_in<std::uint32_t>(name, value, 0, kWaitSecondsMaximum));
    request.form = EventForm::kPage;
  } else if (name == "limit") {
    PARAPRINT_ASSIGN(request.limit, number_in<std::uint32_t>(name, value, 1, kEventsPerPageMaximum));
  } else if (name == "verdict") {
    PARAPRINT_ASSIGN(request.filter.verdicts, parse_event_verdicts(name, value));
  } else if (name == "host") {
    PARAPRINT_ASSIGN(request.filter.hosts, parse_event_hosts(name, value));
  } else if (name == "min_score") {
    PARAPRINT_ASSIGN(request.filter.min_score, number_in<double>(name, value, 0, 1));
  } else {
    return failure(ErrorCode::kInvalidArgument, fmt::format("unknown parameter {}", name));
  }
  return {};
}

}  // namespace

Result<EventRequest> parse_event_request(std::span<const EventParameter> parameters, std::string_view last_event_id,
                                         std::string_view accept) {
  EventRequest request;
  if (!accepts_stream(accept)) request.form = EventForm::kPage;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      if (parameters[earlier].name != parameters[i].name) continue;
      return failure(ErrorCode::kInvalidArgument, fmt::format("duplicate parameter {}", parameters[i].name));
    }
    PARAPRINT_TRY(read_event_parameter(parameters[i], request));
  }
  // A browser that reconnects keeps the address with its first "after".
  if (!last_event_id.empty()) {
    PARAPRINT_ASSIGN(request.after, number_in<std::uint64_t>("Last-Event-ID", last_event_id, 0, kNumberMaximum));
  }
  return request;
}

}  // namespace paraprint::inline event_feed
