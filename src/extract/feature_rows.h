// The rows of the first stage's features, and the classification of element types used by them. Any change here
// requires training the models again (tools/extraction).
#pragma once

#include <cstddef>
#include <cstdint>

#include "extract/name_patterns.h"
#include "extract/page_hints.h"

namespace paraprint::inline extract::block_rows {

inline constexpr std::size_t kContainerLevels = 5;
inline constexpr std::size_t kNeighbours = 2;  // on each side

// Rows, in order. A group of several rows is named by its first row.
enum Row : std::size_t {
  // Values that differ between units: columns of the unit's record.
  kTokens,
  kVisibleBytes,
  kLinkShare,
  kLinks,
  kSentenceEnds,
  kCommas,
  kOtherPunctuation,
  kEnd,
  kDigitShare,
  kCapitalShare,
  kTokenLength,
  kCjkShare,
  kStrongShare,
  kTagKind,
  kHeadingLevel,
  kAfterBreak,
  kTitleShare,
  kRepeats,
  kDepth,
  kUnitsBefore,
  kUnitsAfter,
  kTokensBefore,
  kTokensAfter,
  kPositionShare,
  kUnitsSinceHeading,
  kLastHeadingLevel,
  kLastHeadingLinks,  // share of link text in it: teasers follow headings that link elsewhere
  kTokensToHeading,
  kSinceTitle,
  kProseBefore,
  kProseAfter,
  kUnitsSinceProse,
  kUnitsToProse,
  kInBestScored,
  kInBestBalanced,
  kBestScoreShare,
  kOwnScoreLevel,
  kSinceTopHeading,
  kTextLexical,
  kTextLexicalScaled,
  kNameLexical,
  kLevels,
  kLevelRows = 11,
  kPlaceInContainer = 6,  // index within the rows of a level
  kDistances = kLevels + kContainerLevels * kLevelRows,
  kRecordColumns = kDistances + kNameGroupCount,
  // Values shared by all units of a page.
  kPageTokens = kRecordColumns,
  kPageUnits,
  kPageLinkShare,
  kPageProseShare,
  kPageCjkShare,
  kPageArticles,
  kPageTopHeadings,
  kPageParagraphs,
  kPageCommentElements,
  kPageItems,
  kPageLinkedHeadings,
  kPagePlainHeadings,
  kPageCutProse,
  kPageMeanProse,
  kPageCommentProse,
  kPageForumProse,
  kPageBodyProse,
  kPageItemProse,
  kPageProseOutsideComments,
  kHints,
  // Values of the units before and after.
  kNeighbourRows = 5,
  kAround = kHints + kPageHintCount,
  kRowCount = kAround + 2 * kNeighbours * kNeighbourRows,
};

// Classifies an element by the kind of line it makes; small values carry prose. Kinds 1 to 7 contain only lines of
// text.
constexpr std::uint8_t kind_of_tag(std::uint16_t tag) {
  switch (tag) {
    case LXB_TAG_P:
      return 1;
    case LXB_TAG_BLOCKQUOTE:
      return 2;
    case LXB_TAG_PRE:
      return 3;
    case LXB_TAG_H1:
      return 4;
    case LXB_TAG_H2:
      return 5;
    case LXB_TAG_H3:
      return 6;
    case LXB_TAG_H4:
    case LXB_TAG_H5:
    case LXB_TAG_H6:
      return 7;
    case LXB_TAG_ARTICLE:
    case LXB_TAG_SECTION:
    case LXB_TAG_MAIN:
      return 8;
    case LXB_TAG_DIV:
      return 9;
    case LXB_TAG_CENTER:
      return 10;
    case LXB_TAG_TD:
      return 11;
    case LXB_TAG_TH:
      return 12;
    case LXB_TAG_DD:
      return 13;
    case LXB_TAG_DT:
      return 14;
    case LXB_TAG_LI:
      return 15;
    case LXB_TAG_FIGCAPTION:
    case LXB_TAG_CAPTION:
      return 16;
    case LXB_TAG_BODY:
      return 17;
    case LXB_TAG_HEADER:
      return 18;
    case LXB_TAG_FOOTER:
      return 19;
    case LXB_TAG_NAV:
    case LXB_TAG_ASIDE:
      return 20;
    case LXB_TAG_FORM:
    case LXB_TAG_FIELDSET:
    case LXB_TAG_LEGEND:
    case LXB_TAG_BUTTON:
      return 21;
    case LXB_TAG_ADDRESS:
      return 22;
    case LXB_TAG_SUMMARY:
    case LXB_TAG_DETAILS:
      return 23;
    case 0:
      return 24;
    default:
      return 25;
  }
}

}  // namespace paraprint::inline extract::block_rows
