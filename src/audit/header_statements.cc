#include "audit/header_statements.h"

#include <algorithm>
#include <optional>

#include "http/content_coding.h"
#include "http/header_block.h"

namespace paraprint::inline audit {
namespace {

// Further bytes of a header are not looked at.
constexpr std::size_t kHeaderBytesMaximum = std::size_t{256} << 10;

// The first target whose relation is "canonical" (RFC 8288). Targets contain no '>'.
std::string_view canonical_link(std::string_view value) {
  while (!value.empty()) {
    const std::size_t begin = value.find('<');
    const std::size_t end = value.find('>', begin);
    if (end == std::string_view::npos) return {};
    const std::string_view target = value.substr(begin + 1, end - begin - 1);
    const std::size_t next = std::min(value.find('<', end), value.size());
    const std::string parameters = to_lower(value.substr(end + 1, next - end - 1));
    const std::size_t relation = parameters.find("rel=");
    if (relation != std::string::npos && parameters.find("canonical", relation) != std::string::npos) return target;
    value.remove_prefix(next);
  }
  return {};
}

}  // namespace

HeaderStatements read_header_statements(std::string_view message) {
  HeaderStatements header;
  const std::string_view beginning = message.substr(0, kHeaderBytesMaximum);
  const std::size_t size = header_block_bytes(beginning);
  const HeaderBlock block = parse_header_block(size == std::string_view::npos ? beginning : beginning.substr(0, size));
  header.status = parse_status_line(block.first_line).value_or(0);
  if (const std::string* location = block.find("Location")) header.location = *location;
  for (const auto& [name, value] : block.fields) {
    if (equals_ignoring_case(name, "X-Robots-Tag")) header.robots.push_back(value);
    if (equals_ignoring_case(name, "Link") && header.canonical.empty()) header.canonical = canonical_link(value);
  }
  return header;
}

std::string body_of_response(std::string_view message, bool is_http) {
  if (!is_http) return std::string(message);
  const std::size_t size = header_block_bytes(message.substr(0, kHeaderBytesMaximum));
  if (size == std::string_view::npos) return {};
  const HeaderBlock block = parse_header_block(message.substr(0, size));
  const std::string_view body = message.substr(size);
  const std::string* const transfer = block.find("Transfer-Encoding");
  if (transfer == nullptr || to_lower(*transfer).find("chunked") == std::string::npos) return std::string(body);
  Decoded decoded = decode_chunked(body);
  return decoded.bytes.empty() ? std::string(body) : std::move(decoded.bytes);
}

}  // namespace paraprint::inline audit
