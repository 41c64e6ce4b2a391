// Definition of prose, and the prefix sums. All sums fit 32 bits, because the size of a document is limited.
#include "extract/unit_sums.h"

#include <algorithm>

namespace paraprint::inline extract {
namespace {

// Cap on the tokens of a unit that is not prose, so that one long list of links does not outweigh an article.
constexpr std::uint32_t kClutterCap = 12;

}  // namespace

bool is_prose(const TextUnit& unit) {
  return unit.text.tokens >= kProseTokens && unit.link_tokens * 3 <= unit.text.tokens &&
         unit.text.sentence_ends + unit.text.commas > 0;
}

void UnitSums::compute(const PageTree& tree) {
  before.resize(tree.units.size() + 1);
  Totals totals;
  before[0] = totals;
  for (std::size_t i = 0; i < tree.units.size(); ++i) {
    const TextUnit& unit = tree.units[i];
    totals.tokens += unit.text.tokens;
    totals.link_tokens += unit.link_tokens;
    if (is_prose(unit)) {
      totals.prose_tokens += unit.text.tokens;
      totals.balance += static_cast<std::int32_t>(unit.text.tokens - unit.link_tokens);
    } else {
      totals.balance -= static_cast<std::int32_t>(std::min(unit.text.tokens, kClutterCap));
    }
    before[i + 1] = totals;
  }
}

// Unsigned differences cannot underflow, as prefix sums never decrease; the balance is signed and may.
UnitSums::Totals UnitSums::of(const PageElement& element) const {
  Totals totals = before[element.unit_end];
  const Totals& start = before[element.unit_begin];
  totals.tokens -= start.tokens;
  totals.link_tokens -= start.link_tokens;
  totals.prose_tokens -= start.prose_tokens;
  totals.balance -= start.balance;
  return totals;
}

}  // namespace paraprint::inline extract
