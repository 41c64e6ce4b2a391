// HTTP: the heads and bodies of requests to the service and to the explorer, and the heads of responses to the crawler.
#include <string>

#include "crawl/fetcher.h"
#include "input_kinds.h"
#include "serve/page_request.h"
#include "serve/request_head.h"
#include "serve/target.h"
#include "view/call_input.h"

namespace paraprint {
namespace {

using namespace std::string_view_literals;

// The head arrives byte by byte.
void read_head(std::string_view bytes) {
  RequestHeadScanner scanner(bytes.size());
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    const Answer<bool> complete = scanner.scan(bytes.substr(0, size));
    if (!complete || *complete) break;
  }
}

HostileKind request_head() {
  constexpr std::string_view kHead = "GET / HTTP/1.1\r\nHost: a\r\n";
  return {"request_head",
          '\n',
          items_of_text(kHead, "X-Field-{n}: {text}\r\n", "\r\n", '-', 60),
          read_head,
          {
              {"fields", repeated(kHead, "a:\r\n", "\r\n")},
              {"one_value", repeated("GET / HTTP/1.1\r\nHost: ", "a", "\r\n\r\n")},
              {"one_name", repeated(kHead, "a", ":\r\n\r\n")},
              {"target", repeated("GET /", "a", " HTTP/1.1\r\n\r\n")},
              {"method", repeated("", "A", " / HTTP/1.1\r\n\r\n")},
              {"version", repeated("GET / ", "1", "\r\n\r\n")},
              {"spaces", repeated("GET / HTTP/1.1\r\nHost:", " ", "\r\n\r\n")},
          }};
}

void read_target(std::string_view bytes) {
  if (const Answer<Target> target = parse_target(bytes)) (void)read_options(target->parameters);
}

HostileKind request_target() {
  return {"request_target",
          '&',
          items_of_text("/v1/pages?", "matches{n}={text}&", "", '-', 60),
          read_target,
          {
              {"segments", repeated("", "/")},
              {"parameters", repeated("/?", "{n}&")},
              {"parameters_repeated", repeated("/?", "all&")},
              {"ampersands", repeated("/?", "&")},
              {"one_value", repeated("/?all=", "a")},
              {"escapes", repeated("/?all=", "%41")},
              {"pluses", repeated("/?all=", "+")},
              {"invalid_escapes", repeated("/?all=", "%")},
              {"escaped_separators", repeated("/?all=", "%26")},
          }};
}

void read_explorer_target(std::string_view bytes) {
  const Answer<Target> target = parse_target(bytes);
  if (target) (void)explorer::CallParameters(target->parameters, {"id", "url"}).refused();
}

HostileKind explorer_target() {
  return {"explorer_target",
          '&',
          items_of_text("/api/pages?", "id{n}={text}&", "", '-', 60),
          read_explorer_target,
          {
              {"parameters", repeated("/?", "{n}&")},
              {"parameters_repeated", repeated("/?", "url&")},
          }};
}

void read_request(std::string_view bytes) {
  static RequestDecoder decoder("settings");
  (void)decoder.decode_page("application/json", bytes, {});
  (void)decoder.decode_line(bytes, {});
  (void)decoder.decode_comparison(bytes);
}

HostileKind request_body() {
  return {"request_body",
          ',',
          items_of_text("{\"id\":\"a\",\"html\":\"<p>a\"", ",\"field{n}\":\"{text}\"", "}", ' ', 400),
          read_request,
          {
              {"members", repeated("{\"a\":0", ",\"a{n}\":0", "}")},
              {"members_without_names", repeated("{\"\":0", ",\"\":0", "}")},
              {"members_repeated", repeated("{\"html\":\"a\"", ",\"html\":0", "}")},
              {"names_of_one_beginning", repeated("{\"html\":\"a\"", ",\"content_typ{n}\":0", "}")},
              {"names_of_one_length", repeated("{\"html\":\"a\"", ",\"id\\u0000\":0", "}")},
              {"sides", repeated("{\"a\":{\"html\":\"b\"", ",\"c{n}\":0", "},\"b\":{\"html\":\"b\"}}")},
              {"depth_of_arrays", repeated("{\"a\":", "[")},
              {"depth_of_objects", repeated("", "{\"a\":")},
              {"one_string", repeated("{\"html\":\"", "a", "\"}")},
              {"escapes", repeated("{\"html\":\"", "\\u00e4", "\"}")},
              {"base64", repeated("{\"body_base64\":\"", "YWJj", "\"}")},
              {"base64_of_spaces", repeated("{\"body_base64\":\"", " ", "\"}")},
              {"profile", repeated("{\"settings\":\"settings\",\"profile\":\"", "BQUF", "\"}")},
              {"long_number", repeated("{\"html\":\"a\",\"matches\":1", "0", "}")},
              {"long_fraction", repeated("{\"html\":\"a\",\"matches\":0.", "1", "}")},
              {"date", repeated("{\"html\":\"a\",\"date\":\"", "1", "\"}")},
              {"spaces", repeated("{", " ", "}")},
          }};
}

void read_response_head(std::string_view bytes) {
  FetchResult result;
  result.response_header = bytes;
  result.http_status = 301;
  (void)result.content_type();
  (void)result.validator("ETag");
  (void)result.header("Location");
  (void)result.is_redirect();
}

HostileKind response_head() {
  return {"response_head",
          '\n',
          items_of_text("HTTP/1.1 301 Moved\r\n", "X-Field-{n}: {text}\r\n", "\r\n", '-', 60),
          read_response_head,
          {
              {"fields", repeated("HTTP/1.1 301 Moved\r\n", "a:b\r\n", "\r\n")},
              {"fields_repeated", repeated("HTTP/1.1 301 Moved\r\n", "Location:b\r\n", "\r\n")},
              {"one_field", repeated("HTTP/1.1 301 Moved\r\nLocation: ", "a", "\r\n\r\n")},
              {"one_name", repeated("HTTP/1.1 301 Moved\r\n", "a", ": b\r\n\r\n")},
              {"spaces", repeated("HTTP/1.1 301 Moved\r\nLocation:", " ", "a\r\n\r\n")},
              {"folds", repeated("HTTP/1.1 301 Moved\r\nETag: a\r\n", " b\r\n", "\r\n")},
              {"folds_of_space", repeated("HTTP/1.1 301 Moved\r\nETag: a\r\n", " \r\n", "\r\n")},
              {"lines_without_names", repeated("HTTP/1.1 301 Moved\r\n", "a\r\n", "\r\n")},
              {"carriage_returns", repeated("HTTP/1.1 301 Moved", "\r", "\n\r\n")},
              {"colons", repeated("HTTP/1.1 301 Moved\r\n", ":\r\n", "\r\n")},
              {"line_feeds", repeated("HTTP/1.1 301 Moved\n", "a:\n", "\n")},
          }};
}

}  // namespace

void add_http_inputs(std::vector<HostileKind>& kinds) {
  kinds.push_back(request_head());
  kinds.push_back(request_target());
  kinds.push_back(explorer_target());
  kinds.push_back(request_body());
  kinds.push_back(response_head());
}

}  // namespace paraprint
