#include "extract/block_features.h"

#include <algorithm>
#include <array>

namespace paraprint {
namespace {

constexpr std::size_t kContainerLevels = 5;
constexpr std::size_t kNeighbours = 2;  // on each side

// What kind of line an element makes: small for those that carry prose.
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

constexpr std::uint32_t kProseTokens = 8;
constexpr std::uint32_t kClutterCap = 12;

// Rows, in order. The blocks of rows with a width > 1 are indexed from their first.
enum Row : std::size_t {
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
  kTextNavigation,  // one bit a row: words at the begin of the text
  kTextFooter,
  kTextComment,
  kTextShare,
  kTextRelated,
  kTextAdvertisement,
  kTextMeta,
  kTextBreadcrumb,
  kTextPagination,
  kTextForm,
  kTextLegal,
  kTextTags,
  kTextAuthor,
  kUnitsBefore,
  kUnitsAfter,
  kTokensBefore,
  kTokensAfter,
  kPositionShare,
  kUnitsSinceHeading,
  kLastHeadingLevel,
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
  kPageTokens,
  kPageUnits,
  kPageLinkShare,
  kPageProseShare,
  kPageCjkShare,
  kPageArticles,
  kPageTopHeadings,
  kPageParagraphs,
  kPageCommentElements,
  kPageItems,
  kPageMeanProse,
  kDistances,
  kLevels = kDistances + kNameGroupCount,
  kLevelRows = 9,
  kNeighbourRows = 5,
  kAround = kLevels + kContainerLevels * kLevelRows,
  kRowCount = kAround + 2 * kNeighbours * kNeighbourRows,
};

constexpr std::array<std::pair<Row, NameGroup>, 12> kTextRows = {{
    {kTextFooter, kNameFooter},
    {kTextComment, kNameComment},
    {kTextShare, kNameShare},
    {kTextRelated, kNameRelated},
    {kTextAdvertisement, kNameAdvertisement},
    {kTextMeta, kNameMeta},
    {kTextBreadcrumb, kNameBreadcrumb},
    {kTextPagination, kNamePagination},
    {kTextForm, kNameForm},
    {kTextLegal, kNameLegal},
    {kTextTags, kNameTags},
    {kTextAuthor, kNameAuthor},
}};

bool contains(const PageElement& element, std::size_t unit) {
  return unit >= element.unit_begin && unit < element.unit_end;
}

// How far outside of `element` a unit stands: 0 inside, else levels from `element` up to a common ancestor.
std::uint8_t levels_outside(const PageTree& tree, std::uint32_t element, std::size_t unit) {
  std::uint8_t levels = 0;
  while (!contains(tree.elements[element], unit) && levels < kFarDistance) {
    const std::uint32_t up = tree.elements[element].container;
    if (up == element) break;
    element = up;
    ++levels;
  }
  return levels;
}

}  // namespace

bool is_prose(const TextUnit& unit) {
  return unit.text.tokens >= kProseTokens && unit.link_tokens * 3 <= unit.text.tokens &&
         unit.text.sentence_ends + unit.text.commas > 0;
}

std::size_t block_feature_count() {
  return kRowCount;
}

void UnitSums::compute(const PageTree& tree) {
  before.resize(tree.units.size() + 1);
  Totals totals;
  before[0] = totals;
  for (std::size_t i = 0; i < tree.units.size(); ++i) {
    const TextUnit& unit = tree.units[i];
    totals.tokens += unit.text.tokens;
    totals.link_tokens += unit.link_tokens;
    totals.sentence_ends += unit.text.sentence_ends;
    totals.commas += unit.text.commas;
    if (is_prose(unit)) {
      totals.prose_tokens += unit.text.tokens;
      totals.balance += static_cast<std::int32_t>(unit.text.tokens - unit.link_tokens);
    } else {
      totals.balance -= static_cast<std::int32_t>(std::min(unit.text.tokens, kClutterCap));
    }
    before[i + 1] = totals;
  }
}

UnitSums::Totals UnitSums::of(const PageElement& element) const {
  Totals totals = before[element.unit_end];
  const Totals& start = before[element.unit_begin];
  totals.tokens -= start.tokens;
  totals.link_tokens -= start.link_tokens;
  totals.prose_tokens -= start.prose_tokens;
  totals.sentence_ends -= start.sentence_ends;
  totals.commas -= start.commas;
  totals.balance -= start.balance;
  return totals;
}

void BlockFeatures::score_containers(const PageTree& tree, const UnitSums& sums) {
  // Readability's candidate score in integers: sentences give points to the elements around them, less with each level.
  constexpr std::uint32_t kUnitPoint = 12;  // divisible by the shares below
  constexpr int kScoredLevels = 5;
  scores_.assign(tree.elements.size(), 0);
  for (const TextUnit& unit : tree.units) {
    if (unit.text.tokens < kProseTokens) continue;
    const std::uint32_t points = 1 + unit.text.commas + std::min<std::uint32_t>(unit.text.visible_bytes / 100, 3);
    std::uint32_t element = unit.element;
    const std::uint8_t kind = kind_of_tag(tree.elements[element].tag);
    if (kind <= 7 || kind == 11 || kind == 15) element = tree.elements[element].parent;
    for (int level = 0; level < kScoredLevels; ++level) {
      scores_[element] += std::uint64_t{points} * kUnitPoint / (level == 0 ? 1 : level == 1 ? 2 : 3 * level);
      if (element == 0) break;
      element = tree.elements[element].parent;
    }
  }
  best_scored_ = 0;
  best_balanced_ = 0;
  std::int32_t best_balance = INT32_MIN;
  for (std::uint32_t i = 0; i < tree.elements.size(); ++i) {
    const PageElement& element = tree.elements[i];
    const UnitSums::Totals totals = sums.of(element);
    if (totals.tokens == 0) continue;
    scores_[i] = scores_[i] * (totals.tokens - std::min(totals.link_tokens, totals.tokens)) / totals.tokens;
    if (scores_[i] > scores_[best_scored_]) best_scored_ = i;
    if (totals.balance >= best_balance) {  // of equals the innermost
      best_balance = totals.balance;
      best_balanced_ = i;
    }
  }
}

void BlockFeatures::compute(const PageTree& tree, const UnitSums& sums, FeatureMatrix& matrix) {
  const std::size_t count = tree.units.size();
  if (count == 0) return;
  score_containers(tree, sums);
  const auto set = [&](std::size_t row, std::size_t unit, std::uint8_t value) { matrix.row(row)[unit] = value; };

  // Units of equal words.
  std::size_t slots = std::bit_ceil(count * 2);
  hash_slots_.assign(slots, 0);
  const auto slot_of = [&](std::uint64_t hash) {
    std::size_t slot = (hash >> 24) & (slots - 1);
    while (hash_slots_[slot] != 0 && (hash_slots_[slot] & ~std::uint64_t{0xFF}) != (hash & ~std::uint64_t{0xFF})) {
      slot = (slot + 1) & (slots - 1);
    }
    return slot;
  };
  for (const TextUnit& unit : tree.units) {
    const std::size_t slot = slot_of(unit.text.hash);
    const std::uint64_t repeats = hash_slots_[slot] & 0xFF;
    hash_slots_[slot] = (unit.text.hash & ~std::uint64_t{0xFF}) | std::min<std::uint64_t>(repeats + 1, 0xFF);
  }

  // The page as a whole.
  const UnitSums::Totals page = sums.before[count];
  std::uint32_t articles = 0;
  std::uint32_t top_headings = 0;
  std::uint32_t paragraphs = 0;
  std::uint32_t comment_elements = 0;
  std::uint32_t items = 0;
  for (const PageElement& element : tree.elements) {
    articles += element.tag == LXB_TAG_ARTICLE;
    top_headings += element.tag == LXB_TAG_H1;
    paragraphs += element.tag == LXB_TAG_P;
    comment_elements += element.distances[kNameComment] == 0;
    items += element.distances[kNameItem] == 0;
  }
  std::uint32_t prose_units = 0;
  std::uint32_t cjk_tokens = 0;
  std::size_t title_unit = count;
  std::uint8_t title_best = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const TextUnit& unit = tree.units[i];
    prose_units += is_prose(unit);
    cjk_tokens += unit.text.cjk_tokens;
    const auto strength = static_cast<std::uint8_t>(std::min(255, unit.title_share + (unit.heading_level == 1   ? 60
                                                                                      : unit.heading_level != 0 ? 30
                                                                                                                : 0)));
    if (unit.title_share != 0 && strength > title_best) {
      title_best = strength;
      title_unit = i;
    }
  }
  const std::array<std::pair<std::size_t, std::uint8_t>, 11> page_values = {{
      {kPageTokens, log_level(page.tokens)},
      {kPageUnits, log_level(static_cast<std::uint32_t>(count))},
      {kPageLinkShare, share_level(page.link_tokens, page.tokens)},
      {kPageProseShare, share_level(page.prose_tokens, page.tokens)},
      {kPageCjkShare, share_level(cjk_tokens, page.tokens)},
      {kPageArticles, clip_level(articles)},
      {kPageTopHeadings, clip_level(top_headings)},
      {kPageParagraphs, log_level(paragraphs)},
      {kPageCommentElements, log_level(comment_elements)},
      {kPageItems, log_level(items)},
      {kPageMeanProse, prose_units == 0 ? std::uint8_t{0} : log_level(page.prose_tokens / prose_units)},
  }};
  for (const auto& [row, value] : page_values) std::fill_n(matrix.row(row), count, value);

