// Scores containers by hand-written rules, as input of the models, and counts how often similar containers occur.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/page_tree.h"
#include "extract/unit_sums.h"

namespace paraprint::inline extract {

struct LikeElements {  // all elements of one signature in the page
  std::uint32_t signature = 0;
  std::uint32_t count = 0;
  std::uint32_t with_prose = 0;
};

struct ContainerScores {
  // Readability's candidate score per element, in integers: units of some length give points to the elements around
  // them, fewer with each level, reduced by the share of links.
  std::vector<std::uint64_t> scores;
  std::uint32_t best_scored = 0;
  std::uint32_t best_balanced = 0;  // the element with the highest balance of prose minus clutter

  // False if `stop` is stopped in between; not all is computed then. Cost: O(units + elements).
  bool compute(const PageTree& tree, const UnitSums& sums, StopCheck& stop) {
    return score(tree, stop) && choose(tree, sums, stop) && count_like(tree, sums, stop);
  }
  const LikeElements& like(std::uint32_t element) const { return like_elements_[like_of_[element]]; }

 private:
  bool score(const PageTree& tree, StopCheck& stop);
  bool choose(const PageTree& tree, const UnitSums& sums, StopCheck& stop);
  bool count_like(const PageTree& tree, const UnitSums& sums, StopCheck& stop);

  std::vector<LikeElements> like_elements_;
  std::vector<std::uint32_t> like_slots_;  // an open-addressing hash table: index in like_elements_ plus one
  std::vector<std::uint32_t> like_of_;     // by element: index in like_elements_
};

// How far a unit is outside `element`: 0 if inside, otherwise the number of container levels up to a common ancestor.
std::uint8_t levels_outside(const PageTree& tree, std::uint32_t element, std::size_t unit);

}  // namespace paraprint::inline extract
