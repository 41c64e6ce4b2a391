// Decides whether two pages are copies, by an order-independent weighted matching of paragraphs and sentences
// (docs/algorithms/paragraph-matching.md).
//
// Three passes, from certain to likely; every character counts at most once:
//   1. paragraphs with equal text, as multisets: gain min(w, v);
//   2. sentences with equal text in the remaining paragraphs, as multisets, across paragraph borders: sites break
//      paragraphs differently, and an edited paragraph keeps most of its sentences;
//   3. paragraphs within T bits, one to one, maximising the sum of phi(d) * min(w, v) minus the weight that pass 2
//      already matched between them, where phi(d) = cos(pi d / 128) estimates the cosine of their word vectors.
// The sketches of the whole texts can raise the result (whole_text). X is the matched weight;
// R = X / (W_A + W_B - X), C(A in B) = X / W_A, C(B in A) = X / W_B. A paragraph weighs its content characters times a
// structure factor, or 0 if it is boilerplate of its site. An R of 0.4 to 0.55 is raised where the pages resemble each
// other more with their boilerplate than without; where little of a page is not boilerplate, R and C are lowered if the
// pages have less in common with it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "verify/assignment.h"
#include "verify/close_paragraphs.h"

namespace paraprint::inline verify {

// Scores of an ordered pair.
struct PairScore {
  double matched = 0;  // X, in characters; the other scores are in [0, 1]
  double resemblance = 0;
  double containment_a = 0;
  double containment_b = 0;
  Verdict verdict = Verdict::kDistinct;
};

// Holds scratch memory: use one instance per thread.
class ParagraphMatcher {
 public:
  explicit ParagraphMatcher(const MatchOptions& options) : options_(options) {}

  // boilerplate_*[i] is non-zero if paragraph i is boilerplate of its site (weight 0); empty if no paragraph is.
  // `evidence`, if given, receives the matched spans, sorted by position in a. Cost: near-linear when few paragraphs
  // are edited; for the pairs of edited paragraphs that are compared, see close_paragraphs.h. If `stop` is stopped in
  // between, score and evidence mean nothing.
  PairScore score(const Profile& a, const Profile& b, std::span<const std::uint8_t> boilerplate_a,
                  std::span<const std::uint8_t> boilerplate_b, std::vector<MatchedSpan>* evidence, StopCheck& stop);
  PairScore score(const Profile& a, const Profile& b, std::span<const std::uint8_t> boilerplate_a,
                  std::span<const std::uint8_t> boilerplate_b, std::vector<MatchedSpan>* evidence = nullptr) {
    StopCheck never;
    return score(a, b, boilerplate_a, boilerplate_b, evidence, never);
  }

 private:
  struct Side {
    const Profile* profile = nullptr;
    std::vector<double> weight;                // of each paragraph
    std::vector<double> left;                  // of each paragraph: weight not matched yet
    std::vector<std::uint32_t> order;          // paragraphs or sentences, sorted by (hash, index); in pass 3 by index
    std::vector<Fingerprint128> fingerprints;  // in pass 3: of the paragraphs in `order`
    std::vector<bool> is_open;                 // paragraphs that pass 1 did not match
    double total = 0;
    double own_characters = 0;  // outside site boilerplate, regardless of structure factors
  };

  // Matched weight, resemblance and containments, without verdict. Boilerplate is left out.
  PairScore score_own_text(const Profile& a, const Profile& b, std::span<const std::uint8_t> boilerplate_a,
                           std::span<const std::uint8_t> boilerplate_b, std::vector<MatchedSpan>* evidence,
                           StopCheck& stop);
  void prepare(const Profile& profile, std::span<const std::uint8_t> boilerplate, Side& side) const;
  double match_equal_paragraphs(std::vector<MatchedSpan>* evidence);
  double match_equal_sentences(std::vector<MatchedSpan>* evidence);
  double match_edited_paragraphs(std::vector<MatchedSpan>* evidence, StopCheck& stop);
  void add_evidence_of_edited(std::span<const std::uint32_t> chosen, std::vector<MatchedSpan>& evidence);
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
  std::vector<Shared> shared_;  // sorted by (a, b), one entry per pair
  std::vector<AssignmentEdge> edges_;
  CloseParagraphs close_paragraphs_;
  std::vector<ClosePair> close_;             // places in a_.order and b_.order
  std::vector<std::uint32_t> partner_of_a_;  // the paragraph of b that pass 3 assigned to each one of a
  double number_agreement_ = 1;
  double whole_similarity_ = 0;  // see whole_text_similarity()
  int distance_bits_ = 0;        // T for this pair
};

// The verdict, from scores alone, so that stored pairs can be decided again with other thresholds and without profiles.
// `same_text`: all content characters are equal and there is at least one.
Verdict decide_verdict(double resemblance, double containment_a, double containment_b, double matched, bool same_text,
                       const MatchOptions& options);

// phi(d): the cosine estimated by a distance of `distance_bits` out of 128 bits.
double similarity_of_distance(int distance_bits);

}  // namespace paraprint::inline verify
