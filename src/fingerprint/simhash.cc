// Only votes for a bit are counted; votes against it follow from the total. Features are processed in batches whose
// weights sum to less than 2^32, so that 32-bit counters cannot overflow; a single batch needs no 64-bit totals.
// Compiled once per instruction set by Highway, which selects the best one at run time.
#include "fingerprint/simhash.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/assert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fingerprint/simhash.cc"
#include <hwy/foreach_target.h>  // compiles the part between the namespaces once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace paraprint::inline fingerprint {

namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBits = 128;

// Adds the weight to counters[b] for every bit b set in the hash; bit b is bit b % 64 of `low` (b < 64) or of `high`.
// Handles two vectors of counters at a time: both take their bits from the same 32-bit word, and share the weight.
void add_set_bits(const Fingerprint128* hashes, const std::uint32_t* weights, std::size_t count,
                  std::uint32_t* HWY_RESTRICT counters) {
  const hn::CappedTag<std::uint32_t, 16> lanes;
  const std::size_t width = hn::Lanes(lanes);
  HWY_ALIGN std::uint32_t bit_of_lane[32];
  for (std::size_t i = 0; i < 2 * width; ++i) bit_of_lane[i] = std::uint32_t{1} << i;
  const auto first_bits = hn::Load(lanes, bit_of_lane);
  const auto second_bits = hn::Load(lanes, bit_of_lane + width);
  for (std::size_t base = 0; base < kBits; base += 2 * width) {
    auto first = hn::Load(lanes, counters + base);
    auto second = hn::Load(lanes, counters + base + width);
    const unsigned shift = static_cast<unsigned>(base % 64);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = base < 64 ? hashes[i].low : hashes[i].high;
      const auto bits = hn::Set(lanes, static_cast<std::uint32_t>(word >> shift));
      const auto weight = hn::Set(lanes, weights[i]);
      first = hn::Add(first, hn::IfThenElseZero(hn::TestBit(bits, first_bits), weight));
      second = hn::Add(second, hn::IfThenElseZero(hn::TestBit(bits, second_bits), weight));
    }
    hn::Store(first, lanes, counters + base);
    hn::Store(second, lanes, counters + base + width);
  }
}

}  // namespace HWY_NAMESPACE

}  // namespace paraprint::inline fingerprint
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint::inline fingerprint {
namespace {

HWY_EXPORT(add_set_bits);

constexpr std::size_t kBits = 128;
constexpr std::uint64_t kCounterLimit = std::uint64_t{1} << 32;

// Bits with more than half of all votes: for - against > 0, where against = all - for.
template <class Counter>
Fingerprint128 sign_of(const std::array<Counter, kBits>& votes, Counter half_of_all) {
  Fingerprint128 result;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    result.low |= std::uint64_t{votes[bit] > half_of_all} << bit;
    result.high |= std::uint64_t{votes[bit + 64] > half_of_all} << bit;
  }
  return result;
}

// The number of leading weights that fit into 32-bit counters together, and their sum.
struct Batch {
  std::size_t size = 0;
  std::uint64_t weight = 0;
};

Batch first_batch(std::span<const std::uint32_t> weights) {
  Batch batch;
  while (batch.size < weights.size() && batch.weight + weights[batch.size] < kCounterLimit) {
    PARAPRINT_ASSERT(weights[batch.size] <= kSimHashWeightMaximum);
    batch.weight += weights[batch.size++];
  }
  return batch;
}

}  // namespace

void append_feature(const Fingerprint128& hash, std::uint64_t weight, std::vector<Fingerprint128>& hashes,
                    std::vector<std::uint32_t>& weights) {
  while (weight > 0) {
    const std::uint64_t piece = std::min<std::uint64_t>(weight, kSimHashWeightMaximum);
    hashes.push_back(hash);
    weights.push_back(static_cast<std::uint32_t>(piece));
    weight -= piece;
  }
}

Fingerprint128 simhash128(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights) {
  PARAPRINT_ASSERT(hashes.size() == weights.size());
  const auto add = HWY_DYNAMIC_DISPATCH(add_set_bits);
  std::array<std::uint64_t, kBits> votes{};
  std::uint64_t all = 0;
  for (std::size_t begin = 0;;) {
    const Batch batch = first_batch(weights.subspan(begin));
    alignas(64) std::array<std::uint32_t, kBits> counters{};
    add(hashes.data() + begin, weights.data() + begin, batch.size, counters.data());
    if (batch.size == hashes.size()) return sign_of(counters, static_cast<std::uint32_t>(batch.weight / 2));
    for (std::size_t bit = 0; bit < kBits; ++bit) votes[bit] += counters[bit];
    all += batch.weight;
    begin += batch.size;
    if (begin == hashes.size()) return sign_of(votes, all / 2);
  }
}

Fingerprint128 simhash128_reference(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights) {
  Fingerprint128 result;
  for (int bit = 0; bit < 128; ++bit) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      const std::uint64_t word = bit < 64 ? hashes[i].low : hashes[i].high;
      sum += (word >> (bit % 64) & 1) != 0 ? std::int64_t{weights[i]} : -std::int64_t{weights[i]};
    }
    if (sum > 0) (bit < 64 ? result.low : result.high) |= std::uint64_t{1} << (bit % 64);
  }
  return result;
}

}  // namespace paraprint::inline fingerprint
#endif  // HWY_ONCE
