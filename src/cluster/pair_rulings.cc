// A sorted list: rulings are few, and most pairs have none.
#include "cluster/pair_rulings.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace paraprint::inline cluster {
namespace {

auto pages_of(const RuledPair& pair) {
  return std::pair(pair.page_a, pair.page_b);
}

}  // namespace

void PairRulings::add(std::uint32_t page_a, std::uint32_t page_b, PairRuling ruling) {
  PARAPRINT_ASSERT(page_a != page_b && ruling != PairRuling::kNone);
  pairs_.push_back({std::min(page_a, page_b), std::max(page_a, page_b), ruling});
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> PairRulings::finish() {
  std::sort(pairs_.begin(), pairs_.end(), [](const RuledPair& a, const RuledPair& b) {
    return std::tuple(a.page_a, a.page_b, a.ruling) < std::tuple(b.page_a, b.page_b, b.ruling);
  });
  for (std::size_t i = 1; i < pairs_.size(); ++i) {
    const bool is_repeated = pages_of(pairs_[i - 1]) == pages_of(pairs_[i]);
    if (is_repeated && pairs_[i - 1].ruling != pairs_[i].ruling) return pages_of(pairs_[i]);
  }
  const auto is_same = [](const RuledPair& a, const RuledPair& b) { return pages_of(a) == pages_of(b); };
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), is_same), pairs_.end());
  return std::nullopt;
}

PairRuling PairRulings::find(std::uint32_t page_a, std::uint32_t page_b) const {
  const std::pair wanted(std::min(page_a, page_b), std::max(page_a, page_b));
  const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), wanted,
                                      [](const RuledPair& pair, const auto& pages) { return pages_of(pair) < pages; });
  return found != pairs_.end() && pages_of(*found) == wanted ? found->ruling : PairRuling::kNone;
}

void PairRulings::decide(Match& match) const {
  const PairRuling ruling = pairs_.empty() ? PairRuling::kNone : find(match.page_a, match.page_b);
  if (ruling == PairRuling::kNever) match.verdict = Verdict::kDistinct;
  if (ruling == PairRuling::kAlways) match.verdict = Verdict::kNear;
}

}  // namespace paraprint::inline cluster
