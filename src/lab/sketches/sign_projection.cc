// The sums are vertical counters: plane k holds bit k of 64 sums, and adding a word of 64 votes is a ripple carry of
// AND and XOR over the planes. A vote with weight w is one addition per bit set in w.
#include "lab/sketches/sign_projection.h"

#include <array>
#include <bit>
#include <cstddef>

#include "base/assert.h"
#include "base/split_mix.h"

namespace paraprint::inline lab::inline sketches {
namespace {

class VerticalCounters {  // 64 sums of up to 64 bits
 public:
  void add(std::uint64_t votes, std::uint32_t weight) {
    for (; weight != 0; weight &= weight - 1) {
      std::uint64_t carry = votes;
      for (auto plane = static_cast<std::size_t>(std::countr_zero(weight)); carry != 0; ++plane) {
        const std::uint64_t both = planes_[plane] & carry;
        planes_[plane] ^= carry;
        carry = both;
      }
    }
  }

  std::uint64_t sum(unsigned bit) const {
    std::uint64_t result = 0;
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) result |= (planes_[plane] >> bit & 1) << plane;
    return result;
  }

 private:
  std::array<std::uint64_t, 64> planes_{};
};

}  // namespace

void CountedTerms::collect(const PageTerms& terms) {
  hashes.clear();
  counts.clear();
  for (const Term& term : terms.terms) {
    if (term.count == 0) continue;
    hashes.push_back(term.hash);
    counts.push_back(term.count);
  }
}

void sign_projection(std::span<const std::uint64_t> hashes, std::span<const std::uint32_t> weights,
                     std::span<std::uint64_t> words) {
  PARAPRINT_ASSERT(hashes.size() == weights.size());
  std::uint64_t all = 0;
  for (const std::uint32_t weight : weights) all += weight;
  for (std::size_t word = 0; word < words.size(); ++word) {
    // Output number word + 1 of a SplitMix64 generator seeded with the term's hash, computed directly.
    const std::uint64_t steps = (word + 1) * kSplitMixStep;
    VerticalCounters votes_for;
    for (std::size_t i = 0; i < hashes.size(); ++i) votes_for.add(split_mix_output(hashes[i] + steps), weights[i]);
    words[word] = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
      // for - against > 0, where against = all - for.
      words[word] |= std::uint64_t{2 * votes_for.sum(bit) > all} << bit;
    }
  }
}

}  // namespace paraprint::inline lab::inline sketches
