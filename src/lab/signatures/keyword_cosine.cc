// Cosine of keyword frequencies (formula 1 of Zhang Xiaowei 2014, attributed to SCAM there;
// docs/algorithms/keywords.md): pages are copies if the counts of their most frequent words are nearly proportional.
//
// Graded, but ignores order: pages on the same topic come close to 1, the false positives that keyword_position.cc
// addresses. Cost: one pass over the distinct words, O(keywords) per pair; index: a weighted join of sets.
#include <array>

#include "lab/fingerprinters.h"
#include "lab/signatures/keywords.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array kKeywordCosineParameters = {
    ParameterInfo{"keywords", "n: number of most frequent words to keep", 20, 1, 1000},
    ParameterInfo{"threshold", "minimum cosine of copies", 0.9, 0.01, 1, false},
};

// values: H64 of the keywords, ascending; weights: their counts.
class KeywordCosine final : public PageFingerprinter {
 public:
  explicit KeywordCosine(const ParameterValues& values)
      : keywords_maximum_(values.integer("keywords")), threshold_(values.real("threshold")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    select_keywords(page.terms, KeywordWeighting::kCount, keywords_maximum_, keywords_);
    set_sorted_weights(page.terms, keywords_, fingerprint);
    if (keywords_.empty()) fingerprint.state = FingerprintState::kShort;
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {cosine_of_sorted({a.values, a.weights}, {b.values, b.weights}), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return !fingerprint.values.empty() && fingerprint.values.size() <= keywords_maximum_ &&
           fingerprint.weights.size() == fingerprint.values.size();
  }
  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return 0.75 * threshold_; }  // below, all pages on a topic are candidates

  IndexPlan index_plan(double resemblance_minimum) const override {
    return SetOverlapPlan{.measure = SetMeasure::kCosine, .similarity_minimum = resemblance_minimum};
  }
  double small_set_share(double resemblance_minimum) const override {
    return keywords_maximum_ <= kSmallSetMaximum ? resemblance_minimum * resemblance_minimum : 0;
  }
  void small_set(const PageFingerprint& fingerprint, SmallSet& set) const override {
    set_squared_parts(fingerprint.values, fingerprint.weights, set);
  }

 private:
  std::size_t keywords_maximum_;
  double threshold_;
  std::vector<Keyword> keywords_;
};

}  // namespace

const FingerprinterFactory kKeywordCosine = {kKeywordCosineParameters,
                                             [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                               return std::make_unique<KeywordCosine>(values);
                                             }};

}  // namespace paraprint::inline lab::inline signatures
