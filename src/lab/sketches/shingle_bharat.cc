// The modulus sampler: keeps a page's shingles whose hash is divisible by 25, at most 400 of them (often credited to
// K. Bharat; usually reported for A. Broder et al. 1997; docs/algorithms/shingles.md).
//
// A sample that grows with the page keeps resemblance and containment unbiased. Cost: one hash per word. Fails on short
// pages, of which hardly any shingle is kept; the cap makes long pages look different from their excerpts.
#include <array>

#include "lab/fingerprinters.h"
#include "lab/sketches/shingle_builder.h"
#include "lab/sketches/shingle_modulus.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kShingleBharatParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    kShingleModulusParameter,
    kShingleCapParameter,
    ParameterInfo{"threshold", "minimum resemblance of the samples of copies", 0.8, 0.01, 1, false},
};

constexpr std::size_t kValuesMinimum = 4;  // pages with fewer are SHORT

class ShingleBharat final : public PageFingerprinter {
 public:
  explicit ShingleBharat(const ParameterValues& values)
      : builder_(values),
        modulus_(values.integer("modulus")),
        cap_(values.integer("cap")),
        threshold_(values.real("threshold")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    const bool is_long_enough = builder_.build(page.terms, fingerprint.values);
    keep_multiples(modulus_, cap_, fingerprint.values);
    if (!is_long_enough || fingerprint.values.size() < kValuesMinimum) fingerprint.state = FingerprintState::kShort;
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return similarity_of_sets(a.values, b.values);
  }

  bool has_shape(const PageFingerprint& fingerprint) const override { return !fingerprint.values.empty(); }
  double threshold() const override { return threshold_; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return SetOverlapPlan{.measure = SetMeasure::kJaccard, .similarity_minimum = resemblance_minimum};
  }

 private:
  ShingleBuilder builder_;
  std::uint64_t modulus_;
  std::size_t cap_;
  double threshold_;
};

}  // namespace

const FingerprinterFactory kShingleBharat = {kShingleBharatParameters,
                                             [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                               return std::make_unique<ShingleBharat>(values);
                                             }};

}  // namespace paraprint::inline lab::inline sketches
