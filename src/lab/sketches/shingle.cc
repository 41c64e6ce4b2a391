// w-shingling: a page is the set of its windows of w words or characters; pages are copies if the sets overlap enough
// (A. Broder, "On the resemblance and containment of documents", 1997; docs/algorithms/shingles.md).
//
// Exact, and the test oracle of all samplers of shingles. Cost: one hash per word, 8 bytes stored per shingle. One
// changed word changes w shingles; moved paragraphs change only w-1 at each border. The title is not part of the text.
#include <algorithm>
#include <array>

#include "lab/fingerprinters.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array<std::string_view, 2> kMeasures = {"resemblance", "containment"};
constexpr std::array kShingleParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    ParameterInfo{"measure", "resemblance: common / all; containment: common / shingles of the smaller page", 0, 0, 1,
                  true, kMeasures},
    ParameterInfo{"threshold", "minimum resemblance or containment of copies", 0.8, 0.01, 1, false},
};

class Shingle final : public PageFingerprinter {
 public:
  explicit Shingle(const ParameterValues& values)
      : builder_(values),
        is_containment_(values.choice("measure") == "containment"),
        threshold_(values.real("threshold")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    if (!builder_.build(page.terms, fingerprint.values)) fingerprint.state = FingerprintState::kShort;
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    FingerprintSimilarity result = similarity_of_sets(a.values, b.values);
    if (is_containment_) result.resemblance = std::max(result.containment_a, result.containment_b);
    return result;
  }

  bool has_shape(const PageFingerprint& fingerprint) const override { return !fingerprint.values.empty(); }
  double threshold() const override { return threshold_; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return SetOverlapPlan{.measure = is_containment_ ? SetMeasure::kContainment : SetMeasure::kJaccard,
                          .similarity_minimum = resemblance_minimum};
  }

 private:
  ShingleBuilder builder_;
  bool is_containment_;
  double threshold_;
};

}  // namespace

const FingerprinterFactory kShingle = {kShingleParameters,
                                       [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                         return std::make_unique<Shingle>(values);
                                       }};

}  // namespace paraprint::inline lab::inline sketches
