// Requests and answers as plain values: what the transport reads and writes, and everything else works on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace paraprint {

// A request without its body. The fields of the header that nobody reads are not here.
struct RequestHead {
  std::string method;
  std::string target;  // as it came: path and query, percent-encoded
  std::string client;  // address without the port
  std::string authorization;
  std::string content_type;
  std::string content_encoding;
  std::string host;
  std::string origin;
  std::optional<std::uint64_t> content_length;  // nothing: chunked, or no body
  bool has_body = false;
};

struct HttpResponse {
  unsigned status = 200;
  std::string_view content_type = "application/json";
  std::string body;
  std::string allow;                // methods, with 405
  std::string_view authenticate;    // with 401
  std::uint32_t retry_seconds = 0;  // with 429 and 503; 0: not said
  std::string_view reason;          // of a refusal, for the log and the counters
  std::string_view verdict;         // of a page, likewise
};

}  // namespace paraprint
