// Near paragraphs find candidates, the weighted cosine verifies them (docs/algorithms/paragraph.md).
//
// Two pages are candidates if a paragraph of one is within `distance_bits` of a paragraph of the other. Their
// resemblance is then the weighted cosine of their term vectors, sum w x y / sqrt(sum w x^2 * sum w y^2), with w the
// idf and x and y the counts; for other pairs it is 0. One common paragraph and the same words elsewhere are enough:
// order and number of paragraphs do not matter. Stored: 12 bytes per distinct word, 24 per paragraph (at most 64).
//
// Index: an exact Hamming join of all paragraphs. Template paragraphs shared by many pages make many candidates, so the
// method suits collections rather than crawls.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/hamming_distance.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/keywords.h"
#include "lab/signatures/paragraph_bits.h"
#include "lab/sketches/simhash_page.h"

namespace paraprint::inline lab::inline signatures {
namespace {

// Only the longest paragraphs are kept, which bounds the comparisons per pair; they hold nearly all of a page's text.
constexpr std::size_t kParagraphsKept = 64;
// Above this distance unrelated paragraphs begin to match.
constexpr double kDistanceMaximum = 12;
constexpr double kSweepMinimum = 0.5;

constexpr std::array kParagraphCosineParameters = {
    ParameterInfo{"threshold", "minimum weighted cosine of copies", 0.9, 0.1, 1, false},
    ParameterInfo{"distance_bits",
                  "pages are compared if two of their paragraphs differ in at most this many of 128 bits", 6, 0,
                  kDistanceMaximum},
};

class ParagraphCosine final : public PageFingerprinter {
 public:
  explicit ParagraphCosine(const ParameterValues& values)
      : threshold_(values.real("threshold")), distance_bits_(static_cast<int>(values.integer("distance_bits"))) {}

  // values: p, then (high, low) of p paragraphs, then the hashes of the terms, ascending. weights: 0 for everything but
  // the terms, and count * sqrt(idf) for these, so that the weighted cosine becomes a plain cosine.
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
    const double lengths = squared_norm(a.weights) * squared_norm(b.weights);
    return {lengths > 0 ? std::min(1.0, dot(a, b) / std::sqrt(lengths)) : 0.0, 0, 0};
  }

  bool reads_paragraphs() const override { return true; }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    const std::size_t size = fingerprint.values.size();
    return size > 0 && fingerprint.values[0] <= (size - 1) / 2 && fingerprint.weights.size() == size;
  }
  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return std::min(threshold_, kSweepMinimum); }

  IndexPlan index_plan(double /*resemblance_minimum*/) const override {
    return HammingAnyPlan{.distance_bits = distance_bits_};
  }

  void index_fingerprints(const PageFingerprint& fingerprint,
                          std::vector<Fingerprint128>& fingerprints) const override {
    for (std::size_t p = 0; p < fingerprint.values[0]; ++p) fingerprints.push_back(paragraph(fingerprint, p));
  }

 private:
  struct WeightedTerm {
    std::uint64_t hash = 0;
    float weight = 0;
    friend bool operator<(const WeightedTerm& a, const WeightedTerm& b) { return a.hash < b.hash; }
  };

  // Sets chosen_ to the indices of the longest paragraphs, ascending; ties go to the earlier one.
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

  // The verdict must not depend on the index, so the condition for candidates is checked again here.
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

const FingerprinterFactory kParagraphCosine = {kParagraphCosineParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<ParagraphCosine>(values);
                                               }};

}  // namespace paraprint::inline lab::inline signatures
