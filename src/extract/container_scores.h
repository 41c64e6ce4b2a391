// Which containers of a page look like the content before anything is learnt, and how often their like occurs.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/page_tree.h"
#include "extract/unit_sums.h"

namespace paraprint {

struct LikeElements {  // of one signature, in the whole page
  std::uint32_t signature = 0;
  std::uint32_t count = 0;
  std::uint32_t with_prose = 0;
};

struct ContainerScores {
  // Readability's candidate score in integers, an element: units of some length give points to the elements around
  // them, less with each level, reduced by the share of links.
  std::vector<std::uint64_t> scores;
  std::uint32_t best_scored = 0;
  std::uint32_t best_balanced = 0;  // with most prose minus clutter

  // Cost: O(units + elements).
  void compute(const PageTree& tree, const UnitSums& sums) {
    score(tree);
    choose(tree, sums);
    count_like(tree, sums);
  }
  const LikeElements& like(std::uint32_t element) const { return like_elements_[like_of_[element]]; }

 private:
  void score(const PageTree& tree);
  void choose(const PageTree& tree, const UnitSums& sums);
  void count_like(const PageTree& tree, const UnitSums& sums);

  std::vector<LikeElements> like_elements_;
  std::vector<std::uint32_t> like_slots_;  // a hash table with open addressing: places in like_elements_ plus one
  std::vector<std::uint32_t> like_of_;     // place in like_elements_, an element
};

// How far outside of `element` a unit stands: 0 inside, else levels of containers up to a common ancestor.
std::uint8_t levels_outside(const PageTree& tree, std::uint32_t element, std::size_t unit);

}  // namespace paraprint
