// Which elements extracted text came from.
#pragma once

#include <cstdint>
#include <string_view>

#include "html/node.h"

namespace paraprint::inline html {

// Between the cells of a table row in extracted text.
inline constexpr std::string_view kCellSeparator = " | ";

// A stretch of MainContent::text from the text nodes of one element, in document order. It begins where the run before
// it ends, so that separators and line ends belong to the run after them.
struct ContentRun {
  std::uint32_t end_bytes = 0;
  const HtmlNode* element = nullptr;
};

}  // namespace paraprint::inline html
