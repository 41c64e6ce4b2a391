// A page reduced to what main-content extraction looks at: its text cut into units, and the elements that hold them.
// One walk over the DOM fills both; every later question about a container ("how much of its text is link text?") is a
// difference of two prefix sums over the units, since the units below an element are consecutive.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "extract/name_patterns.h"
#include "extract/page_hints.h"
#include "extract/text_statistics.h"
#include "html/document.h"

namespace paraprint {

inline constexpr std::uint8_t kFarDistance = 15;     // also "no such ancestor"
using NameDistances = std::array<std::uint8_t, 48>;  // kNameGroupCount entries, padded for vector loops
static_assert(kNameGroupCount <= std::tuple_size_v<NameDistances>);

// A block-level element. Elements stand in document order, so a parent comes before its children.
struct PageElement {
  const HtmlNode* node = nullptr;
  std::uint32_t parent = 0;      // index; the root is its own parent
  std::uint32_t container = 0;   // nearest ancestor that holds more units; the root is its own
  std::uint32_t unit_begin = 0;  // units below the element: [unit_begin, unit_end)
  std::uint32_t unit_end = 0;
  std::uint32_t signature = 0;   // of tag and first word of the class: equal for repeated structures
  std::uint32_t last_child = 0;  // 0: none
  std::uint32_t run_first = 0;   // first of the run of like siblings it belongs to
  std::uint32_t run_length = 1;  // at run_first: like siblings in a row
  std::uint16_t tag = 0;
  std::uint16_t depth = 0;
  std::uint16_t children = 0;
  std::int32_t chain_lexical = 0;  // of the class and id of it and of all block-level elements around it
  NameDistances distances{};       // levels up to the nearest ancestor (or itself: 0) of each name group
};

// A stretch of text without a block border or line break in it.
struct TextUnit {
  std::uint32_t element = 0;     // its nearest block-level ancestor
  std::uint32_t text_begin = 0;  // text nodes: PageTree::texts [text_begin, text_end)
  std::uint32_t text_end = 0;
  std::uint32_t link_tokens = 0;
  std::uint32_t links = 0;
  std::uint32_t strong_tokens = 0;       // in b, strong, font, big
  const HtmlNode* line_break = nullptr;  // the <br> before it
  std::uint8_t line_breaks = 0;    // how many <br> alone stand between it and the unit before; 0 after a block border
  std::uint8_t heading_level = 0;  // 1 to 6 within h1 to h6
  std::uint8_t title_share = 0;    // share of the page title that it spells, 255 = all
  NameMask inline_names = 0;       // names of inline elements around all of its text
  TextStatistics text;
};

// A text node without the node: reading it again would wait for memory.
struct PageText {
  const HtmlNode* parent = nullptr;
  std::string_view text;
};

struct PageTree {
  std::vector<PageElement> elements;
  std::vector<TextUnit> units;
  std::vector<PageText> texts;
  PageHints hints = 0;
  std::string title_letters;  // letters and digits of <title>, ASCII lower case
  static constexpr std::size_t kTitlePairs = 4096;
  std::bitset<kTitlePairs> title_pairs;  // title_pair of each two neighbouring bytes of title_letters

  static std::size_t title_pair(unsigned char first, unsigned char second) {
    return (first * std::size_t{0x9E5} + second) % kTitlePairs;
  }
  void clear();
};

// Reads pages into a PageTree. Keeps its memory and name cache from page to page; not thread-safe.
class PageTreeReader {
 public:
  // Cost: O(nodes + bytes of text). Nodes of `document` are referred to, not copied.
  void read(const HtmlDocument& document, PageTree& tree);
  // Whether elements of this tag become a PageElement (block-level, and not skipped).
  static bool makes_element(HtmlTag tag);

 private:
  class Visitor;
  NameMatcher names_;
  std::vector<NameMask> inline_names_;
};

}  // namespace paraprint
