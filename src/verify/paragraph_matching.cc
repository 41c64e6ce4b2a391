// Most candidate pairs turn out distinct, so the matcher is built to reject quickly: a bit filter drops hashes that
// have no counterpart before anything is sorted. All weights are doubles that are summed in a fixed order, so results
// do not depend on threads or machines. The constants were chosen on the training half of the simulated corpus
// (docs/algorithms/paragraph-matching.md).
#include "verify/paragraph_matching.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <numbers>

#include "base/hamming_distance.h"
#include "verify/sketch_similarity.h"

namespace paraprint::inline verify {
namespace {

constexpr int kFingerprintBits = 128;

// Weights below this (in characters) are rounding noise of sums and count as 0.
constexpr double kNoWeight = 1e-9;

// Where the own text of a page is little beside the template of its site, one edited line is a large part of it. From
// kSupportedMinimum on, the resemblance is raised towards that of all text, by at most kSupport and no further than
// kSupportedMaximum, at which pages are near by default. All text must resemble by kSupport more than is reported, so
// that a template alone makes nothing near. Chosen on collections of versioned documentation
// (docs/measurements/quality.md).
constexpr double kSupportedMinimum = 0.4;
constexpr double kSupportedMaximum = 0.55;
constexpr double kSupport = 0.15;

double supported_resemblance(double own_text, double all_text) {
  return std::max(own_text, std::min({kSupportedMaximum, own_text + kSupport, all_text - kSupport}));
}

// Whoever publishes on a host has a say in what its template is, so a page must not be judged by the one line that
// templates leave of it. Where less than this share of either page is its own text, no score exceeds that of all text
// by more than kSupport. Up to a half that changes no verdict on labelled and crawled pages
// (docs/measurements/quality.md).
constexpr double kOwnShareMinimum = 0.5;

bool is_mostly_template(double own_characters, const Profile& profile) {
  return own_characters < kOwnShareMinimum * profile.content_characters;
}

void limit_by_all_text(PairScore& own_text, const PairScore& all_text) {
  own_text.resemblance = std::min(own_text.resemblance, all_text.resemblance + kSupport);
  own_text.containment_a = std::min(own_text.containment_a, all_text.containment_a + kSupport);
  own_text.containment_b = std::min(own_text.containment_b, all_text.containment_b + kSupport);
}

// Reduces both lists to entries that may have an equal in the other list, and sorts them by (hash, index). Most pairs
// share little, and sorting everything would be half the work of rejecting them. A one-hash Bloom filter of 4096 bits
// over one side removes most of the other side first; false positives only cost sorting.
template <class HashA, class HashB>
void keep_likely_equals(std::vector<std::uint32_t>& a, std::vector<std::uint32_t>& b, HashA hash_a, HashB hash_b) {
  constexpr std::size_t kBits = 4096;
  const auto keep = [](std::vector<std::uint32_t>& kept, auto kept_hash, const auto& others, auto other_hash) {
    std::bitset<kBits> seen;
    for (const std::uint32_t x : others) seen.set(other_hash(x) % kBits);
    std::erase_if(kept, [&](std::uint32_t x) { return !seen.test(kept_hash(x) % kBits); });
  };
  const auto sort = [](std::vector<std::uint32_t>& order, auto hash_of) {
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
      const std::uint64_t hash_x = hash_of(x);
      const std::uint64_t hash_y = hash_of(y);
      return hash_x != hash_y ? hash_x < hash_y : x < y;
    });
  };
  keep(b, hash_b, a, hash_a);
  keep(a, hash_a, b, hash_b);
  sort(a, hash_a);
  sort(b, hash_b);
}

// Calls match(x, y) for pairs with equal hashes, as multisets: the first entry of one list with the first of the other
// and so on, by ascending hash. Entries that cannot match are removed from the lists.
template <class HashA, class HashB, class Match>
void join_equals(std::vector<std::uint32_t>& a, std::vector<std::uint32_t>& b, HashA hash_a, HashB hash_b,
                 Match match) {
  keep_likely_equals(a, b, hash_a, hash_b);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const std::uint64_t x = hash_a(a[i]);
    const std::uint64_t y = hash_b(b[j]);
    if (x == y) {
      match(a[i++], b[j++]);
    } else if (x < y) {
      ++i;
    } else {
      ++j;
    }
  }
}

