// Writes HTTP/1.1 response headers and chunks by hand: they have few fields, and their values are our own constants and
// numbers, so nothing needs escaping.
#include <fmt/format.h>

#include <iterator>

#include "serve/http_session.h"

namespace paraprint::inline service {
namespace {

struct StatusRow {
  unsigned status;
  std::string_view words;
};
constexpr StatusRow kStatuses[] = {
    {200, "OK"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {507, "Insufficient Storage"},
};

// Reason phrases. Clients ignore them, but people read them in traces.
std::string_view words_of(unsigned status) {
  for (const StatusRow& row : kStatuses) {
    if (row.status == status) return row.words;
  }
  return "Unknown";
}

}  // namespace

std::string response_header(const HttpResponse& response, std::optional<std::size_t> size_bytes, bool is_last,
                            std::string_view date) {
  std::string header;
  const auto out = std::back_inserter(header);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\nDate: {}\r\nContent-Type: {}\r\n", response.status, words_of(response.status),
                 date, response.content_type);
  // nosniff: responses contain text of untrusted pages. no-store: answers depend on the current state of the index.
  header += "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n";
  if (size_bytes) {
    fmt::format_to(out, "Content-Length: {}\r\n", *size_bytes);
  } else {
    header += "Transfer-Encoding: chunked\r\n";
  }
  if (!response.security_policy.empty()) {
    fmt::format_to(out, "Content-Security-Policy: {}\r\nReferrer-Policy: no-referrer\r\n", response.security_policy);
  }
  if (!response.allow.empty()) fmt::format_to(out, "Allow: {}\r\n", response.allow);
  if (!response.authenticate.empty()) fmt::format_to(out, "WWW-Authenticate: {}\r\n", response.authenticate);
  if (response.retry_seconds > 0) fmt::format_to(out, "Retry-After: {}\r\n", response.retry_seconds);
  if (is_last) header += "Connection: close\r\n";
  header += "\r\n";
  return header;
}

std::string chunk_begin(std::size_t size_bytes) {
  return fmt::format("{:x}\r\n", size_bytes);
}

}  // namespace paraprint::inline service
