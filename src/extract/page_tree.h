// A page reduced to the input of main-content extraction: its text cut into units, and the elements that contain them.
// One walk over the DOM fills both. The units below an element are consecutive, so every later question about a
// container ("how much of its text is link text?") is a difference of two prefix sums over the units.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "extract/name_patterns.h"
#include "extract/page_hints.h"
#include "extract/text_statistics.h"
#include "extract/title_search.h"
#include "html/document.h"

namespace paraprint::inline extract {

inline constexpr std::uint8_t kFarDistance = 15;     // this far or no such ancestor
using NameDistances = std::array<std::uint8_t, 48>;  // kNameGroupCount entries, padded for vector loops
static_assert(kNameGroupCount <= std::tuple_size_v<NameDistances>);

// A block-level element. Elements are in document order, so a parent precedes its children.
struct PageElement {
  const HtmlNode* node = nullptr;
  std::uint32_t parent = 0;      // index; the root is its own parent
  std::uint32_t container = 0;   // nearest ancestor with more units; the root is its own
  std::uint32_t unit_begin = 0;  // units below the element: [unit_begin, unit_end)
  std::uint32_t unit_end = 0;
  std::uint32_t signature = 0;   // from tag and first class name: equal for repeated structures
  std::uint32_t last_child = 0;  // 0: none
  std::uint32_t run_first = 0;   // first element of its run of adjacent siblings with equal signatures
  std::uint32_t run_length = 1;  // at run_first: length of the run
  std::uint16_t tag = 0;
  std::uint16_t depth = 0;
  std::uint16_t children = 0;
  std::int32_t chain_lexical = 0;  // learned weight of its class and id and those of all block-level ancestors
  NameDistances distances{};       // levels up to the nearest ancestor of each name group; 0: the element itself
};

// A stretch of text without a block border or line break inside.
struct TextUnit {
  std::uint32_t element = 0;     // its nearest block-level ancestor
  std::uint32_t text_begin = 0;  // text nodes: PageTree::texts [text_begin, text_end)
  std::uint32_t text_end = 0;
  std::uint32_t link_tokens = 0;
  std::uint32_t links = 0;
  std::uint32_t strong_tokens = 0;       // in b, strong, font, big
  const HtmlNode* line_break = nullptr;  // the <br> before the unit
  std::uint8_t line_breaks = 0;          // number of <br> since the previous unit, at most 2; 0 after a block border
  std::uint8_t heading_level = 0;        // 1 to 6 within h1 to h6
  std::uint8_t title_share = 0;          // share of the page title that the unit repeats, in 1/255
  NameMask inline_names = 0;             // names of inline elements that enclose all of its text
  TextStatistics text;
};

// A text node's parent and text, copied so that later passes need not read the node again: that would be a cache miss.
struct PageText {
  const HtmlNode* parent = nullptr;
  std::string_view text;
};

struct PageTree {
  std::vector<PageElement> elements;
  std::vector<TextUnit> units;
  std::vector<PageText> texts;
  PageHints hints = 0;
  void clear();
};

// Reads pages into a PageTree. Keeps its memory and name cache between pages; not thread-safe.
class PageTreeReader {
 public:
  // Replaces `tree`, which refers to nodes and text of `document`; it is empty if `stop` is stopped in between. Cost:
  // O(nodes + bytes of text).
  void read(const HtmlDocument& document, PageTree& tree, StopCheck& stop);
  void read(const HtmlDocument& document, PageTree& tree) {
    StopCheck never;
    read(document, tree, never);
  }
  // Whether elements of this tag become a PageElement: block-level elements that are not skipped.
  static bool makes_element(HtmlTag tag);

 private:
  class Visitor;
  NameMatcher names_;
  std::vector<NameMask> inline_names_;
  TitleSearch title_;
};

}  // namespace paraprint::inline extract
