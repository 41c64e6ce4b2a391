// Fuzzes what an audit reads of responses: their headers and the bodies of sitemaps. What it finds must come from the
// message.
#include "audit/header_statements.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace paraprint;
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  const HeaderStatements header = read_header_statements(message);
  if (header.status < 0 || header.status > 999) std::abort();
  if (header.canonical.size() > size || header.location.size() > size) std::abort();
  if (header.canonical.find('>') != std::string::npos) std::abort();
  for (const std::string& value : header.robots) {
    if (value.size() > size) std::abort();
  }
  for (const bool is_http : {false, true}) {
    if (body_of_response(message, is_http).size() > size) std::abort();
  }
  return 0;
}
