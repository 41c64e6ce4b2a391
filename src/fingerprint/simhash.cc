#include "fingerprint/simhash.h"

#include <array>
#include <cstddef>

#include "base/assert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fingerprint/simhash.cc"
#include <hwy/foreach_target.h>  // compiles the part between the namespaces once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace paraprint {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBits = 128;

// Adds weight to counters[b] for every set bit b of the hash; bit b is bit b % 64 of `low` (b < 64) or `high`.
void add_set_bits(const Fingerprint128* hashes, const std::uint32_t* weights, std::size_t count,
                  std::uint32_t* HWY_RESTRICT counters) {
  const hn::CappedTag<std::uint32_t, 16> lanes;
  const std::size_t width = hn::Lanes(lanes);
  HWY_ALIGN std::uint32_t bit_of_lane[16];
  for (std::size_t i = 0; i < width; ++i) bit_of_lane[i] = std::uint32_t{1} << i;
  const auto select = hn::Load(lanes, bit_of_lane);
  for (std::size_t base = 0; base < kBits; base += width) {
    auto sum = hn::Load(lanes, counters + base);
    const unsigned shift = static_cast<unsigned>(base % 64);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = base < 64 ? hashes[i].low : hashes[i].high;
      const auto bits = hn::Set(lanes, static_cast<std::uint32_t>(word >> shift));
      const auto mask = hn::TestBit(bits, select);
      sum = hn::Add(sum, hn::IfThenElseZero(mask, hn::Set(lanes, weights[i])));
    }
    hn::Store(sum, lanes, counters + base);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace paraprint
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paraprint {
namespace {

HWY_EXPORT(add_set_bits);

constexpr std::size_t kBits = 128;
constexpr std::uint32_t kLargestWeight = std::uint32_t{1} << 28;
constexpr std::uint64_t kCounterLimit = std::uint64_t{1} << 32;

struct Votes {
  std::array<std::uint64_t, kBits> for_one{};
  std::uint64_t all = 0;
};

Fingerprint128 sign_of(const Votes& votes) {
  Fingerprint128 result;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    // for - against > 0, where against = all - for.
    result.low |= std::uint64_t{2 * votes.for_one[bit] > votes.all} << bit;
    result.high |= std::uint64_t{2 * votes.for_one[bit + 64] > votes.all} << bit;
  }
  return result;
}

}  // namespace

Fingerprint128 simhash128(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights) {
  PARAPRINT_ASSERT(hashes.size() == weights.size());
  const auto add = HWY_DYNAMIC_DISPATCH(add_set_bits);
  Votes votes;
  std::size_t begin = 0;
  while (begin < hashes.size()) {
    std::uint64_t batch_weight = 0;  // keeps every 32-bit counter below its limit
    std::size_t end = begin;
    while (end < hashes.size() && batch_weight + weights[end] < kCounterLimit) {
      PARAPRINT_ASSERT(weights[end] <= kLargestWeight);
      batch_weight += weights[end++];
    }
    alignas(64) std::array<std::uint32_t, kBits> counters{};
    add(hashes.data() + begin, weights.data() + begin, end - begin, counters.data());
    for (std::size_t bit = 0; bit < kBits; ++bit) votes.for_one[bit] += counters[bit];
    votes.all += batch_weight;
    begin = end;
  }
  return sign_of(votes);
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

}  // namespace paraprint
#endif  // HWY_ONCE