constexpr std::uint8_t kListLevels = 6;  // of which each has its factor

// The first paragraph that is not a heading.
std::size_t opening_paragraph(const Profile& profile) {
  std::size_t p = 0;
  while (p < profile.paragraphs.size() && profile.paragraphs[p].role == BlockRole::kHeading) ++p;
  return p;
}

double structure_factor(const ParagraphProfile& paragraph, bool is_opening, const MatchOptions& options) {
  double factor = 1;
  if (paragraph.role == BlockRole::kListItem || paragraph.role == BlockRole::kTableRow) factor *= options.list_weight;
  if (paragraph.after_heading) factor *= options.after_heading_weight;
  if (is_opening) factor *= options.opening_weight;
  // Real lists are nested a few levels deep; beyond that the product could leave the range of numbers.
  for (std::uint8_t level = 2; level <= std::min<std::uint8_t>(paragraph.list_level, kListLevels); ++level) {
    factor *= options.nested_list_weight;
  }
  return factor;
}

// Sketches are used only if at least this share of each page is its own text rather than site boilerplate.
constexpr double kTextShareMinimum = 0.8;
// Subtracted from the estimated similarity of word pairs: covers what texts on the same subject share without being
// copies, and the error of the estimate.
constexpr double kPairsByChance = 0.07;
// If one text is shorter than this share of the other, at most 2/3 of the longer one can occur in it, a Dice
// coefficient of 0.8: not copies as wholes, whatever the sketches estimate.
constexpr double kSizeRatioMinimum = 0.67;
// From this share of common word pairs in the text that does not match exactly, its changes count as scattered single
// words rather than exchanged parts.
constexpr double kScatteredShare = 0.53;
// From this similarity of the whole texts, paragraphs count as edited copies up to a larger distance. Safe because
// paragraphs of unrelated texts differ in 64 +- 6 bits.
constexpr double kSameTextSimilarity = 0.4;
constexpr int kSameTextDistanceBits = 40;

}  // namespace

// A table, because pass 3 evaluates it for every close pair of paragraphs.
double similarity_of_distance(int bits) {
  static const std::array<double, kFingerprintBits + 1> kTable = [] {
    std::array<double, kFingerprintBits + 1> table{};
    for (int d = 0; d <= kFingerprintBits; ++d) {
      table[static_cast<std::size_t>(d)] = std::cos(std::numbers::pi * d / kFingerprintBits);
    }
    return table;
  }();
  return kTable[static_cast<std::size_t>(bits)];
}

// The first rule that applies wins. Scores are stored as 32-bit floats; the engine decides from the rounded values, so
// stored scores always give the same verdict again.
Verdict decide_verdict(double resemblance, double containment_a, double containment_b, double matched, bool same_text,
                       const MatchOptions& options) {
  if (same_text) return Verdict::kSame;
  if (matched < options.min_characters) return Verdict::kDistinct;
  if (resemblance >= options.near) return Verdict::kNear;
  if (std::max(containment_a, containment_b) >= options.containment) {
    return containment_a >= containment_b ? Verdict::kContained : Verdict::kContains;
  }
  return std::max(containment_a, containment_b) >= options.overlap_share ? Verdict::kOverlap : Verdict::kDistinct;
}

void ParagraphMatcher::prepare(const Profile& profile, std::span<const std::uint8_t> boilerplate, Side& side) const {
  const std::size_t count = profile.paragraphs.size();
  side.profile = &profile;
  side.weight.resize(count);
  side.is_open.assign(count, true);
  side.total = 0;
  side.own_characters = 0;
  const std::size_t opening = opening_paragraph(profile);
  for (std::size_t p = 0; p < count; ++p) {
    const ParagraphProfile& paragraph = profile.paragraphs[p];
    const bool is_template = !boilerplate.empty() && boilerplate[p] != 0;
    side.weight[p] =
        is_template ? 0 : paragraph.content_characters * structure_factor(paragraph, p == opening, options_);
    side.total += side.weight[p];
    side.own_characters += is_template ? 0 : paragraph.content_characters;
  }
  side.left = side.weight;
}

