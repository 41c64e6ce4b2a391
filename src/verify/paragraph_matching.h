// Are two pages copies? Order-independent weighted matching of paragraphs and sentences (algorithms.md 25,
// generalised).
//
// Three passes, from certain to likely; every character is counted at most once:
//   1. paragraphs of equal text, as multisets: gain min(w, v);
//   2. sentences of equal text in the paragraphs that are left, as multisets, across paragraph borders: sites break
//      paragraphs differently, and an edited paragraph keeps most of its sentences;
//   3. paragraphs within T bits, one to one, maximising the sum of phi(d) * min(w, v) less what pass 2 already matched
//      between them, where phi(d) = cos(pi d / 128) estimates the cosine of their word vectors.
// X is the matched weight; R = X / (W_A + W_B - X), C(A in B) = X / W_A, C(B in A) = X / W_B. A paragraph weighs its
// content characters times a structure factor, 0 when it is boilerplate of its site.
//
// With distinct paragraph matching only (match_sentences = false) this is section 25 as written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/options.h"
#include "verify/assignment.h"

namespace paraprint {

// Scores of an ordered pair. All in [0, 1] but the two weights, which are in characters.
struct PairScore {
  double matched = 0;
  double resemblance = 0;
  double containment_a = 0;
  double containment_b = 0;
  Verdict verdict = Verdict::kDistinct;
};

// Holds scratch memory: one instance a thread.
class ParagraphMatcher {
 public:
  explicit ParagraphMatcher(const MatchOptions& options) : options_(options) {}

  // boilerplate_*[i] is not 0 where paragraph i is a template of its site (weight 0); empty means none is.
  // `evidence`, if given, receives what matched, sorted by place in a. Near-linear when few paragraphs are edited; at
  // worst every pair of edited paragraphs is compared (64 pairs take about as long as one cache miss).
  PairScore score(const Profile& a, const Profile& b, std::span<const std::uint8_t> boilerplate_a,
                  std::span<const std::uint8_t> boilerplate_b, std::vector<MatchedSpan>* evidence = nullptr);

 private:
  struct Side {
    const Profile* profile = nullptr;
    std::vector<double> weight;        // of each paragraph
    std::vector<double> left;          // weight not matched yet
    std::vector<std::uint32_t> order;  // paragraphs or sentences, sorted by (hash, index)
    std::vector<bool> is_open;         // paragraphs that pass 1 did not match
    double total = 0;
    double own_characters = 0;  // outside the site's template, whatever they weigh
  };

  void prepare(const Profile& profile, std::span<const std::uint8_t> boilerplate, Side& side) const;
  double match_equal_paragraphs(std::vector<MatchedSpan>* evidence);
  double match_equal_sentences(std::vector<MatchedSpan>* evidence);
  double match_edited_paragraphs(std::vector<MatchedSpan>* evidence);
  double gain_of(std::uint32_t a, std::uint32_t b, int distance_bits) const;
  double whole_text_similarity() const;
  double whole_text_matched(double exact) const;
  double weight_per_character(const Side& side, std::uint32_t paragraph) const;

  // Weight that pass 2 matched between paragraph `a` of page a and `b` of page b.
  struct Shared {
    std::uint32_t a;
    std::uint32_t b;
    double weight;
  };

  MatchOptions options_;
  Side a_;
  Side b_;
  std::vector<Shared> shared_;  // sorted by (a, b), one entry a pair
  std::vector<AssignmentEdge> edges_;
  std::vector<std::uint64_t> fingerprints_high_;  // of the paragraphs of b in b_.order, in two halves, and padding
  std::vector<std::uint64_t> fingerprints_low_;
  std::vector<std::uint32_t> close_;  // places in b_.order
  double number_agreement_ = 1;
  double whole_similarity_ = 0;  // of the texts as wholes, see whole_text_similarity()
  int distance_bits_ = 0;        // T for this pair
};

// algorithms.md 25 and 0.5, from scores alone, so that thresholds can move later without the profiles. `same_text`
// means that all content characters are equal and there are some.
Verdict decide_verdict(double resemblance, double containment_a, double containment_b, double matched, bool same_text,
                       const MatchOptions& options);

// phi(d): the cosine that `distance_bits` of 128 estimate.
double similarity_of_distance(int distance_bits);

}  // namespace paraprint