  // Forward: own values, and what came before.
  std::size_t last_heading = 0;
  std::uint8_t last_heading_level = 0;
  std::size_t last_prose = 0;
  bool seen_prose = false;
  for (std::size_t i = 0; i < count; ++i) {
    const TextUnit& unit = tree.units[i];
    const PageElement& element = tree.elements[unit.element];
    const TextStatistics& text = unit.text;
    set(kTokens, i, log_level(text.tokens));
    set(kVisibleBytes, i, log_level(text.visible_bytes));
    set(kLinkShare, i, share_level(unit.link_tokens, text.tokens));
    set(kLinks, i, clip_level(unit.links));
    set(kSentenceEnds, i, clip_level(text.sentence_ends));
    set(kCommas, i, clip_level(text.commas));
    set(kOtherPunctuation, i, share_level(text.other_punctuation, text.tokens + text.other_punctuation));
    set(kEnd, i, static_cast<std::uint8_t>(text.end));
    set(kDigitShare, i, share_level(text.digit_tokens, text.tokens));
    set(kCapitalShare, i, share_level(text.capital_tokens, text.tokens));
    set(kTokenLength, i, text.tokens == 0 ? std::uint8_t{0} : clip_level(text.visible_bytes * 4 / text.tokens));
    set(kCjkShare, i, share_level(text.cjk_tokens, text.tokens));
    set(kStrongShare, i, share_level(unit.strong_tokens, text.tokens));
    set(kTagKind, i, kind_of_tag(element.tag));
    set(kHeadingLevel, i, unit.heading_level);
    set(kAfterBreak, i, unit.line_breaks);
    set(kTitleShare, i, unit.title_share);
    set(kRepeats, i, static_cast<std::uint8_t>(hash_slots_[slot_of(text.hash)] & 0xFF));
    set(kDepth, i, clip_level(element.depth));
    if (unit.text_names != 0) {
      for (const auto& [row, group] : kTextRows) set(row, i, (unit.text_names & name_bit(group)) != 0);
    }
    const UnitSums::Totals& before = sums.before[i];
    const UnitSums::Totals& after = sums.before[i + 1];
    set(kUnitsBefore, i, log_level(static_cast<std::uint32_t>(i)));
    set(kUnitsAfter, i, log_level(static_cast<std::uint32_t>(count - 1 - i)));
    set(kTokensBefore, i, log_level(before.tokens));
    set(kTokensAfter, i, log_level(page.tokens - after.tokens));
    set(kPositionShare, i, share_level(before.tokens, page.tokens));
    if (unit.heading_level != 0) {
      last_heading = i;
      last_heading_level = unit.heading_level;
    }
    set(kUnitsSinceHeading, i, last_heading_level == 0 ? 255 : log_level(static_cast<std::uint32_t>(i - last_heading)));
    set(kLastHeadingLevel, i, last_heading_level);
    // 100 at the unit that spells the title, above it before, below it after.
    const auto offset = title_unit == count ? 0 : static_cast<std::int64_t>(i) - static_cast<std::int64_t>(title_unit);
    set(kSinceTitle, i,
        title_unit == count ? std::uint8_t{0}
        : offset < 0
            ? static_cast<std::uint8_t>(100 - std::min<int>(log_level(static_cast<std::uint32_t>(-offset)), 99))
            : static_cast<std::uint8_t>(100 + log_level(static_cast<std::uint32_t>(offset))));
    set(kProseBefore, i, log_level(before.prose_tokens));
    set(kProseAfter, i, log_level(page.prose_tokens - after.prose_tokens));
    set(kUnitsSinceProse, i, seen_prose ? log_level(static_cast<std::uint32_t>(i - last_prose)) : 255);
    if (is_prose(unit)) {
      seen_prose = true;
      last_prose = i;
    }
    set(kInBestScored, i, levels_outside(tree, best_scored_, i));
    set(kInBestBalanced, i, levels_outside(tree, best_balanced_, i));
    const std::uint64_t own_score =
        std::max(scores_[unit.element], std::max(scores_[element.parent], scores_[element.container]));
    set(kBestScoreShare, i, share_level(own_score, scores_[best_scored_]));
    set(kOwnScoreLevel, i, log_level(static_cast<std::uint32_t>(std::min<std::uint64_t>(own_score, UINT32_MAX))));

    for (std::size_t group = 0; group < kNameGroupCount; ++group) set(kDistances + group, i, element.distances[group]);
    for (NameMask mask = unit.inline_names & (name_bit(kNameGroupCount) - 1); mask != 0; mask &= mask - 1) {
      set(kDistances + static_cast<std::size_t>(__builtin_ctzll(mask)), i, 0);
    }

    std::uint32_t container = unit.element;
    for (std::size_t level = 0; level < kContainerLevels; ++level) {
      const PageElement& holder = tree.elements[container];
      const UnitSums::Totals totals = sums.of(holder);
      const std::size_t row = kLevels + level * kLevelRows;
      const std::uint32_t units = holder.unit_end - holder.unit_begin;
      set(row, i, log_level(totals.tokens));
      set(row + 1, i, share_level(totals.link_tokens, totals.tokens));
      set(row + 2, i, share_level(totals.prose_tokens, totals.tokens));
      set(row + 3, i, log_level(units));
      set(row + 4, i, share_level(totals.tokens, page.tokens));
      set(row + 5, i, log_level(tree.elements[holder.run_first].run_length));
      set(row + 6, i, share_level(i - holder.unit_begin, units));
      set(row + 7, i, kind_of_tag(holder.tag));
      set(row + 8, i, log_level(totals.tokens / std::max(units, 1U)));
      container = holder.container;
    }
  }

