// Requests and responses as plain values: the transport reads and writes them, all other code works on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace paraprint::inline service {

// A request without its body, reduced to the header fields that are used.
struct RequestHead {
  std::string method;
  std::string target;  // as received: path and query, percent-encoded
  std::string client;  // address without the port
  std::string authorization;
  std::string content_type;
  std::string content_encoding;
  std::string host;
  std::string origin;
  // What browsers say of who makes a request (Sec-Fetch-Site, -Mode and -Dest), and of one made ahead (Sec-Purpose).
  std::string fetch_site;
  std::string fetch_mode;
  std::string fetch_destination;
  std::string fetch_purpose;
  std::string accept;
  std::string last_event_id;
  std::optional<std::uint64_t> content_length;  // empty: chunked, or no body
  bool has_body = false;
};

inline constexpr std::string_view kJsonLinesType = "application/x-ndjson";

struct HttpResponse {
  unsigned status = 200;
  std::string_view content_type = "application/json";
  std::string body;
  std::string_view security_policy;  // Content-Security-Policy, of documents
  std::string allow;                 // Allow, only with 405
  std::string_view authenticate;     // WWW-Authenticate, only with 401
  std::uint32_t retry_seconds = 0;   // Retry-After, with 429 and 503; 0: no header
  std::string_view reason;           // of a refusal, for log and counters
  std::string_view verdict;          // of a page, for log and counters
};

}  // namespace paraprint::inline service
