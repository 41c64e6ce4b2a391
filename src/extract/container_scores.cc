// Scores of containers. A unit's position decides whether an element contains it, since the units below an element are
// consecutive; no tree traversal is needed.
#include "extract/container_scores.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "extract/feature_rows.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline extract {
namespace {

bool contains(const PageElement& element, std::size_t unit) {
  return unit >= element.unit_begin && unit < element.unit_end;
}

// Whether an element is a line of text rather than a container. A line gives its points to the elements around it; a
// container with loose text also to itself.
bool is_line(std::uint16_t tag) {
  return block_rows::kind_of_tag(tag) <= 7 || tag == LXB_TAG_TD || tag == LXB_TAG_LI;
}

}  // namespace

// As in Readability: points for length and commas; all of them for the nearest element, 1/2 for the next, then 1/6, 1/9
// and 1/12.
bool ContainerScores::score(const PageTree& tree, StopCheck& stop) {
  constexpr std::uint32_t kUnitPoint = 12;  // scale, so that the integer divisions below lose little
  constexpr int kScoredLevels = 5;
  scores.assign(tree.elements.size(), 0);
  return in_pieces(tree.units.size(), stop, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const TextUnit& unit = tree.units[i];
      if (unit.text.tokens < kProseTokens) continue;
      const std::uint32_t points = 1 + unit.text.commas + std::min<std::uint32_t>(unit.text.visible_bytes / 100, 3);
      std::uint32_t element = unit.element;
      if (is_line(tree.elements[element].tag)) element = tree.elements[element].parent;
      for (int level = 0; level < kScoredLevels; ++level) {
        scores[element] += std::uint64_t{points} * kUnitPoint / (level == 0 ? 1 : level == 1 ? 2 : 3 * level);
        if (element == 0) break;
        element = tree.elements[element].parent;
      }
    }
  });
}

bool ContainerScores::choose(const PageTree& tree, const UnitSums& sums, StopCheck& stop) {
  best_scored = 0;
  best_balanced = 0;
  std::int32_t best_balance = INT32_MIN;
  return in_pieces(tree.elements.size(), stop, [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
      const PageElement& element = tree.elements[i];
      const UnitSums::Totals totals = sums.of(element);
      if (totals.tokens == 0) continue;
      scores[i] = scores[i] * (totals.tokens - std::min(totals.link_tokens, totals.tokens)) / totals.tokens;
      if (scores[i] > scores[best_scored]) best_scored = i;
      if (totals.balance >= best_balance) {  // of equal elements, the innermost
        best_balance = totals.balance;
        best_balanced = i;
      }
    }
  });
}

// Elements of equal signature are the items of lists, threads and teasers. The table is at most half full, and
// seeded, so that no page can choose names that share a slot.
bool ContainerScores::count_like(const PageTree& tree, const UnitSums& sums, StopCheck& stop) {
  const std::size_t slots = std::bit_ceil(tree.elements.size() * 2);
  like_elements_.clear();
  like_slots_.assign(slots, 0);
  like_of_.resize(tree.elements.size());
  return in_pieces(tree.elements.size(), stop, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t signature = tree.elements[i].signature;
      std::size_t slot = seeded_mix64(signature, process_hash_seed()) & (slots - 1);
      while (like_slots_[slot] != 0 && like_elements_[like_slots_[slot] - 1].signature != signature)
        slot = (slot + 1) & (slots - 1);
      if (like_slots_[slot] == 0) {
        like_elements_.push_back({signature, 0, 0});
        like_slots_[slot] = static_cast<std::uint32_t>(like_elements_.size());
      }
      like_of_[i] = like_slots_[slot] - 1;
      LikeElements& like = like_elements_[like_of_[i]];
      ++like.count;
      like.with_prose += sums.of(tree.elements[i]).prose_tokens > 0;
    }
  });
}

// At most kFarDistance: beyond it, distances make no difference to the model.
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

}  // namespace paraprint::inline extract
