// The properties of elements that affect text, following the style sheet of the HTML standard. Shared by the block
// builder and all extractors.
#pragma once

#include <lexbor/tag/const.h>

#include <array>
#include <cstdint>

#include "html/node.h"

namespace paraprint::inline html {

enum TagTrait : std::uint16_t {
  kTagBlock = 1U << 0,      // a block: its text is separate from the text before and after it
  kTagHeading = 1U << 1,    // h1 to h6
  kTagList = 1U << 2,       // ul, ol, menu, dir, dl: one list level deeper
  kTagListItem = 1U << 3,   // li, dt, dd
  kTagQuote = 1U << 4,      // blockquote
  kTagPreserve = 1U << 5,   // pre, listing, xmp, plaintext: white space is preserved
  kTagTableRow = 1U << 6,   // tr
  kTagTableCell = 1U << 7,  // td, th
  kTagLineBreak = 1U << 8,  // br
  kTagNeverText = 1U << 9,  // its content is not text for a reader, or not rendered as text
};

namespace internal {

constexpr std::array<std::uint16_t, LXB_TAG__LAST_ENTRY> make_tag_traits() {
  std::array<std::uint16_t, LXB_TAG__LAST_ENTRY> traits{};
  for (const HtmlTag tag :
       {LXB_TAG_ADDRESS,   LXB_TAG_ARTICLE,  LXB_TAG_ASIDE,    LXB_TAG_BLOCKQUOTE, LXB_TAG_BODY,       LXB_TAG_CAPTION,
        LXB_TAG_CENTER,    LXB_TAG_COLGROUP, LXB_TAG_DD,       LXB_TAG_DETAILS,    LXB_TAG_DIALOG,     LXB_TAG_DIR,
        LXB_TAG_DIV,       LXB_TAG_DL,       LXB_TAG_DT,       LXB_TAG_FIELDSET,   LXB_TAG_FIGCAPTION, LXB_TAG_FIGURE,
        LXB_TAG_FOOTER,    LXB_TAG_FORM,     LXB_TAG_FRAMESET, LXB_TAG_H1,         LXB_TAG_H2,         LXB_TAG_H3,
        LXB_TAG_H4,        LXB_TAG_H5,       LXB_TAG_H6,       LXB_TAG_HEADER,     LXB_TAG_HGROUP,     LXB_TAG_HR,
        LXB_TAG_HTML,      LXB_TAG_LEGEND,   LXB_TAG_LI,       LXB_TAG_LISTING,    LXB_TAG_MAIN,       LXB_TAG_MARQUEE,
        LXB_TAG_MENU,      LXB_TAG_NAV,      LXB_TAG_OL,       LXB_TAG_OPTGROUP,   LXB_TAG_OPTION,     LXB_TAG_P,
        LXB_TAG_PLAINTEXT, LXB_TAG_PRE,      LXB_TAG_SEARCH,   LXB_TAG_SECTION,    LXB_TAG_SUMMARY,    LXB_TAG_TABLE,
        LXB_TAG_TBODY,     LXB_TAG_TD,       LXB_TAG_TFOOT,    LXB_TAG_TH,         LXB_TAG_THEAD,      LXB_TAG_TR,
        LXB_TAG_UL,        LXB_TAG_XMP}) {
    traits[tag] |= kTagBlock;
  }
  for (const HtmlTag tag : {LXB_TAG_H1, LXB_TAG_H2, LXB_TAG_H3, LXB_TAG_H4, LXB_TAG_H5, LXB_TAG_H6}) {
    traits[tag] |= kTagHeading;
  }
  for (const HtmlTag tag : {LXB_TAG_UL, LXB_TAG_OL, LXB_TAG_MENU, LXB_TAG_DIR, LXB_TAG_DL}) traits[tag] |= kTagList;
  for (const HtmlTag tag : {LXB_TAG_LI, LXB_TAG_DT, LXB_TAG_DD}) traits[tag] |= kTagListItem;
  for (const HtmlTag tag : {LXB_TAG_PRE, LXB_TAG_LISTING, LXB_TAG_XMP, LXB_TAG_PLAINTEXT}) traits[tag] |= kTagPreserve;
  for (const HtmlTag tag : {LXB_TAG_TD, LXB_TAG_TH}) traits[tag] |= kTagTableCell;
  traits[LXB_TAG_BLOCKQUOTE] |= kTagQuote;
  traits[LXB_TAG_TR] |= kTagTableRow;
  traits[LXB_TAG_BR] |= kTagLineBreak;
  for (const HtmlTag tag :
       {LXB_TAG_AUDIO, LXB_TAG_CANVAS, LXB_TAG_DATALIST, LXB_TAG_HEAD, LXB_TAG_IFRAME, LXB_TAG_NOEMBED,
        LXB_TAG_NOFRAMES, LXB_TAG_OBJECT, LXB_TAG_RP, LXB_TAG_SCRIPT, LXB_TAG_SELECT, LXB_TAG_STYLE, LXB_TAG_SVG,
        LXB_TAG_TEMPLATE, LXB_TAG_TEXTAREA, LXB_TAG_TITLE, LXB_TAG_VIDEO}) {
    traits[tag] |= kTagNeverText;
  }
  return traits;
}

inline constexpr auto kTagTraits = make_tag_traits();

}  // namespace internal

// A set of TagTrait; empty for unknown tags, which browsers treat as inline.
inline std::uint16_t tag_traits(HtmlTag tag) {
  return is_known_tag(tag) ? internal::kTagTraits[tag] : std::uint16_t{0};
}

inline bool is_block_element(const HtmlNode* node) {
  return is_element(node) && (tag_traits(tag_of(node)) & kTagBlock) != 0;
}

// 1 to 6. Requires a tag with kTagHeading.
inline std::uint8_t heading_level(HtmlTag tag) {
  return static_cast<std::uint8_t>(tag - LXB_TAG_H1 + 1);
}
static_assert(LXB_TAG_H6 - LXB_TAG_H1 == 5);

}  // namespace paraprint::inline html
