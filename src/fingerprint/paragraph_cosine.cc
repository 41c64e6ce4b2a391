// Paragraphs find, the weighted cosine verifies (algorithms.md 24, first rule; 0.7 E4).
//
// Two pages are candidates when a paragraph of one is within some bits of a paragraph of the other. Their resemblance
// is then the improved cosine of their term vectors: sum w x y / sqrt(sum w x^2 * sum w y^2), w the idf, x and y the
// counts; pages that share no paragraph have none. One common paragraph and equal words elsewhere are enough: order and
// number of paragraphs do not matter. Kept: 12 bytes a distinct word and 24 a paragraph, of at most 64 paragraphs.
//
// Index: two paragraphs within k bits agree in one of k+1 blocks of the 128 bits, or in two of k+2; equal blocks are
// keys. Template paragraphs that many pages share make many candidates: a collection's method rather than a crawl's.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "fingerprint/fingerprinters.h"
#include "fingerprint/paragraph_bits.h"
#include "fingerprint/simhash_page.h"

namespace paraprint {
namespace {

// The longest paragraphs of a page: they bound the comparisons of a pair, and carry nearly all of a page's text.
constexpr std::size_t kParagraphsKept = 64;
// Blocks of two make keys of 18 bits and more up to this distance; shorter ones would find everything.
constexpr double kDistanceMaximum = 12;
// One block of k+1 is a key of 18 bits up to this distance (algorithms.md 15).
constexpr int kSingleBlockDistance = 6;
constexpr double kSweepMinimum = 0.5;

constexpr std::array kParameters = {
    ParameterInfo{"threshold", "of the weighted cosine", 0.9, 0.1, 1, false},
    ParameterInfo{"distance_bits",
                  "pages are compared if two of their paragraphs differ in at most so many of 128 bits", 6, 0,
                  kDistanceMaximum},
};

// Bits [begin, begin + width) from the top, width at most 128.
Fingerprint128 block_of(const Fingerprint128& bits, int begin, int width) {
  const auto top = [](int count) -> Fingerprint128 {  // a mask of the top `count` bits
    const auto ones = [](int n) { return n <= 0 ? 0 : n >= 64 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} >> n); };
    return {ones(count), ones(count - 64)};
  };
  const Fingerprint128 before = top(begin);
  const Fingerprint128 until = top(begin + width);
  return {bits.high & until.high & ~before.high, bits.low & until.low & ~before.low};
}

class ParagraphCosine final : public PageFingerprinter {
 public:
  explicit ParagraphCosine(const ParameterValues& values)
      : threshold_(values.real("threshold")), distance_bits_(static_cast<int>(values.integer("distance_bits"))) {}

