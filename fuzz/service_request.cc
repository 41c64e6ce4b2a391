// Fuzzes the service with any request: it is answered or rejected, never with an internal error, and
// always in JSON that a browser would not take for HTML. The first line is method and target, the
// second the content type, the rest the body. The mutator also sends a request to each row of the
// table of calls, so that a new call needs no seed.
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "scratch_service.h"
#include "serve/bulk_conversation.h"
#include "serve/page_service.h"

namespace {

using namespace paraprint;

// "@settings@" is replaced by the settings of the index, which inputs cannot know.
std::string with_settings(std::string_view body, const std::string& settings) {
  constexpr std::string_view kMark = "@settings@";
  std::string replaced(body);
  if (const std::size_t at = replaced.find(kMark); at != std::string::npos) {
    replaced.replace(at, kMark.size(), settings);
  }
  return replaced;
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

void check_json(std::string_view json) {
  static simdjson::dom::parser parser;
  if (parser.parse(json.data(), json.size()).error() != simdjson::SUCCESS) std::abort();
  if (json.find_first_of("<>&") != std::string_view::npos) std::abort();
}

// Every line gets an answer, wherever the input is split.
void converse(PageService& service, Call call, std::string_view body) {
  BulkConversation conversation(service, call, {});
  std::string answers;
  for (const bool is_end : {false, true}) {
    conversation.give(is_end ? body.substr(body.size() / 2) : body.substr(0, body.size() / 2), is_end);
    while (conversation.has_lines()) answers += conversation.answer_slice(run_parts).value();
  }
  std::uint64_t lines = 0;
  for (std::string_view rest = answers; !rest.empty(); ++lines) check_json(take_line(rest));
  if (lines != conversation.lines_answered()) std::abort();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  constexpr unsigned kUsualPerOtherCall = 16;
  if (seed % kUsualPerOtherCall != 0) return LLVMFuzzerMutate(data, size, max_size);
  const Route& route = kRoutes[seed / kUsualPerOtherCall % std::size(kRoutes)];
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  take_line(rest);
  std::string request = std::string(route.method) + " " + std::string(route.path) + "\n" + std::string(rest);
  request.resize(std::min(request.size(), max_size));
  std::copy(request.begin(), request.end(), data);
  return request.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ScratchService scratch;
  PageService& service = *scratch;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::string_view target = take_line(rest);
  RequestHead head;
  head.method = target.substr(0, target.find(' '));
  target.remove_prefix(std::min(target.size(), head.method.size() + 1));
  head.target = target;
  head.content_type = take_line(rest);
  head.has_body = !rest.empty();
  const std::string body = with_settings(rest, service.index().identity());
  std::string allow;
  const Answer<RoutedTarget> routed = service.admit(head, allow);
  if (!routed) {
    check_json(response_of(routed.error()).body);
    return 0;
  }
  if (routed->route->body == BodyKind::kStream) {
    converse(service, call_of(*routed->route), body);
    return 0;
  }
  const HttpResponse response = service.answer(*routed, head, body);
  if (response.status == 500) std::abort();
  const bool is_ours = call_of(*routed->route) == Call::kMetrics || call_of(*routed->route) == Call::kDescription;
  if (!is_ours) check_json(response.body);
  return 0;
}
