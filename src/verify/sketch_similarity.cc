#include "verify/sketch_similarity.h"

#include <algorithm>

namespace paraprint {
namespace {

constexpr double kEqualByChance = 1.0 / 256;  // of two bytes
// Fewer distinct numbers say nothing: a date or a list of three.
constexpr std::uint32_t kNumbersMinimum = 5;
// Shares of common numbers from which two texts count as naming the same ones.
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
  // The smallest kNumbersKept of the union are known; how many of them both hold estimates the Jaccard similarity.
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
    const double jaccard = shared / static_cast<double>(seen);
    shared = jaccard / (1 + jaccard) * (static_cast<double>(a.number_count) + static_cast<double>(b.number_count));
  }
  return std::clamp(shared / fewer / kAgreeingShare, 0.0, 1.0);
}

}  // namespace paraprint
