// Keywords with position vectors and frequencies (after Zhang Xiaowei 2014; docs/algorithms/keywords.md): the cosine of
// keyword counts, with each product weighted by the similarity of the keyword's positions in the two pages.
//
// The page is divided into equal parts, and each keyword counts its occurrences in every part. The same words in other
// places, which make pages on the same topic similar for keyword_cosine.cc, score close to 0. An added header or footer
// moves every part, so the best of three shifts by one part counts. Copies with moved paragraphs score low. Cost: one
// pass, O(keywords * bins) per pair.
//
// Index: the measure never exceeds the cosine of counts, so common keywords hold a share t^2 of the squared counts of
// each page, and copies have a pair key in common (fingerprint/small_set.h). So that few pages have
// the same keys, keywords are ordered by ascending document frequency: the top byte of a keyword's number is its
// rarity. Pages with very many keywords are found by single ones instead (prefix filter).
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "lab/fingerprinters.h"
#include "lab/signatures/keywords.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array<std::string_view, 2> kShifts = {"off", "on"};
constexpr std::array kKeywordPositionParameters = {
    ParameterInfo{"keywords", "n: number of most frequent words to keep", 20, 1, 1000},
    ParameterInfo{"keywords_minimum", "pages with fewer keywords are short", 5, 1, 1000},
    ParameterInfo{"bins", "B: number of parts of a page in which positions are counted", 8, 1, 16},
    ParameterInfo{"threshold", "minimum similarity of copies", 0.85, 0.01, 1, false},
    ParameterInfo{"shift", "on: take the best of three shifts by one part", 1, 0, 1, true, kShifts},
};
constexpr std::size_t kBinsMaximum = 16;
constexpr std::size_t kBinsInWord = 8;  // one byte per bin
constexpr std::uint32_t kBinMaximum = 255;
constexpr float kRarityScale = 16;  // rarity is the idf in sixteenths, so a byte reaches 15.9
constexpr double kRounding = 1e-9;  // far above the rounding error of sums of squares

using Bins = std::array<std::uint32_t, kBinsMaximum>;

// The rarest keywords get the smallest numbers. The low 56 bits hold the top bits of the hash.
std::uint64_t keyword_number(const Term& term) {
  const float rarity = std::min(255.0F, std::floor(term.idf * kRarityScale));
  return (255 - static_cast<std::uint64_t>(std::max(0.0F, rarity))) << 56 | term.hash >> 8;
}

// Dot products of the bins, for shifts of a by -1, 0 and 1. Counts moved off the end are dropped.
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

// values: the numbers of the keywords, ascending, then the bins of each keyword, one byte per bin; weights: the counts
// of the keywords, then 0 for the words that hold bins.
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
    return {similarity, 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return !fingerprint.values.empty() && fingerprint.values.size() % (1 + bin_words_) == 0 &&
           keyword_count(fingerprint) <= keywords_maximum_ && fingerprint.weights.size() == fingerprint.values.size();
  }
  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return 0.75 * threshold_; }  // below, all pages on a topic are candidates
  IndexPlan index_plan(double resemblance_minimum) const override {
    return EqualKeysPlan{.resemblance_minimum = resemblance_minimum};
  }

  double small_set_share(double resemblance_minimum) const override {
    return keywords_maximum_ <= kSmallSetMaximum ? resemblance_minimum * resemblance_minimum : 0;
  }
  void small_set(const PageFingerprint& fingerprint, SmallSet& set) const override {
    set_squared_parts(std::span(fingerprint.values).first(keyword_count(fingerprint)), fingerprint.weights, set);
  }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    SmallSet set;
    small_set(fingerprint, set);
    if (const double common_share = small_set_share(plan.resemblance_minimum); common_share > 0) {
      append_pair_keys(set, common_share, keys);
      return;
    }
    // The rarest keywords are the keys, up to where the rest could not reach the minimum by itself.
    double left = squared_norm(fingerprint.weights);
    const double needless = left * plan.resemblance_minimum * plan.resemblance_minimum * (1 - kRounding);
    for (std::size_t i = 0; i < set.values.size() && left >= needless; ++i) {
      keys.push_back(set.values[i]);
      left -= set.parts[i];
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

  // Only proportions matter: if a bin does not fit into a byte, all bins are scaled down.
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
  std::size_t bin_words_;  // words per keyword for its bins
  double threshold_;
  bool is_shifted_;
  std::vector<Keyword> keywords_;
  std::vector<Bins> positions_;
  std::vector<std::uint32_t> keyword_of_term_;
};

}  // namespace

const FingerprinterFactory kKeywordPosition = {kKeywordPositionParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<KeywordPosition>(values);
                                               }};

}  // namespace paraprint::inline lab::inline signatures
