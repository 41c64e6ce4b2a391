// Sums over the units of a page: what any container holds is a difference of two of them.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/page_tree.h"

namespace paraprint {

// A unit that reads like part of a text: long enough, with punctuation, little of it links.
bool is_prose(const TextUnit& unit);
inline constexpr std::uint32_t kProseTokens = 8;  // the shortest such unit

struct UnitSums {
  struct Totals {
    std::uint32_t tokens = 0;
    std::uint32_t link_tokens = 0;
    std::uint32_t prose_tokens = 0;
    std::int32_t balance = 0;  // prose minus clutter
  };
  std::vector<Totals> before;  // sums over the units before each unit, and over all: one more than units

  // Cost: O(units).
  void compute(const PageTree& tree);
  Totals of(const PageElement& element) const;
  const Totals& page() const { return before.back(); }
};

}  // namespace paraprint