PairScore ParagraphMatcher::score(const Profile& a, const Profile& b, std::span<const std::uint8_t> boilerplate_a,
                                  std::span<const std::uint8_t> boilerplate_b, std::vector<MatchedSpan>* evidence,
                                  StopCheck& stop) {
  if (evidence != nullptr) evidence->clear();
  PairScore score = score_own_text(a, b, boilerplate_a, boilerplate_b, evidence, stop);
  if (stop.is_stopped()) return {};
  const bool has_template = a_.own_characters < a.content_characters && b_.own_characters < b.content_characters;
  const bool is_open = score.resemblance >= kSupportedMinimum && score.resemblance < kSupportedMaximum;
  const bool is_supported = has_template && is_open;
  // Scores up to kSupport are within every limit.
  const bool is_limited = (is_mostly_template(a_.own_characters, a) || is_mostly_template(b_.own_characters, b)) &&
                          std::max(score.containment_a, score.containment_b) > kSupport;
  if (is_supported || is_limited) {
    const PairScore all_text = score_own_text(a, b, {}, {}, nullptr, stop);
    if (is_supported) score.resemblance = supported_resemblance(score.resemblance, all_text.resemblance);
    if (is_limited) limit_by_all_text(score, all_text);
  }
  const bool same_text = a.content_characters > 0 && a.text_hash == b.text_hash;
  if (same_text) score.resemblance = score.containment_a = score.containment_b = 1;
  score.verdict =
      decide_verdict(score.resemblance, score.containment_a, score.containment_b, score.matched, same_text, options_);
  if (evidence != nullptr) {
    std::sort(evidence->begin(), evidence->end(), [](const MatchedSpan& x, const MatchedSpan& y) {
      return x.a.begin_bytes != y.a.begin_bytes ? x.a.begin_bytes < y.a.begin_bytes : x.b.begin_bytes < y.b.begin_bytes;
    });
  }
  return score;
}

// The order of the passes matters: exact evidence is used up before any estimate may claim the same characters.
PairScore ParagraphMatcher::score_own_text(const Profile& a, const Profile& b,
                                           std::span<const std::uint8_t> boilerplate_a,
                                           std::span<const std::uint8_t> boilerplate_b,
                                           std::vector<MatchedSpan>* evidence, StopCheck& stop) {
  prepare(a, boilerplate_a, a_);
  prepare(b, boilerplate_b, b_);
  shared_.clear();
  number_agreement_ = number_agreement(a.sketch, b.sketch);
  whole_similarity_ = whole_text_similarity();
  distance_bits_ = whole_similarity_ >= kSameTextSimilarity ? std::max(options_.paragraph_bits, kSameTextDistanceBits)
                                                            : options_.paragraph_bits;
  double matched = match_equal_paragraphs(evidence);
  if (stop.after(StopCheck::kUnitsPerNode + a.paragraphs.size() + b.paragraphs.size())) return {};
  if (options_.sentences) matched += match_equal_sentences(evidence);
  if (stop.after(a.sentences.size() + b.sentences.size())) return {};
  const double whole = whole_text_matched(matched);
  matched = std::max(matched + match_edited_paragraphs(evidence, stop), whole);

  PairScore score;
  // The whole-text estimate can exceed a page's own weight; the scores must stay in [0, 1].
  score.matched = std::min({matched, a_.total, b_.total});
  const double either = a_.total + b_.total - score.matched;
  if (either > kNoWeight) score.resemblance = score.matched / either;
  if (a_.total > kNoWeight) score.containment_a = score.matched / a_.total;
  if (b_.total > kNoWeight) score.containment_b = score.matched / b_.total;
  return score;
}

