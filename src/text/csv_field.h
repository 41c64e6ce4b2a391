// A field of a CSV file (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline text {

// Fields with separators, quotes or line ends are quoted, and quotes doubled.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace paraprint::inline text
