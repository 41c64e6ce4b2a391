#include "extract/block_features.h"

#include <algorithm>
#include <array>
#include <bit>

#include "extract/feature_rows.h"

namespace paraprint {

using namespace block_rows;

namespace {

constexpr std::array<std::pair<Row, NameGroup>, 13> kTextRows = {{
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
    {kTextDate, kNameDate},
}};

// Floor of the square root, at least 1; Newton's method in integers.
std::int32_t square_root(std::uint32_t number) {
  if (number < 4) return 1;
  std::uint32_t root = number / 2 + 1;
  for (std::uint32_t next = (root + number / root) / 2; next < root; next = (root + number / root) / 2) root = next;
  return static_cast<std::int32_t>(root);
}

// A signed number, 128 for 0.
std::uint8_t signed_level(std::int32_t value) {
  return static_cast<std::uint8_t>(std::clamp(value + 128, 0, 255));
}

// 100 at `mark`, less before it, more after it, on a logarithmic scale; 0 when there is no mark.
std::uint8_t signed_distance(std::size_t unit, std::size_t mark, std::size_t count) {
  constexpr int kMark = 100;
  if (mark == count) return 0;
  if (unit < mark) {
    return static_cast<std::uint8_t>(kMark -
                                     std::min<int>(log_level(static_cast<std::uint32_t>(mark - unit)), kMark - 1));
  }
  return static_cast<std::uint8_t>(kMark + std::min<int>(log_level(static_cast<std::uint32_t>(unit - mark)), 155));
}

// The unit that spells the title best, headings first; all units if none does.
std::size_t find_title(const PageTree& tree) {
  constexpr int kTopHeading = 60;
  constexpr int kHeading = 30;
  std::size_t best = tree.units.size();
  int best_strength = 0;
  for (std::size_t i = 0; i < tree.units.size(); ++i) {
    const TextUnit& unit = tree.units[i];
    if (unit.title_share == 0) continue;
    const int heading = unit.heading_level == 1 ? kTopHeading : unit.heading_level != 0 ? kHeading : 0;
    const int strength = std::min(255, unit.title_share + heading);
    if (strength > best_strength) {
      best_strength = strength;
      best = i;
    }
  }
  return best;
}

std::size_t find_top_heading(const PageTree& tree) {
  std::size_t unit = 0;
  while (unit < tree.units.size() && tree.units[unit].heading_level != 1) ++unit;
  return unit;
}

}  // namespace

std::size_t block_feature_count() {
  return kRowCount;
}

std::size_t lexical_feature_row() {
  return kTextLexical;
}

void BlockFeatures::compute(const PageTree& tree, const UnitSums& sums, FeatureMatrix& matrix) {
  if (tree.units.empty()) return;
  tree_ = &tree;
  sums_ = &sums;
  matrix_ = &matrix;
  containers_.compute(tree, sums);
  views_.assign(tree.elements.size(), ContainerView{});
  count_repeats();
  fill_page_structure();
  fill_page_prose();
  for (std::size_t i = 0; i < tree.units.size(); ++i) {
    fill_own(i);
    fill_names(i);
    fill_containers(i);
  }
  fill_position();
  fill_following();
  fill_neighbours();
}

// The slot of the unit's words in repeat_slots_: hash in the upper bits, count in the lower eight.
std::size_t BlockFeatures::repeat_slot(std::uint64_t hash) const {
  const std::size_t mask = repeat_slots_.size() - 1;
  std::size_t slot = (hash >> 24) & mask;
  while (repeat_slots_[slot] != 0 && (repeat_slots_[slot] & ~kRepeatMask) != (hash & ~kRepeatMask))
    slot = (slot + 1) & mask;
  return slot;
}

void BlockFeatures::count_repeats() {
  repeat_slots_.assign(std::bit_ceil(tree_->units.size() * 2), 0);
  for (const TextUnit& unit : tree_->units) {
    const std::size_t slot = repeat_slot(unit.text.hash);
    const std::uint64_t repeats = repeat_slots_[slot] & kRepeatMask;
    repeat_slots_[slot] = (unit.text.hash & ~kRepeatMask) | std::min<std::uint64_t>(repeats + 1, kRepeatMask);
  }
}

void BlockFeatures::fill(std::size_t row, std::size_t value) {
  std::fill_n(matrix_->row(row), tree_->units.size(), static_cast<std::uint8_t>(value));
}

void BlockFeatures::fill_page_structure() {
  std::uint32_t articles = 0;
  std::uint32_t top_headings = 0;
  std::uint32_t paragraphs = 0;
  std::uint32_t comment_elements = 0;
  std::uint32_t items = 0;
  for (const PageElement& element : tree_->elements) {
    articles += element.tag == LXB_TAG_ARTICLE;
    top_headings += element.tag == LXB_TAG_H1;
    paragraphs += element.tag == LXB_TAG_P;
    comment_elements += element.distances[kNameComment] == 0;
    items += element.distances[kNameItem] == 0;
  }
  fill(kPageArticles, clip_level(articles));
  fill(kPageTopHeadings, clip_level(top_headings));
  fill(kPageParagraphs, log_level(paragraphs));
  fill(kPageCommentElements, log_level(comment_elements));
  fill(kPageItems, log_level(items));
  for (std::size_t hint = 0; hint < kPageHintCount; ++hint) fill(kHints + hint, tree_->hints >> hint & 1U);
}

void BlockFeatures::fill_page_prose() {
  const UnitSums::Totals& page = sums_->page();
  std::uint32_t prose_units = 0;
  std::uint32_t comment_prose = 0;
  std::uint32_t forum_prose = 0;
  std::uint32_t body_prose = 0;
  std::uint32_t item_prose = 0;
  std::uint32_t cjk_tokens = 0;
  for (const TextUnit& unit : tree_->units) {
    cjk_tokens += unit.text.cjk_tokens;
    if (!is_prose(unit)) continue;
    const NameDistances& distances = tree_->elements[unit.element].distances;
    ++prose_units;
    if (distances[kNameComment] < kFarDistance) comment_prose += unit.text.tokens;
    if (distances[kNameForum] < kFarDistance) forum_prose += unit.text.tokens;
    if (std::min(distances[kNameBody], distances[kInArticle]) < kFarDistance) body_prose += unit.text.tokens;
    if (distances[kNameItem] < kFarDistance) item_prose += unit.text.tokens;
  }
  fill(kPageTokens, log_level(page.tokens));
  fill(kPageUnits, log_level(static_cast<std::uint32_t>(tree_->units.size())));
  fill(kPageLinkShare, share_level(page.link_tokens, page.tokens));
  fill(kPageProseShare, share_level(page.prose_tokens, page.tokens));
  fill(kPageCjkShare, share_level(cjk_tokens, page.tokens));
  fill(kPageCommentProse, share_level(comment_prose, page.prose_tokens));
  fill(kPageForumProse, share_level(forum_prose, page.prose_tokens));
  fill(kPageBodyProse, share_level(body_prose, page.prose_tokens));
  fill(kPageItemProse, share_level(item_prose, page.prose_tokens));
  fill(kPageProseOutsideComments, log_level(page.prose_tokens - comment_prose));
  fill(kPageMeanProse, prose_units == 0 ? std::uint8_t{0} : log_level(page.prose_tokens / prose_units));
}

// What the unit itself looks like.
void BlockFeatures::fill_own(std::size_t i) {
  const TextUnit& unit = tree_->units[i];
  const PageElement& element = tree_->elements[unit.element];
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
  set(kRepeats, i, static_cast<std::uint8_t>(repeat_slots_[repeat_slot(text.hash)] & kRepeatMask));
  set(kDepth, i, clip_level(element.depth));
  set(kTextLexical, i, signed_level(text.lexical / 4));
  set(kTextLexicalScaled, i, signed_level(text.lexical / square_root(text.tokens)));
  set(kNameLexical, i, signed_level(element.chain_lexical / 2));
  if (unit.text_names != 0) {
    for (const auto& [row, group] : kTextRows) set(row, i, (unit.text_names & name_bit(group)) != 0);
  }
}

// How far up the nearest ancestor of each name group is; names of inline elements around the whole unit are its own.
void BlockFeatures::fill_names(std::size_t i) {
  const TextUnit& unit = tree_->units[i];
  const PageElement& element = tree_->elements[unit.element];
  for (std::size_t group = 0; group < kNameGroupCount; ++group) set(kDistances + group, i, element.distances[group]);
  for (NameMask mask = unit.inline_names & (name_bit(kNameGroupCount) - 1); mask != 0; mask &= mask - 1) {
    set(kDistances + static_cast<std::size_t>(__builtin_ctzll(mask)), i, 0);
  }
}

// What a container looks like to all units below it; computed when the first of them asks.
const BlockFeatures::ContainerView& BlockFeatures::view_of(std::uint32_t container) {
  ContainerView& view = views_[container];
  if (view.is_known) return view;
  const PageElement& holder = tree_->elements[container];
  const UnitSums::Totals totals = sums_->of(holder);
  const std::uint32_t units = holder.unit_end - holder.unit_begin;
  const LikeElements& like = containers_.like(container);
  view.levels = {log_level(totals.tokens),
                 share_level(totals.link_tokens, totals.tokens),
                 share_level(totals.prose_tokens, totals.tokens),
                 log_level(units),
                 share_level(totals.tokens, sums_->page().tokens),
                 log_level(tree_->elements[holder.run_first].run_length),
                 0,  // the place in it, which differs between units
                 kind_of_tag(holder.tag),
                 log_level(totals.tokens / std::max(units, 1U))};
  view.like = log_level(like.count);
  view.like_with_prose = log_level(like.with_prose);
  view.is_known = true;
  return view;
}

void BlockFeatures::fill_containers(std::size_t i) {
  const TextUnit& unit = tree_->units[i];
  const PageElement& element = tree_->elements[unit.element];
  set(kInBestScored, i, levels_outside(*tree_, containers_.best_scored, i));
  set(kInBestBalanced, i, levels_outside(*tree_, containers_.best_balanced, i));
  const auto& scores = containers_.scores;
  const std::uint64_t own_score =
      std::max(scores[unit.element], std::max(scores[element.parent], scores[element.container]));
  set(kBestScoreShare, i, share_level(own_score, scores[containers_.best_scored]));
  set(kOwnScoreLevel, i, log_level(static_cast<std::uint32_t>(std::min<std::uint64_t>(own_score, UINT32_MAX))));

  std::uint32_t container = unit.element;
  for (std::size_t level = 0; level < kContainerLevels; ++level) {
    const PageElement& holder = tree_->elements[container];
    const ContainerView& view = view_of(container);
    const std::size_t row = kLevels + level * kLevelRows;
    for (std::size_t k = 0; k < view.levels.size(); ++k) set(row + k, i, view.levels[k]);
    set(row + kPlaceInContainer, i, share_level(i - holder.unit_begin, holder.unit_end - holder.unit_begin));
    set(kLikeElements + 2 * level, i, view.like);
    set(kLikeElements + 2 * level + 1, i, view.like_with_prose);
    container = holder.container;
  }
}

// Where the unit stands: counted from the begin, the end, the last heading, the title and the last prose.
void BlockFeatures::fill_position() {
  const std::size_t count = tree_->units.size();
  const UnitSums::Totals& page = sums_->page();
  const std::size_t title_unit = find_title(*tree_);
  const std::size_t top_heading = find_top_heading(*tree_);
  std::size_t last_heading = 0;
  std::uint8_t last_heading_level = 0;
  std::size_t last_prose = 0;
  bool seen_prose = false;
  for (std::size_t i = 0; i < count; ++i) {
    const TextUnit& unit = tree_->units[i];
    const UnitSums::Totals& before = sums_->before[i];
    const UnitSums::Totals& after = sums_->before[i + 1];
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
    set(kSinceTitle, i, signed_distance(i, title_unit, count));
    set(kSinceTopHeading, i, signed_distance(i, top_heading, count));
    set(kProseBefore, i, log_level(before.prose_tokens));
    set(kProseAfter, i, log_level(page.prose_tokens - after.prose_tokens));
    set(kUnitsSinceProse, i, seen_prose ? log_level(static_cast<std::uint32_t>(i - last_prose)) : 255);
    if (is_prose(unit)) {
      seen_prose = true;
      last_prose = i;
    }
  }
}

// How far the next heading and the next prose are.
void BlockFeatures::fill_following() {
  const std::size_t count = tree_->units.size();
  std::size_t next_heading = count;
  std::size_t next_prose = count;
  for (std::size_t i = count; i-- > 0;) {
    set(kUnitsToProse, i, next_prose == count ? 255 : log_level(static_cast<std::uint32_t>(next_prose - i)));
    set(kTokensToHeading, i,
        next_heading == count ? 255 : log_level(sums_->before[next_heading].tokens - sums_->before[i].tokens));
    if (is_prose(tree_->units[i])) next_prose = i;
    if (tree_->units[i].heading_level != 0) next_heading = i;
  }
}

// Rows of the units around: rows already filled, shifted.
void BlockFeatures::fill_neighbours() {
  const std::size_t count = tree_->units.size();
  constexpr std::array<std::size_t, kNeighbourRows> kShifted = {kTokens, kLinkShare, kTagKind, kEnd, kSentenceEnds};
  for (std::size_t n = 0; n < 2 * kNeighbours; ++n) {
    const std::size_t distance = n / 2 + 1;
    for (std::size_t k = 0; k < kNeighbourRows; ++k) {
      const std::uint8_t* source = matrix_->row(kShifted[k]);
      std::uint8_t* target = matrix_->row(kAround + n * kNeighbourRows + k);
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
