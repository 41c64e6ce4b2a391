// The paragraph rule to the letter (algorithms.md 24, LITERAL): pages are copies when they have equally many paragraphs
// and each paragraph's SimHash is within T bits of its counterpart's.
//
// Kept as the baseline it is: one paragraph inserted, moved or rewritten makes the pages distinct, and a page of one
// paragraph is judged as strictly as one of forty. The paragraph method (algorithms.md 25) generalises it. The
// resemblance is that of the worst paragraph. 16 bytes a paragraph.
//
// Index: a rule on every paragraph holds for any one of them, chosen by the number of paragraphs alone. The middle one
// is searched for within T bits, exactly: unlike the first, it is seldom a date line or a byline that pages share.
#include <algorithm>
#include <array>
#include <memory>

#include "base/hamming_distance.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/paragraph_bits.h"
#include "lab/sketches/simhash_page.h"

namespace paraprint {
namespace {

constexpr int kBits = 128;
constexpr double kDistanceBits = 12;  // algorithms.md 21: T
constexpr int kSweepDistanceBits = 24;

constexpr std::array kParameters = {
    ParameterInfo{"distance_bits", "each paragraph may differ from its counterpart in at most so many of 128 bits",
                  kDistanceBits, 0, kHammingDistanceMaximum},
};

class ParagraphLiteral final : public PageFingerprinter {
 public:
  explicit ParagraphLiteral(const ParameterValues& values)
      : distance_bits_(static_cast<int>(values.integer("distance_bits"))) {}

  // values: (high, low) of each paragraph, from the middle one around to the one before it.
  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    const std::vector<ParagraphProfile>& paragraphs = page.profile.paragraphs;
    if (paragraphs.empty()) fingerprint.state = FingerprintState::kShort;
    for (std::size_t i = 0; i < paragraphs.size(); ++i) {
      const Fingerprint128 bits = bits_of_paragraph(paragraphs[(paragraphs.size() / 2 + i) % paragraphs.size()]);
      fingerprint.values.push_back(bits.high);
      fingerprint.values.push_back(bits.low);
    }
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    if (a.values.size() != b.values.size()) return {};
    int largest = 0;
    for (std::size_t i = 0; i + 1 < a.values.size(); i += 2) {
      largest = std::max(largest, hamming_distance(Fingerprint128{a.values[i], a.values[i + 1]},
                                                   Fingerprint128{b.values[i], b.values[i + 1]}));
    }
    return {share_of_equal_bits(largest, kBits), 0, 0};
  }

  bool reads_words() const override { return false; }
  bool reads_paragraphs() const override { return true; }

  double threshold() const override { return share_of_equal_bits(distance_bits_, kBits); }
  double sweep_minimum() const override {
    return share_of_equal_bits(std::max(distance_bits_, kSweepDistanceBits), kBits);
  }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return {.index = FingerprintIndex::kHamming128,
            .distance_bits = distance_of_share(resemblance_minimum, kBits),
            .similarity_minimum = resemblance_minimum};
  }

 private:
  int distance_bits_;
};

}  // namespace

const FingerprinterFactory kParagraphLiteral = {
    kParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<ParagraphLiteral>(values);
    }};

}  // namespace paraprint
