// Estimators over page sketches. Both work on samples, the lowest byte of each min-hash and the smallest hashes of the
// distinct numbers, and correct for what the samples lose.
#include "verify/sketch_similarity.h"

#include <algorithm>

namespace paraprint::inline verify {
namespace {

constexpr double kEqualByChance = 1.0 / 256;  // probability that two random bytes are equal
// With fewer distinct numbers there is no evidence: a date or a list of three.
constexpr std::uint32_t kNumbersMinimum = 5;
// From this share of common numbers, the texts fully agree. On the training data 99 % of the copies share 0.77 and
// more, 99 % of the look-alikes 0.46 and less.
constexpr double kAgreeingShare = 0.7;

}  // namespace

double pair_similarity(const PageSketch& a, const PageSketch& b) {
  if (a.pair_hashes.empty() || b.pair_hashes.empty()) return 0;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < PageSketch::kPairHashes; ++i) equal += a.pair_hashes[i] == b.pair_hashes[i] ? 1 : 0;
  const double share = static_cast<double>(equal) / static_cast<double>(PageSketch::kPairHashes);
  return std::max(0.0, (share - kEqualByChance) / (1 - kEqualByChance));
}

double number_agreement(const PageSketch& a, const PageSketch& b) {
  const std::uint32_t fewer = std::min(a.number_count, b.number_count);
  if (fewer < kNumbersMinimum) return 1;
  // The kNumbersKept smallest hashes of the union are known: the share of them that both pages hold estimates the
  // Jaccard similarity (bottom-k sketch). If both sketches are complete, the count is exact.
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t seen = 0;
  std::size_t common = 0;
  const bool all_known = a.number_count <= PageSketch::kNumbersKept && b.number_count <= PageSketch::kNumbersKept;
  while (i < a.numbers.size() && j < b.numbers.size() && (all_known || seen < PageSketch::kNumbersKept)) {
    common += a.numbers[i] == b.numbers[j] ? 1 : 0;
    const bool takes_a = a.numbers[i] <= b.numbers[j];
    const bool takes_b = b.numbers[j] <= a.numbers[i];
    i += takes_a ? 1 : 0;
    j += takes_b ? 1 : 0;
    ++seen;
  }
  double shared = static_cast<double>(common);
  if (!all_known && seen > 0) {
    // |A and B| = J / (1 + J) * (|A| + |B|).
    const double jaccard = shared / static_cast<double>(seen);
    shared = jaccard / (1 + jaccard) * (static_cast<double>(a.number_count) + static_cast<double>(b.number_count));
  }
  return std::clamp(shared / fewer / kAgreeingShare, 0.0, 1.0);
}

}  // namespace paraprint::inline verify
