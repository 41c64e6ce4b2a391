// Page-information fingerprint (docs/algorithms/digests.md), the framework of all other methods: a set of hashed
// features and the number of them that copies must share.
//
// The features are the most frequent words of the text without stop words, or pairs of such a word and its count. Pages
// are copies if `common_minimum` of `terms` features are equal; if a page has fewer features, the same share of the
// features of the page with the fewest. Order and position of words are lost, so pages on the same topic match. Cost:
// one pass over the distinct words; index: a join of sets.
#include <algorithm>
#include <array>

#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/keywords.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array<std::string_view, 2> kFeatures = {"terms", "pairs"};
constexpr std::array kPageInformationParameters = {
    ParameterInfo{"terms", "n: number of most frequent words to keep", 32, 1, 1000},
    ParameterInfo{"common_minimum", "m: minimum number of common words of copies, out of n", 24, 1, 1000},
    ParameterInfo{"features", "terms: words; pairs: words with their counts", 0, 0, 1, true, kFeatures},
};

class PageInformation final : public PageFingerprinter {
 public:
  explicit PageInformation(const ParameterValues& values)
      : terms_(values.integer("terms")),
        common_minimum_(std::min<std::size_t>(values.integer("common_minimum"), terms_)),
        takes_pairs_(values.choice("features") == "pairs") {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    select_keywords(page.terms, KeywordWeighting::kCount, terms_, keywords_);
    for (const Keyword& keyword : keywords_) {
      const Term& term = page.terms.terms[keyword.term];
      fingerprint.values.push_back(takes_pairs_ ? mix64(term.hash + term.count) : term.hash);
    }
    std::sort(fingerprint.values.begin(), fingerprint.values.end());
    if (fingerprint.values.empty()) fingerprint.state = FingerprintState::kShort;
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    // common / min(a, b) >= m / n is equivalent to common >= ceil(m * min(a, b) / n). No containment: the words of a
    // list of the n most frequent ones are not a share of the page.
    const FingerprintSimilarity sets = similarity_of_sets(a.values, b.values);
    return {std::max(sets.containment_a, sets.containment_b), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override { return !fingerprint.values.empty(); }
  double threshold() const override { return static_cast<double>(common_minimum_) / static_cast<double>(terms_); }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return SetOverlapPlan{.measure = SetMeasure::kContainment, .similarity_minimum = resemblance_minimum};
  }

 private:
  std::size_t terms_;
  std::size_t common_minimum_;
  bool takes_pairs_;
  std::vector<Keyword> keywords_;
};

}  // namespace

const FingerprinterFactory kPageInformation = {kPageInformationParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<PageInformation>(values);
                                               }};

}  // namespace paraprint::inline lab::inline signatures
