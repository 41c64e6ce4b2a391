// "Name: value" header blocks as WARC and HTTP have them: CR LF or bare LF line ends, folded lines, any case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paraprint {

struct HeaderBlock {
  std::string first_line;                                   // version or status line
  std::vector<std::pair<std::string, std::string>> fields;  // in order; names as written, values trimmed and unfolded
  std::size_t unreadable_lines = 0;                         // without a colon; left out

  // Value of the first field of that name (any case); nullptr if there is none.
  const std::string* find(std::string_view name) const;
};

// The length of the block at the front of `bytes` with the blank line that ends it; npos if no blank line is there.
std::size_t header_block_bytes(std::string_view bytes);

// `block` may end with or without its blank line. With `has_first_line` the first line is kept apart.
HeaderBlock parse_header_block(std::string_view block, bool has_first_line = true);

// Helpers that header values need everywhere. ASCII only, as the standards say.
std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);
std::optional<std::uint64_t> parse_number(std::string_view digits);  // nothing but digits, no overflow

// "text/html; charset=x" -> "text/html", in lower case.
std::string media_type(std::string_view content_type);

}  // namespace paraprint
