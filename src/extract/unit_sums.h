// Prefix sums over the units of a page; the totals of any container are a difference of two of them.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/page_tree.h"

namespace paraprint::inline extract {

// Whether a unit reads like running text: long enough, with punctuation, and with few links.
bool is_prose(const TextUnit& unit);
inline constexpr std::uint32_t kProseTokens = 8;  // minimum length of such a unit

struct UnitSums {
  struct Totals {
    std::uint32_t tokens = 0;
    std::uint32_t link_tokens = 0;
    std::uint32_t prose_tokens = 0;
    std::int32_t balance = 0;  // prose minus clutter
  };
  std::vector<Totals> before;  // sums over the units before each unit, and over all units (one more than units)

  // Cost: O(units).
  void compute(const PageTree& tree);
  Totals of(const PageElement& element) const;
  const Totals& page() const { return before.back(); }
};

}  // namespace paraprint::inline extract
