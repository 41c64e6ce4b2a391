// The relative frequency model of SCAM (N. Shivakumar, H. Garcia-Molina 1995; docs/algorithms/keywords.md): how much of
// a page, by squared counts of its words, occurs in another page with similar counts.
//
// Words count if their counts in the two pages are close, by default less than a factor of 2 apart. So a page is found
// inside a longer one, which a cosine would miss, and pages with equal vocabulary but different counts are
// distinguished. Word order does not matter, and a tiny page is a part of many others, hence `words_minimum`. Stop
// words are ignored, since their squared counts would decide alone. Cost: O(a + b) per pair; index: an exact join of
// its own, with lists split by count (lab/joins/relative_frequency_join.h). A small page is compared with every larger
// one, so the method suits collections rather than crawls.
#include <algorithm>
#include <array>

#include "lab/fingerprinters.h"
#include "lab/joins/close_counts.h"
#include "lab/signatures/keywords.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array kScamParameters = {
    ParameterInfo{"epsilon", "counts a and b are close if a/b + b/a is less than this; 2.5: a factor of 2", 2.5, 2.001,
                  100, false},
    ParameterInfo{"words_minimum", "pages with fewer distinct words are short", 10, 1, 1000},
    ParameterInfo{"threshold", "minimum share of one copy that occurs in the other", 0.8, 0.01, 1, false},
};

// values: H64 of the words, ascending; weights: their counts.
class Scam final : public PageFingerprinter {
 public:
  explicit Scam(const ParameterValues& values)
      : epsilon_(values.real("epsilon")),
        words_minimum_(values.integer("words_minimum")),
        threshold_(values.real("threshold")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    keywords_.clear();
    for (std::uint32_t i = 0; i < page.terms.terms.size(); ++i) {
      const Term& term = page.terms.terms[i];
      if (!term.is_stop_word && term.count > 0) keywords_.push_back({i, static_cast<double>(term.count)});
    }
    if (keywords_.size() < words_minimum_) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    set_sorted_weights(page.terms, keywords_, fingerprint);
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    double close = 0;
    for_each_common({a.values, a.weights}, {b.values, b.weights}, [&](double in_a, double in_b) {
      if (are_close_counts(in_a, in_b, epsilon_)) close += in_a * in_b;
    });
    const double part_of_a = std::min(1.0, close / squared_norm(a.weights));
    const double part_of_b = std::min(1.0, close / squared_norm(b.weights));
    return {std::max(part_of_a, part_of_b), part_of_a, part_of_b};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return !fingerprint.values.empty() && fingerprint.weights.size() == fingerprint.values.size();
  }
  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return 0.75 * threshold_; }  // below, nearly all pages are candidates

  IndexPlan index_plan(double resemblance_minimum) const override {
    return RelativeFrequencyPlan{.similarity_minimum = resemblance_minimum, .closeness_limit = epsilon_};
  }

 private:
  double epsilon_;
  std::size_t words_minimum_;
  double threshold_;
  std::vector<Keyword> keywords_;
};

}  // namespace

const FingerprinterFactory kScam = {
    kScamParameters,
    [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> { return std::make_unique<Scam>(values); }};

}  // namespace paraprint::inline lab::inline signatures
