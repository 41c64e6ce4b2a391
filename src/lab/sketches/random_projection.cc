// Random projection (M. Charikar, STOC 2002; parameters of M. Henzinger, SIGIR 2006): 384 sign bits of the page's word
// counts, of which copies differ in at most 12 (docs/algorithms/simhash.md#random-projection).
//
// Each bit says on which side of a random hyperplane the vector of counts lies, so the share of differing bits
// estimates the angle between two pages. Graded and small, but ignores word order, and pages of one site look alike if
// their frame was not removed. Stop words count. Cost: `bits` votes per distinct word, 64 at once. Index: an exact
// Hamming join up to 128 bits; above that equal blocks, since of distance + 1 blocks at least one has no differing bit.
#include <algorithm>
#include <array>

#include "base/hamming_distance.h"
#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/sign_projection.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kRandomProjectionParameters = {
    ParameterInfo{"bits", "length of the fingerprint", 384, 16, 1024},
    ParameterInfo{"distance_bits", "maximum number of differing bits of copies; at most a quarter of all", 12, 0, 256},
};
constexpr std::size_t kDistinctWordsMinimum = 8;  // with fewer, bits mean little, and ties all give 0
constexpr std::size_t kWordBits = 64;
constexpr std::size_t kSummaryBits = 2 * kWordBits;
constexpr std::size_t kHammingJoinDistance = 31;  // the maximum of the exact join

// Bits [begin, begin + size), counted from the top of words[0]; size is 1 to 64.
std::uint64_t bits_of(const std::vector<std::uint64_t>& words, std::size_t begin, std::size_t size) {
  const std::size_t word = begin / kWordBits;
  const std::size_t offset = begin % kWordBits;
  std::uint64_t bits = words[word] << offset;
  if (offset + size > kWordBits) bits |= words[word + 1] >> (kWordBits - offset);
  return bits >> (kWordBits - size);
}

class RandomProjection final : public PageFingerprinter {
 public:
  explicit RandomProjection(const ParameterValues& values)
      : bits_(values.integer("bits")),
        distance_bits_(std::min<std::size_t>(values.integer("distance_bits"), bits_ / 4)) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    terms_.collect(page.terms);
    if (terms_.hashes.size() < kDistinctWordsMinimum) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    fingerprint.values.resize((bits_ + kWordBits - 1) / kWordBits);
    sign_projection(terms_.hashes, terms_.counts, fingerprint.values);
    // The last word may be longer than the fingerprint: clear the rest, so that it never differs.
    const std::size_t unused = fingerprint.values.size() * kWordBits - bits_;
    fingerprint.values.back() = fingerprint.values.back() >> unused << unused;
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {resemblance_at(static_cast<std::size_t>(hamming_distance(std::span(a.values), std::span(b.values)))), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return fingerprint.values.size() == (bits_ + kWordBits - 1) / kWordBits;
  }
  double threshold() const override { return resemblance_at(distance_bits_); }
  double sweep_minimum() const override { return resemblance_at(2 * distance_bits_); }

  IndexPlan index_plan(double resemblance_minimum) const override {
    // Counted up rather than computed, so that rounding cannot exclude the distance that gives exactly the minimum.
    std::size_t distance = 0;
    while (distance < bits_ && resemblance_at(distance + 1) >= resemblance_minimum) ++distance;
    const auto distance_bits = static_cast<int>(distance);
    const bool has_join = bits_ <= 2 * kWordBits && distance <= kHammingJoinDistance && 2 * distance < bits_;
    if (!has_join) return EqualKeysPlan{.distance_bits = distance_bits};
    return HammingPlan{.width_bits = bits_ <= kWordBits ? 64 : 128, .distance_bits = distance_bits};
  }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    const std::size_t blocks = std::min(static_cast<std::size_t>(plan.distance_bits) + 1, bits_);
    for (std::size_t block = 0; block < blocks; ++block) {
      // The number of the block makes equal bits in different blocks different keys.
      std::uint64_t key = mix64(block + 1);
      const std::size_t end = (block + 1) * bits_ / blocks;
      for (std::size_t begin = block * bits_ / blocks; begin < end; begin += kWordBits) {
        key = mix64(key ^ bits_of(fingerprint.values, begin, std::min(kWordBits, end - begin)));
      }
      keys.push_back(key);
    }
  }

  // The first bits: of copies, not more differ than of all.
  bool has_summary() const override { return bits_ >= kSummaryBits; }
  Fingerprint128 summary(const PageFingerprint& fingerprint) const override {
    return {fingerprint.values[0], fingerprint.values[1]};
  }
  SummaryFilter summary_filter(const PageFingerprint& asked) const override {
    return [asked = summary(asked), limit = static_cast<int>(distance_bits_)](const Fingerprint128& other) {
      return hamming_distance(asked, other) <= limit;
    };
  }

 private:
  double resemblance_at(std::size_t distance) const {
    return 1 - static_cast<double>(distance) / static_cast<double>(bits_);
  }

  std::size_t bits_;
  std::size_t distance_bits_;
  CountedTerms terms_;
};

}  // namespace

const FingerprinterFactory kRandomProjection = {
    kRandomProjectionParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<RandomProjection>(values);
    }};

}  // namespace paraprint::inline lab::inline sketches
