// Keywords with position vectors and frequencies (algorithms.md 10, after Zhang Xiaowei 2014): the cosine of keyword
// counts, each product weighted by how alike the places of the keyword are in the two pages.
//
// The page is divided into equal parts, and each keyword counts its occurrences in every part. The same words at other
// places, which make pages of one topic alike for keyword_cosine.cc, fall towards 0. A header or footer moves every
// part: the best of three shifts by a part counts. Pages with moved paragraphs score low, though they are copies. Cost:
// one pass, O(keywords * bins) a pair.
//
// Index: the measure is never above the cosine of counts, so copies share a keyword among the rarest of each page that
// hold a share 1 - t^2 of its squared counts (prefix filter). Keywords are kept by rising document frequency for it:
// the top byte of their numbers is their rarity.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "lab/fingerprinters.h"
#include "lab/signatures/keywords.h"

namespace paraprint {
namespace {

constexpr std::array<std::string_view, 2> kShifts = {"off", "on"};
constexpr std::array kParameters = {
    ParameterInfo{"keywords", "n: most frequent words that are kept", 20, 1, 1000},
    ParameterInfo{"keywords_minimum", "with fewer keywords a page is short", 5, 1, 1000},
    ParameterInfo{"bins", "B: parts of a page that positions are counted in", 8, 1, 16},
    ParameterInfo{"threshold", "least similarity of copies", 0.85, 0.01, 1, false},
    ParameterInfo{"shift", "on: the best of three shifts by a part counts", 1, 0, 1, true, kShifts},
};
constexpr std::size_t kBinsMaximum = 16;
constexpr std::size_t kBinsInWord = 8;  // one byte each
constexpr std::uint32_t kBinMaximum = 255;
constexpr float kRarityScale = 16;  // rarity is idf in sixteenths: the byte reaches 15.9
constexpr double kRounding = 1e-9;  // far above the rounding of sums of squares

using Bins = std::array<std::uint32_t, kBinsMaximum>;

std::uint64_t keyword_number(const Term& term) {
  const float rarity = std::min(255.0F, std::floor(term.idf * kRarityScale));
  return (255 - static_cast<std::uint64_t>(std::max(0.0F, rarity))) << 56 | term.hash >> 8;
}

// Sums over the bins, for shifts of a by -1, 0 and 1.
std::array<double, 3> shifted_products(const Bins& a, const Bins& b, std::size_t size) {
  std::array<double, 3> products{};
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) products[0] += a[i] * b[i - 1];
    products[1] += a[i] * b[i];
    if (i + 1 < size) products[2] += a[i] * b[i + 1];
  }
  return products;
}

double squared_length(const Bins& bins) {
  double sum = 0;
  for (const std::uint32_t count : bins) sum += count * count;
  return sum;
}

