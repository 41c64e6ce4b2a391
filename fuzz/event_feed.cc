// Fuzzes the feed: a file of its log with any bytes is read to an end and cut where it says, and a request with any
// parameters is understood or refused. The first line is the query, with "&" between parameters; then Last-Event-ID,
// Accept, and the file.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "feed/event_filter.h"
#include "feed/event_request.h"
#include "feed/event_segment.h"

namespace {

using namespace paraprint;

std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return taken;
}

EventFilter filter_of(std::string_view query, std::string_view last_event_id, std::string_view accept) {
  std::vector<EventParameter> parameters;
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    const std::string_view name = take_until(value, '=');
    parameters.push_back({name, value});
  }
  Result<EventRequest> request = parse_event_request(parameters, last_event_id, accept);
  if (!request) {
    if (request.error().code != ErrorCode::kInvalidArgument) std::abort();
    return {};
  }
  if (request->wait_seconds > 60 || request->limit < 1 || request->filter.min_score > 1) std::abort();
  return request->filter;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view query = take_until(rest, '\n');
  const std::string_view last_event_id = take_until(rest, '\n');
  const std::string_view accept = take_until(rest, '\n');
  EventMatcher matcher(filter_of(query, last_event_id, accept));

  const Result<SegmentHeader> header = read_segment_header(rest);
  const SegmentScan scan = scan_segment(rest, header.value_or(SegmentHeader{1, 0}));
  if (scan.valid_bytes > rest.size()) std::abort();
  // What is valid is read again event by event, and written again it has the same bytes.
  if (rest.size() < kSegmentHeaderBytes) return 0;
  std::string_view valid = rest.substr(0, scan.valid_bytes);
  valid.remove_prefix(kSegmentHeaderBytes);
  std::string again;
  StoredEvent event;
  while (!valid.empty()) {
    if (take_frame(valid, event) != FrameState::kWhole) std::abort();
    append_frame(again, event);
    static_cast<void>(matcher.wants(event.json));
  }
  if (again != rest.substr(kSegmentHeaderBytes, scan.valid_bytes - kSegmentHeaderBytes)) std::abort();
  return 0;
}
