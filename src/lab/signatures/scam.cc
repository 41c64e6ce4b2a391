// The relative frequency model of SCAM (algorithms.md 9; Shivakumar, Garcia-Molina 1995): how much of a page, by
// squared counts of its words, stands in another page in similar numbers.
//
// Words count when their numbers in the two pages are close, by default less than a factor of 2 apart, so a page is
// found inside a longer one, which a cosine would deny, and equal vocabularies with other counts are told apart. Word
// order does not matter, and a tiny page is a part of many: `words_minimum`. Stop words are left out, since squared
// counts would let them decide alone. Cost: O(a + b) a pair; index: an exact join of its own, whose lists are cut by
// count (index/relative_frequency_join.h). A small page is compared with every larger one, so it is for collections.
#include <algorithm>
#include <array>

#include "lab/fingerprinters.h"
#include "lab/joins/close_counts.h"
#include "lab/signatures/keywords.h"

namespace paraprint {
namespace {

constexpr std::array kParameters = {
    ParameterInfo{"epsilon", "words are close when a/b + b/a is below it: 2.5 is a factor of 2", 2.5, 2.001, 100,
                  false},
    ParameterInfo{"words_minimum", "with fewer different words a page is short", 10, 1, 1000},
    ParameterInfo{"threshold", "least share of one of two copies that stands in the other", 0.8, 0.01, 1, false},
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

  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return 0.75 * threshold_; }  // below it nearly all pages are candidates

  IndexPlan index_plan(double resemblance_minimum) const override {
    return {.index = FingerprintIndex::kRelativeFrequency,
            .similarity_minimum = resemblance_minimum,
            .closeness_limit = epsilon_};
  }

 private:
  double epsilon_;
  std::size_t words_minimum_;
  double threshold_;
  std::vector<Keyword> keywords_;
};

}  // namespace

const FingerprinterFactory kScam = {
    kParameters,
    [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> { return std::make_unique<Scam>(values); }};

}  // namespace paraprint