// values: the numbers of the keywords, ascending, then the bins of each, a byte a bin; weights: the counts of the
// keywords, and 0 for the words of bins.
class KeywordPosition final : public PageFingerprinter {
 public:
  explicit KeywordPosition(const ParameterValues& values)
      : keywords_maximum_(values.integer("keywords")),
        keywords_minimum_(std::min<std::size_t>(values.integer("keywords_minimum"), keywords_maximum_)),
        bins_(values.integer("bins")),
        bin_words_((bins_ + kBinsInWord - 1) / kBinsInWord),
        threshold_(values.real("threshold")),
        is_shifted_(values.choice("shift") == "on") {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    const PageTerms& terms = page.terms;
    select_keywords(terms, KeywordWeighting::kCount, keywords_maximum_, keywords_);
    if (keywords_.size() < keywords_minimum_ || terms.tokens.size() < bins_) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    std::sort(keywords_.begin(), keywords_.end(), [&](const Keyword& a, const Keyword& b) {
      return keyword_number(terms.terms[a.term]) < keyword_number(terms.terms[b.term]);
    });
    count_positions(terms);
    for (const Keyword& keyword : keywords_) {
      fingerprint.values.push_back(keyword_number(terms.terms[keyword.term]));
      fingerprint.weights.push_back(static_cast<float>(keyword.weight));
    }
    for (const Bins& bins : positions_) pack(bins, fingerprint.values);
    fingerprint.weights.resize(fingerprint.values.size(), 0);
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    const std::size_t size_a = keyword_count(a);
    const std::size_t size_b = keyword_count(b);
    std::array<double, 3> sums{};
    for (std::size_t i = 0, j = 0; i < size_a && j < size_b;) {
      if (a.values[i] == b.values[j]) {
        const Bins bins_a = unpack(a, size_a, i);
        const Bins bins_b = unpack(b, size_b, j);
        const double lengths = std::sqrt(squared_length(bins_a) * squared_length(bins_b));
        const std::array<double, 3> products = shifted_products(bins_a, bins_b, bins_);
        const double counts = static_cast<double>(a.weights[i]) * static_cast<double>(b.weights[j]);
        for (std::size_t shift = 0; shift < sums.size(); ++shift) sums[shift] += counts * (products[shift] / lengths);
      }
      const bool a_is_behind = a.values[i] <= b.values[j];
      const bool b_is_behind = b.values[j] <= a.values[i];
      if (a_is_behind) ++i;
      if (b_is_behind) ++j;
    }
    const double best = is_shifted_ ? *std::max_element(sums.begin(), sums.end()) : sums[1];
    const double similarity = std::min(1.0, best / std::sqrt(squared_norm(a.weights) * squared_norm(b.weights)));
    return {similarity, similarity, similarity};
  }

  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return 0.75 * threshold_; }  // below it all pages of a topic are candidates
  IndexPlan index_plan(double resemblance_minimum) const override {
    return {.similarity_minimum = resemblance_minimum};
  }

  void index_keys(const PageFingerprint& fingerprint, const IndexPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    double left = squared_norm(fingerprint.weights);
    const double needless = left * plan.similarity_minimum * plan.similarity_minimum * (1 - kRounding);
    for (std::size_t i = 0; i < keyword_count(fingerprint) && left >= needless; ++i) {
      keys.push_back(fingerprint.values[i]);
      left -= static_cast<double>(fingerprint.weights[i]) * static_cast<double>(fingerprint.weights[i]);
    }
  }

 private:
  void count_positions(const PageTerms& terms) {
    positions_.assign(keywords_.size(), Bins{});
    keyword_of_term_.assign(terms.terms.size(), kNoKeyword);
    for (std::size_t i = 0; i < keywords_.size(); ++i) {
      keyword_of_term_[keywords_[i].term] = static_cast<std::uint32_t>(i);
    }
    const std::size_t length = terms.tokens.size();
    for (std::size_t position = 0; position < length; ++position) {
      const std::uint32_t keyword = keyword_of_term_[terms.tokens[position]];
      if (keyword != kNoKeyword) ++positions_[keyword][bins_ * position / length];
    }
  }

  // Only the proportions matter: where a bin does not fit its byte, all are made smaller.
  void pack(const Bins& bins, std::vector<std::uint64_t>& values) const {
    const std::uint64_t largest = *std::max_element(bins.begin(), bins.end());
    for (std::size_t word = 0; word < bin_words_; ++word) {
      std::uint64_t packed = 0;
      for (std::size_t i = 0; i < kBinsInWord; ++i) {
        const std::uint64_t count = bins[word * kBinsInWord + i];
        packed |= (largest <= kBinMaximum ? count : (count * kBinMaximum + largest / 2) / largest) << 8 * i;
      }
      values.push_back(packed);
    }
  }

  Bins unpack(const PageFingerprint& fingerprint, std::size_t keywords, std::size_t keyword) const {
    Bins bins{};
    for (std::size_t i = 0; i < bins_; ++i) {
      const std::uint64_t word = fingerprint.values[keywords + keyword * bin_words_ + i / kBinsInWord];
      bins[i] = static_cast<std::uint32_t>(word >> 8 * (i % kBinsInWord) & 0xFF);
    }
    return bins;
  }

  std::size_t keyword_count(const PageFingerprint& fingerprint) const {
    return fingerprint.values.size() / (1 + bin_words_);
  }

  static constexpr std::uint32_t kNoKeyword = 0xFFFFFFFF;

  std::size_t keywords_maximum_;
  std::size_t keywords_minimum_;
  std::size_t bins_;
  std::size_t bin_words_;  // that the bins of a keyword take
  double threshold_;
  bool is_shifted_;
  std::vector<Keyword> keywords_;
  std::vector<Bins> positions_;
  std::vector<std::uint32_t> keyword_of_term_;
};

}  // namespace

const FingerprinterFactory kKeywordPosition = {kParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<KeywordPosition>(values);
                                               }};

}  // namespace paraprint
