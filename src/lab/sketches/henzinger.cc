// Henzinger's combination: pages with two equal supershingles of 8-token shingles, confirmed by a random projection to
// 384 bits (M. Henzinger, "Finding near-duplicate web pages: a large-scale evaluation of algorithms", SIGIR 2006;
// docs/algorithms/shingles.md#henzinger).
//
// On 1.6 billion pages the two tests alone had a precision of 38 % and 50 %; the order-aware test followed by the
// frequency-aware one had 79 %. Resemblance is the share of equal bits, or 0 without common supershingles, so a sweep
// varies the second test only. Stored: 96 bytes per page. Weak where supershingles are: below a resemblance of 0.9.
#include <array>

#include "base/hamming_distance.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/minhash_supershingles.h"
#include "lab/sketches/shingle_builder.h"
#include "lab/sketches/sign_projection.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::size_t kProjectionWords = 6;
constexpr int kProjectionBits = 64 * static_cast<int>(kProjectionWords);
constexpr std::size_t kDistinctTermsMinimum = 8;  // with fewer, the projection is meaningless and the page SHORT
constexpr ParameterInfo kWidth{"width", "tokens in a shingle", 8, 1, 64};

constexpr std::array kHenzingerParameters = {
    kWidth,
    kCommonSupershinglesParameter,
    ParameterInfo{"distance_bits", "maximum number of the 384 projected bits that differ between copies", 29, 0, 383},
};

double projection_resemblance(int distance_bits) {
  return static_cast<double>(kProjectionBits - distance_bits) / kProjectionBits;
}

class Henzinger final : public PageFingerprinter {
 public:
  explicit Henzinger(const ParameterValues& values)
      : builder_(values.integer("width"), false),
        common_minimum_(values.integer("common_minimum")),
        distance_bits_(static_cast<int>(values.integer("distance_bits"))) {}

  // values: the six supershingles, then the projection. Shingles are always sets of words here, as published.
  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    const bool is_long_enough = builder_.build(page.terms, shingles_);
    terms_.collect(page.terms);
    if (!is_long_enough || terms_.hashes.size() < kDistinctTermsMinimum) fingerprint.state = FingerprintState::kShort;
    if (shingles_.empty()) return;
    const auto values = supershingles(shingles_);
    fingerprint.values.assign(values.begin(), values.end());
    fingerprint.values.resize(kSupershingles + kProjectionWords);
    sign_projection(terms_.hashes, terms_.counts, std::span(fingerprint.values).subspan(kSupershingles));
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    if (common_supershingles(a.values, b.values) < common_minimum_) return {};
    const auto projection = [](const PageFingerprint& page) { return std::span(page.values).subspan(kSupershingles); };
    return {projection_resemblance(hamming_distance(projection(a), projection(b))), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return fingerprint.values.size() == kSupershingles + kProjectionWords;
  }
  double threshold() const override { return projection_resemblance(distance_bits_); }
  IndexPlan index_plan(double) const override { return {}; }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan&,
                  std::vector<std::uint64_t>& keys) const override {
    append_supershingle_keys(fingerprint.values, common_minimum_, keys);
  }

 private:
  ShingleBuilder builder_;
  std::size_t common_minimum_;
  int distance_bits_;
  std::vector<std::uint64_t> shingles_;
  CountedTerms terms_;
};

}  // namespace

const FingerprinterFactory kHenzinger = {kHenzingerParameters,
                                         [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                           return std::make_unique<Henzinger>(values);
                                         }};

}  // namespace paraprint::inline lab::inline sketches
