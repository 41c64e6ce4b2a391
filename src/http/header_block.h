// Parses "Name: value" header blocks of WARC and HTTP: CR LF or bare LF line ends, folded lines, names in any case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paraprint::inline http {

// Of a header, where no option says how much of it is read: lines without end would become fields of many times their
// size. As ReadOptions::max_http_header_bytes by default.
inline constexpr std::size_t kParsedHeaderBytesMaximum = std::size_t{256} << 10;

struct HeaderBlock {
  std::string first_line;                                   // version or status line
  std::vector<std::pair<std::string, std::string>> fields;  // in order; names unchanged, values trimmed and unfolded
  std::size_t unreadable_lines = 0;                         // lines without a name and colon; dropped

  // Value of the first field called `name`, ignoring case; nullptr if there is none.
  const std::string* find(std::string_view name) const;
};

// The length of the block at the front of `bytes`, including the blank line that ends it; npos if there is none.
std::size_t header_block_bytes(std::string_view bytes);

// `block` may end with or without its blank line. With `has_first_line`, the first line is stored separately.
HeaderBlock parse_header_block(std::string_view block, bool has_first_line = true);

// The status of "HTTP/1.1 200 OK" or "HTTP/2 200", from 100 to 999; nothing for any other line.
std::optional<int> parse_status_line(std::string_view line);

// Helpers for header values. They treat only ASCII as letters and white space, as the standards require.
std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);
std::optional<std::uint64_t> parse_number(std::string_view digits);  // only digits, no overflow

// "text/html; charset=x" -> "text/html", in lower case.
std::string media_type(std::string_view content_type);

}  // namespace paraprint::inline http
