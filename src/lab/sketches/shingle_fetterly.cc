// Fetterly's supershingles: 84 min-hashes of 5-word shingles in six groups of fourteen, one hash per group; pages are
// copies if two of the six are equal (D. Fetterly, M. Manasse, M. Najork, "On the evolution of clusters of
// near-duplicate web pages", 2003; docs/algorithms/shingles.md).
//
// 48 bytes per page, found by equality alone. Cost: 84 mixes per shingle. Steep: 88 % of the pairs with a resemblance
// of 0.95 are found, 42 % at 0.9 and 3 % at 0.8, so it suits copies with hardly any edits.
#include <array>
#include <cmath>

#include "lab/fingerprinters.h"
#include "lab/sketches/minhash_supershingles.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kShingleFetterlyParameters = {kShingleWidthParameter, kShingleUnitParameter,
                                                   kCommonSupershinglesParameter};

double megashingle_resemblance(std::size_t common) {
  return static_cast<double>(common) / kSupershingles;
}

class ShingleFetterly final : public PageFingerprinter {
 public:
  explicit ShingleFetterly(const ParameterValues& values)
      : builder_(values), common_minimum_(values.integer("common_minimum")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    if (!builder_.list(page.terms, shingles_)) fingerprint.state = FingerprintState::kShort;
    if (shingles_.empty()) return;
    const auto values = supershingles(shingles_);
    fingerprint.values.assign(values.begin(), values.end());
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {megashingle_resemblance(common_supershingles(a.values, b.values)), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return fingerprint.values.size() == kSupershingles;
  }
  double threshold() const override { return megashingle_resemblance(common_minimum_); }
  double sweep_minimum() const override { return megashingle_resemblance(1); }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return EqualKeysPlan{.resemblance_minimum = resemblance_minimum};
  }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    // Pairs of supershingles are more selective keys, but a sweep down to one common supershingle needs single ones.
    append_supershingle_keys(fingerprint.values, plan.resemblance_minimum > megashingle_resemblance(1) ? 2 : 1, keys);
  }

 private:
  ShingleBuilder builder_;
  std::size_t common_minimum_;
  std::vector<std::uint64_t> shingles_;
};

}  // namespace

const FingerprinterFactory kShingleFetterly = {kShingleFetterlyParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<ShingleFetterly>(values);
                                               }};

}  // namespace paraprint::inline lab::inline sketches