// Pass 1. Paragraphs without weight take no part, so that boilerplate is never evidence.
double ParagraphMatcher::match_equal_paragraphs(std::vector<MatchedSpan>* evidence) {
  for (Side* side : {&a_, &b_}) {
    side->order.clear();
    for (std::uint32_t p = 0; p < side->weight.size(); ++p) {
      if (side->weight[p] > 0) side->order.push_back(p);
    }
  }
  const std::vector<ParagraphProfile>& of_a = a_.profile->paragraphs;
  const std::vector<ParagraphProfile>& of_b = b_.profile->paragraphs;
  double sum = 0;
  join_equals(
      a_.order, b_.order, [&](std::uint32_t p) { return of_a[p].hash; }, [&](std::uint32_t q) { return of_b[q].hash; },
      [&](std::uint32_t p, std::uint32_t q) {
        sum += std::min(a_.weight[p], b_.weight[q]);
        a_.left[p] = b_.left[q] = 0;
        a_.is_open[p] = b_.is_open[q] = false;
        if (evidence != nullptr) {
          evidence->push_back(
              {of_a[p].span, of_b[q].span, static_cast<std::uint16_t>(p), static_cast<std::uint16_t>(q), 0, false});
        }
      });
  return sum;
}

// Spreads a paragraph's weight evenly over its characters, so that its sentences carry the structure factor too.
double ParagraphMatcher::weight_per_character(const Side& side, std::uint32_t paragraph) const {
  return side.weight[paragraph] / side.profile->paragraphs[paragraph].content_characters;
}