  // values: p, (high, low) of p paragraphs, hashes of the terms ascending. weights: 0 for the former, then the terms'
  // count * sqrt(idf), so that the weighted cosine is a cosine.
  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    choose_paragraphs(page.profile);
    fingerprint.values.push_back(chosen_.size());
    for (const std::uint32_t p : chosen_) {
      const Fingerprint128 bits = bits_of_paragraph(page.profile.paragraphs[p]);
      fingerprint.values.push_back(bits.high);
      fingerprint.values.push_back(bits.low);
    }
    fingerprint.weights.assign(fingerprint.values.size(), 0.0F);
    terms_.clear();
    for (const Term& term : page.terms.terms) {
      if (term.count == 0 || term.is_stop_word || !(term.idf > 0)) continue;
      terms_.push_back({term.hash, static_cast<float>(term.count * std::sqrt(static_cast<double>(term.idf)))});
    }
    std::sort(terms_.begin(), terms_.end());
    for (const WeightedTerm& term : terms_) {
      fingerprint.values.push_back(term.hash);
      fingerprint.weights.push_back(term.weight);
    }
    if (chosen_.empty() || terms_.empty()) fingerprint.state = FingerprintState::kShort;
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    if (!share_paragraph(a, b)) return {};
    const double lengths = dot(a, a) * dot(b, b);
    return {lengths > 0 ? std::min(1.0, dot(a, b) / std::sqrt(lengths)) : 0.0, 0, 0};
  }

  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return std::min(threshold_, kSweepMinimum); }

  IndexPlan index_plan(double resemblance_minimum) const override {
    IndexPlan plan;
    plan.distance_bits = distance_bits_;
    plan.similarity_minimum = resemblance_minimum;
    return plan;
  }

  void index_keys(const PageFingerprint& fingerprint, const IndexPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    const std::size_t first_key = keys.size();
    for (std::size_t p = 0; p < fingerprint.values[0]; ++p) {
      append_block_keys(paragraph(fingerprint, p), plan.distance_bits, keys);
    }
    std::sort(keys.begin() + static_cast<std::ptrdiff_t>(first_key), keys.end());
    keys.erase(std::unique(keys.begin() + static_cast<std::ptrdiff_t>(first_key), keys.end()), keys.end());
  }

 private:
  struct WeightedTerm {
    std::uint64_t hash = 0;
    float weight = 0;
    friend bool operator<(const WeightedTerm& a, const WeightedTerm& b) { return a.hash < b.hash; }
  };

  // Leaves the indices of the longest paragraphs in chosen_; ties go to the earlier one.
  void choose_paragraphs(const Profile& profile) {
    chosen_.resize(profile.paragraphs.size());
    std::iota(chosen_.begin(), chosen_.end(), 0U);
    if (chosen_.size() <= kParagraphsKept) return;
    const auto characters = [&](std::uint32_t p) { return profile.paragraphs[p].content_characters; };
    std::nth_element(chosen_.begin(), chosen_.begin() + kParagraphsKept, chosen_.end(),
                     [&](std::uint32_t x, std::uint32_t y) {
                       return characters(x) != characters(y) ? characters(x) > characters(y) : x < y;
                     });
    chosen_.resize(kParagraphsKept);
    std::sort(chosen_.begin(), chosen_.end());
  }

  static Fingerprint128 paragraph(const PageFingerprint& fingerprint, std::size_t index) {
    return {fingerprint.values[1 + 2 * index], fingerprint.values[2 + 2 * index]};
  }

  static void append_block_keys(const Fingerprint128& bits, int distance_bits, std::vector<std::uint64_t>& keys) {
    constexpr int kBits = 128;
    const bool is_single = distance_bits <= kSingleBlockDistance;
    const int blocks = distance_bits + (is_single ? 1 : 2);
    const auto key_of = [&](int block) {
      const int begin = block * kBits / blocks;
      const Fingerprint128 part = block_of(bits, begin, (block + 1) * kBits / blocks - begin);
      return mix64(mix64(part.high + static_cast<std::uint64_t>(block)) ^ part.low);
    };
    for (int first = 0; first < blocks; ++first) {
      const std::uint64_t key = key_of(first);
      if (is_single) keys.push_back(key);
      for (int second = first + 1; second < blocks && !is_single; ++second) keys.push_back(mix64(key) ^ key_of(second));
    }
  }

  bool share_paragraph(const PageFingerprint& a, const PageFingerprint& b) const {
    for (std::size_t i = 0; i < a.values[0]; ++i) {
      for (std::size_t j = 0; j < b.values[0]; ++j) {
        if (hamming_distance(paragraph(a, i), paragraph(b, j)) <= distance_bits_) return true;
      }
    }
    return false;
  }

  static double dot(const PageFingerprint& a, const PageFingerprint& b) {
    std::size_t i = 1 + 2 * a.values[0];
    std::size_t j = 1 + 2 * b.values[0];
    double sum = 0;
    while (i < a.values.size() && j < b.values.size()) {
      if (a.values[i] == b.values[j]) {
        sum += static_cast<double>(a.weights[i++]) * static_cast<double>(b.weights[j++]);
      } else {
        ++(a.values[i] < b.values[j] ? i : j);
      }
    }
    return sum;
  }

  double threshold_;
  int distance_bits_;
  std::vector<std::uint32_t> chosen_;
  std::vector<WeightedTerm> terms_;
};

}  // namespace

const FingerprinterFactory kParagraphCosine = {kParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<ParagraphCosine>(values);
                                               }};

}  // namespace paraprint