  // Backward: what comes after.
  std::size_t next_heading = count;
  std::size_t next_prose = count;
  for (std::size_t i = count; i-- > 0;) {
    set(kUnitsToProse, i, next_prose == count ? 255 : log_level(static_cast<std::uint32_t>(next_prose - i)));
    set(kTokensToHeading, i,
        next_heading == count ? 255 : log_level(sums.before[next_heading].tokens - sums.before[i].tokens));
    if (is_prose(tree.units[i])) next_prose = i;
    if (tree.units[i].heading_level != 0) next_heading = i;
  }

  // Neighbours: rows already computed, shifted.
  constexpr std::array<std::size_t, kNeighbourRows> kShifted = {kTokens, kLinkShare, kTagKind, kEnd, kSentenceEnds};
  for (std::size_t n = 0; n < 2 * kNeighbours; ++n) {
    const std::size_t distance = n / 2 + 1;
    for (std::size_t k = 0; k < kNeighbourRows; ++k) {
      const std::uint8_t* source = matrix.row(kShifted[k]);
      std::uint8_t* target = matrix.row(kAround + n * kNeighbourRows + k);
      if (distance >= count) continue;
      if (n % 2 == 0) {
        std::copy_n(source, count - distance, target + distance);
      } else {
        std::copy_n(source + distance, count - distance, target);
      }
    }
  }
}

}  // namespace paraprint