// Pass 2. A pair gains at most the unmatched weight of both paragraphs, which keeps every character counted once.
double ParagraphMatcher::match_equal_sentences(std::vector<MatchedSpan>* evidence) {
  for (Side* side : {&a_, &b_}) {
    side->order.clear();
    const std::vector<SentenceProfile>& sentences = side->profile->sentences;
    for (std::uint32_t s = 0; s < sentences.size(); ++s) {
      const std::uint16_t p = sentences[s].paragraph;
      if (side->is_open[p] && side->weight[p] > 0) side->order.push_back(s);
    }
  }
  double sum = 0;
  const std::vector<SentenceProfile>& of_a = a_.profile->sentences;
  const std::vector<SentenceProfile>& of_b = b_.profile->sentences;
  join_equals(
      a_.order, b_.order, [&](std::uint32_t s) { return of_a[s].hash; }, [&](std::uint32_t s) { return of_b[s].hash; },
      [&](std::uint32_t s, std::uint32_t t) {
        const std::uint16_t p = of_a[s].paragraph;
        const std::uint16_t q = of_b[t].paragraph;
        const double weight =
            std::min({of_a[s].content_characters * weight_per_character(a_, p),
                      of_b[t].content_characters * weight_per_character(b_, q), a_.left[p], b_.left[q]});
        if (weight <= 0) return;
        sum += weight;
        a_.left[p] -= weight;
        b_.left[q] -= weight;
        shared_.push_back({p, q, weight});
        if (evidence != nullptr) evidence->push_back({of_a[s].span, of_b[t].span, p, q, 0, true});
      });
  // Merge to one entry per pair of paragraphs, for pass 3.
  std::sort(shared_.begin(), shared_.end(), [](const Shared& x, const Shared& y) {
    if (x.a != y.a) return x.a < y.a;
    if (x.b != y.b) return x.b < y.b;
    return x.weight < y.weight;  // fixes the order of summation
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    if (kept > 0 && shared_[kept - 1].a == shared_[i].a && shared_[kept - 1].b == shared_[i].b) {
      shared_[kept - 1].weight += shared_[i].weight;
    } else {
      shared_[kept++] = shared_[i];
    }
  }
  shared_.resize(kept);
  return sum;
}

// What pass 3 would add by matching two paragraphs: the estimate minus the weight that their equal sentences already
// contributed, at most what both have left.
double ParagraphMatcher::gain_of(std::uint32_t a, std::uint32_t b, int bits) const {
  const auto found = std::lower_bound(shared_.begin(), shared_.end(), std::pair{a, b}, [](const Shared& x, auto key) {
    return x.a != key.first ? x.a < key.first : x.b < key.second;
  });
  const bool has_shared = found != shared_.end() && found->a == a && found->b == b;
  const double estimated = number_agreement_ * similarity_of_distance(bits) * std::min(a_.weight[a], b_.weight[b]);
  return std::min({estimated - (has_shared ? found->weight : 0), a_.left[a], b_.left[b]});
}

// Similarity of the whole texts by their sketches. 0 if the sketches are not conclusive: if much of a page is
// boilerplate, which the sketch includes, or if the numbers differ.
double ParagraphMatcher::whole_text_similarity() const {
  if (!options_.whole_text) return 0;
  for (const Side* side : {&a_, &b_}) {
    if (side->own_characters < kTextShareMinimum * side->profile->content_characters) return 0;
  }
  return std::max(0.0, number_agreement_ * pair_similarity(a_.profile->sketch, b_.profile->sketch) - kPairsByChance);
}

// The weight that matches according to the whole texts, given the weight that matches exactly. A replaced word breaks
// every pair that contains it, so if a share p of the words is replaced here and there, (1 - p)^2 of the pairs survive.
// If whole parts are exchanged instead, words and pairs survive in the same share. The text that does not match exactly
// distinguishes the two cases: exchanged parts leave few common pairs in it.
double ParagraphMatcher::whole_text_matched(double exact) const {
  const double both = a_.total + b_.total;
  if (std::min(a_.total, b_.total) < kSizeRatioMinimum * std::max(a_.total, b_.total)) return 0;
  double share = 2 * whole_similarity_ / (1 + whole_similarity_);  // Dice of the pairs
  const double exact_share = both > kNoWeight ? 2 * exact / both : 0;
  if (exact_share < share) {
    const double rest = (share - exact_share) / (1 - exact_share);
    if (rest >= kScatteredShare) share = exact_share + (1 - exact_share) * std::sqrt(rest);
  }
  return share / 2 * both;
}

// Pass 3. Close pairs of open paragraphs become edges of an assignment problem, because greedy choices could give one
// paragraph's best partner away.
double ParagraphMatcher::match_edited_paragraphs(std::vector<MatchedSpan>* evidence, StopCheck& stop) {
  for (Side* side : {&a_, &b_}) {
    side->order.clear();
    side->fingerprints.clear();
    for (std::uint32_t p = 0; p < side->weight.size(); ++p) {
      const ParagraphProfile& paragraph = side->profile->paragraphs[p];
      if (!side->is_open[p] || !paragraph.has_simhash || side->left[p] <= kNoWeight) continue;
      side->order.push_back(p);
      side->fingerprints.push_back(paragraph.simhash);
    }
  }
  close_paragraphs_.find(a_.fingerprints, b_.fingerprints, distance_bits_, close_, stop);
  if (stop.is_stopped()) return 0;
  edges_.clear();
  for (const ClosePair& pair : close_) {
    const std::uint32_t p = a_.order[pair.a];
    const std::uint32_t q = b_.order[pair.b];
    const double gain = gain_of(p, q, pair.bits);
    if (gain > kNoWeight) edges_.push_back({p, q, gain});
  }
  const std::vector<std::uint32_t> chosen = best_assignment(edges_, stop);
  double sum = 0;
  for (const std::uint32_t edge : chosen) sum += edges_[edge].gain;
  if (evidence != nullptr) add_evidence_of_edited(chosen, *evidence);
  return sum;
}

// A pair of paragraphs replaces the evidence of its equal sentences from pass 2.
void ParagraphMatcher::add_evidence_of_edited(std::span<const std::uint32_t> chosen,
                                              std::vector<MatchedSpan>& evidence) {
  constexpr std::uint32_t kNoParagraph = 0xFFFFFFFF;
  partner_of_a_.assign(a_.weight.size(), kNoParagraph);
  for (const std::uint32_t edge : chosen) partner_of_a_[edges_[edge].left] = edges_[edge].right;
  std::erase_if(evidence, [&](const MatchedSpan& span) {
    return span.is_sentence && partner_of_a_[span.paragraph_a] == span.paragraph_b;
  });
  for (const std::uint32_t edge : chosen) {
    const std::uint32_t p = edges_[edge].left;
    const std::uint32_t q = edges_[edge].right;
    const ParagraphProfile& of_a = a_.profile->paragraphs[p];
    const ParagraphProfile& of_b = b_.profile->paragraphs[q];
    evidence.push_back({of_a.span, of_b.span, static_cast<std::uint16_t>(p), static_cast<std::uint16_t>(q),
                        static_cast<std::uint8_t>(hamming_distance(of_a.simhash, of_b.simhash)), false});
  }
}

}  // namespace paraprint::inline verify
