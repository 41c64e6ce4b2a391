// Feature values are bytes computed with integer arithmetic only: counts on a logarithmic scale, shares in 1/255. This
// keeps results equal on all machines and lets the model compare 16 to 64 units at once.
//
// Values that differ between units are written record by record, as all inputs of one unit are then in cache, and
// transposed into rows after each stretch of units, so that records take little memory. Values of the whole page, of
// neighbours and of what follows are written directly as rows. Any change of a value requires training the models again
// (tools/extraction).
#include "extract/block_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "extract/feature_rows.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline extract {

using namespace block_rows;

namespace {

// As many records as stay in the second-level cache.
constexpr std::size_t kStretchUnits = 1024;
static_assert(kStretchUnits % kFeatureRowStep == 0);

// Floor of the square root, at least 1, by Newton's method. std::sqrt is avoided: no floating point at run time.
std::int32_t square_root(std::uint32_t number) {
  if (number < 4) return 1;
  std::uint32_t root = std::uint32_t{1} << (std::bit_width(number) + 1) / 2;  // not below the root
  for (std::uint32_t next = (root + number / root) / 2; next < root; next = (root + number / root) / 2) root = next;
  return static_cast<std::int32_t>(root);
}

// Maps a signed number to a byte, with 128 for 0.
std::uint8_t signed_level(std::int32_t value) {
  return static_cast<std::uint8_t>(std::clamp(value + 128, 0, 255));
}

// 100 at `mark`, smaller before it and larger after it on a logarithmic scale; 0 if there is no mark.
std::uint8_t signed_distance(std::size_t unit, std::size_t mark, std::size_t count) {
  constexpr int kMark = 100;
  if (mark == count) return 0;
  if (unit < mark) {
    return static_cast<std::uint8_t>(kMark -
                                     std::min<int>(log_level(static_cast<std::uint32_t>(mark - unit)), kMark - 1));
  }
  return static_cast<std::uint8_t>(kMark + std::min<int>(log_level(static_cast<std::uint32_t>(unit - mark)), 155));
}

// The unit that matches the page title best, with a bonus for headings; the number of units if there is none.
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

// The first <h1>; the number of units if there is none.
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

// Rows of neighbours are copies of other rows, so they are filled last.
void BlockFeatures::compute(const PageTree& tree, const UnitSums& sums, FeatureMatrix& matrix, StopCheck& stop) {
  if (tree.units.empty()) return;
  tree_ = &tree;
  sums_ = &sums;
  matrix_ = &matrix;
  if (!containers_.compute(tree, sums, stop)) return;
  views_.assign(tree.elements.size(), ContainerLevels{});
  count_repeats();
  fill_page_structure();
  fill_page_prose();
  const std::size_t count = tree.units.size();
  Landmarks marks;
  marks.title = find_title(tree);
  marks.top_heading = find_top_heading(tree);
  for (std::size_t begin = 0; begin < count; begin += kStretchUnits) {
    const std::size_t units = std::min(kStretchUnits, count - begin);
    if (!records_.reset(kRecordColumns, units, stop)) return;
    for (std::size_t i = begin; i < begin + units; ++i) {
      std::uint8_t* record = records_.of(i - begin);
      set_own(i, record);
      set_names(i, record);
      set_containers(i, record);
      set_position(i, marks, record);
    }
    records_.transpose(0, begin, matrix, stop);
    if (stop.after(units * StopCheck::kUnitsPerNode)) return;
  }
  fill_following();
  fill_neighbours();
}

// The slot of a unit's words in repeat_slots_, which stores the hash in the upper bits and the count in the lower
// eight. Seeded: a page may have as many texts as fit.
std::size_t BlockFeatures::repeat_slot(std::uint64_t hash) const {
  const std::size_t mask = repeat_slots_.size() - 1;
  std::size_t slot = seeded_mix64(hash & ~kRepeatMask, process_hash_seed()) & mask;
  while (repeat_slots_[slot] != 0 && (repeat_slots_[slot] & ~kRepeatMask) != (hash & ~kRepeatMask))
    slot = (slot + 1) & mask;
  return slot;
}

// Repeated texts ("Reply", "Read more") are mostly surroundings. The table is at most half full, so probes stay short.
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

// What kind of page this is: the same line is content on one kind and clutter on another.
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

// Where the page's prose is: whether comments, forum posts or an article body hold most of it, and how much of it is
// cut off by an ellipsis, as in teasers.
void BlockFeatures::fill_page_prose() {
  const UnitSums::Totals& page = sums_->page();
  std::uint32_t prose_units = 0;
  std::uint32_t comment_prose = 0;
  std::uint32_t forum_prose = 0;
  std::uint32_t body_prose = 0;
  std::uint32_t item_prose = 0;
  std::uint32_t cjk_tokens = 0;
  std::uint32_t cut_prose = 0;
  std::uint32_t linked_headings = 0;
  std::uint32_t plain_headings = 0;
  for (const TextUnit& unit : tree_->units) {
    cjk_tokens += unit.text.cjk_tokens;
    if (unit.heading_level != 0) ++(2 * unit.link_tokens > unit.text.tokens ? linked_headings : plain_headings);
    if (!is_prose(unit)) continue;
    if (unit.text.end == EndClass::kEllipsis) cut_prose += unit.text.tokens;
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
  fill(kPageLinkedHeadings, log_level(linked_headings));
  fill(kPagePlainHeadings, log_level(plain_headings));
  fill(kPageCutProse, share_level(cut_prose, page.prose_tokens));
  fill(kPageCommentProse, share_level(comment_prose, page.prose_tokens));
  fill(kPageForumProse, share_level(forum_prose, page.prose_tokens));
  fill(kPageBodyProse, share_level(body_prose, page.prose_tokens));
  fill(kPageItemProse, share_level(item_prose, page.prose_tokens));
  fill(kPageProseOutsideComments, log_level(page.prose_tokens - comment_prose));
  fill(kPageMeanProse, prose_units == 0 ? std::uint8_t{0} : log_level(page.prose_tokens / prose_units));
}

// The unit's own text and element.
void BlockFeatures::set_own(std::size_t i, std::uint8_t* record) const {
  const TextUnit& unit = tree_->units[i];
  const PageElement& element = tree_->elements[unit.element];
  const TextStatistics& text = unit.text;
  record[kTokens] = log_level(text.tokens);
  record[kVisibleBytes] = log_level(text.visible_bytes);
  record[kLinkShare] = share_level(unit.link_tokens, text.tokens);
  record[kLinks] = clip_level(unit.links);
  record[kSentenceEnds] = clip_level(text.sentence_ends);
  record[kCommas] = clip_level(text.commas);
  record[kOtherPunctuation] = share_level(text.other_punctuation, text.tokens + text.other_punctuation);
  record[kEnd] = static_cast<std::uint8_t>(text.end);
  record[kDigitShare] = share_level(text.digit_tokens, text.tokens);
  record[kCapitalShare] = share_level(text.capital_tokens, text.tokens);
  record[kTokenLength] = text.tokens == 0 ? std::uint8_t{0} : clip_level(text.visible_bytes * 4 / text.tokens);
  record[kCjkShare] = share_level(text.cjk_tokens, text.tokens);
  record[kStrongShare] = share_level(unit.strong_tokens, text.tokens);
  record[kTagKind] = kind_of_tag(element.tag);
  record[kHeadingLevel] = unit.heading_level;
  record[kAfterBreak] = unit.line_breaks;
  record[kTitleShare] = unit.title_share;
  record[kRepeats] = static_cast<std::uint8_t>(repeat_slots_[repeat_slot(text.hash)] & kRepeatMask);
  record[kDepth] = clip_level(element.depth);
  record[kTextLexical] = signed_level(text.lexical / 4);
  record[kTextLexicalScaled] = signed_level(text.lexical / square_root(text.tokens));
  record[kNameLexical] = signed_level(element.chain_lexical / 2);
}

// The distance to the nearest ancestor of each name group. Names of inline elements that enclose the whole unit count
// as distance 0.
void BlockFeatures::set_names(std::size_t i, std::uint8_t* record) const {
  const TextUnit& unit = tree_->units[i];
  const PageElement& element = tree_->elements[unit.element];
  std::memcpy(record + kDistances, element.distances.data(), kNameGroupCount);
  // Takes one set bit per round, lowest first.
  for (NameMask mask = unit.inline_names & (name_bit(kNameGroupCount) - 1); mask != 0; mask &= mask - 1) {
    record[kDistances + static_cast<std::size_t>(__builtin_ctzll(mask))] = 0;
  }
}

// The view of a container shared by all units below it, computed on first use.
const BlockFeatures::ContainerLevels& BlockFeatures::view_of(std::uint32_t container) {
  ContainerLevels& view = views_[container];
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
                 0,  // the position in it, which differs between units
                 kind_of_tag(holder.tag),
                 log_level(totals.tokens / std::max(units, 1U)),
                 log_level(like.count),
                 log_level(like.with_prose)};
  view.is_known = true;
  return view;
}

// Walks outwards over the five containers that each hold more units than the one inside. The root is its own container,
// so shallow units repeat it.
void BlockFeatures::set_containers(std::size_t i, std::uint8_t* record) {
  const TextUnit& unit = tree_->units[i];
  const PageElement& element = tree_->elements[unit.element];
  record[kInBestScored] = levels_outside(*tree_, containers_.best_scored, i);
  record[kInBestBalanced] = levels_outside(*tree_, containers_.best_balanced, i);
  const auto& scores = containers_.scores;
  // Scores belong to containers, so a unit takes the best of the elements nearest to it.
  const std::uint64_t own_score =
      std::max(scores[unit.element], std::max(scores[element.parent], scores[element.container]));
  record[kBestScoreShare] = share_level(own_score, scores[containers_.best_scored]);
  record[kOwnScoreLevel] = log_level(static_cast<std::uint32_t>(std::min<std::uint64_t>(own_score, UINT32_MAX)));

  std::uint32_t container = unit.element;
  for (std::size_t level = 0; level < kContainerLevels; ++level) {
    const PageElement& holder = tree_->elements[container];
    const ContainerLevels& view = view_of(container);
    std::uint8_t* columns = record + kLevels + level * kLevelRows;
    std::memcpy(columns, view.levels.data(), kLevelRows);
    columns[kPlaceInContainer] = share_level(i - holder.unit_begin, holder.unit_end - holder.unit_begin);
    container = holder.container;
  }
}

// The unit's position relative to the start and the end of the page, the last heading, the title and the last prose.
// Units are visited in order.
void BlockFeatures::set_position(std::size_t i, Landmarks& marks, std::uint8_t* record) const {
  const std::size_t count = tree_->units.size();
  const UnitSums::Totals& page = sums_->page();
  const TextUnit& unit = tree_->units[i];
  const UnitSums::Totals& before = sums_->before[i];
  const UnitSums::Totals& after = sums_->before[i + 1];
  record[kUnitsBefore] = log_level(static_cast<std::uint32_t>(i));
  record[kUnitsAfter] = log_level(static_cast<std::uint32_t>(count - 1 - i));
  record[kTokensBefore] = log_level(before.tokens);
  record[kTokensAfter] = log_level(page.tokens - after.tokens);
  record[kPositionShare] = share_level(before.tokens, page.tokens);
  if (unit.heading_level != 0) {
    marks.last_heading = i;
    marks.last_heading_level = unit.heading_level;
    marks.last_heading_links = share_level(unit.link_tokens, unit.text.tokens);
  }
  record[kUnitsSinceHeading] =
      marks.last_heading_level == 0 ? 255 : log_level(static_cast<std::uint32_t>(i - marks.last_heading));
  record[kLastHeadingLevel] = marks.last_heading_level;
  record[kLastHeadingLinks] = marks.last_heading_links;
  record[kSinceTitle] = signed_distance(i, marks.title, count);
  record[kSinceTopHeading] = signed_distance(i, marks.top_heading, count);
  record[kProseBefore] = log_level(before.prose_tokens);
  record[kProseAfter] = log_level(page.prose_tokens - after.prose_tokens);
  record[kUnitsSinceProse] = marks.seen_prose ? log_level(static_cast<std::uint32_t>(i - marks.last_prose)) : 255;
  if (is_prose(unit)) {
    marks.seen_prose = true;
    marks.last_prose = i;
  }
}

// The distance to the next heading and the next prose; 255 if there is none. Runs backwards, when the records of the
// units are rows already, and writes over the columns that those left open.
void BlockFeatures::fill_following() {
  const std::size_t count = tree_->units.size();
  std::uint8_t* to_prose = matrix_->row(kUnitsToProse);
  std::uint8_t* to_heading = matrix_->row(kTokensToHeading);
  std::size_t next_heading = count;
  std::size_t next_prose = count;
  for (std::size_t i = count; i-- > 0;) {
    to_prose[i] = next_prose == count ? 255 : log_level(static_cast<std::uint32_t>(next_prose - i));
    to_heading[i] =
        next_heading == count ? 255 : log_level(sums_->before[next_heading].tokens - sums_->before[i].tokens);
    if (is_prose(tree_->units[i])) next_prose = i;
    if (tree_->units[i].heading_level != 0) next_heading = i;
  }
}

// The values of neighbouring units are rows that are already filled, shifted by one or two units.
void BlockFeatures::fill_neighbours() {
  const std::size_t count = tree_->units.size();
  constexpr std::array<std::size_t, kNeighbourRows> kShifted = {kTokens, kLinkShare, kTagKind, kEnd, kSentenceEnds};
  for (std::size_t n = 0; n < 2 * kNeighbours; ++n) {
    const std::size_t distance = n / 2 + 1;
    for (std::size_t k = 0; k < kNeighbourRows; ++k) {
      const std::uint8_t* source = matrix_->row(kShifted[k]);
      std::uint8_t* target = matrix_->row(kAround + n * kNeighbourRows + k);
      const std::size_t shifted = count - std::min(count, distance);
      if (n % 2 == 0) {
        std::fill_n(target, count - shifted, std::uint8_t{0});
        std::copy_n(source, shifted, target + distance);
      } else {
        std::copy_n(source + distance, shifted, target);
        std::fill_n(target + shifted, count - shifted, std::uint8_t{0});
      }
    }
  }
}

}  // namespace paraprint::inline extract
