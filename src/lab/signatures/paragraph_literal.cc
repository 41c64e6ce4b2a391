// The literal paragraph rule: pages are copies if they have the same number of paragraphs and the SimHash of each
// paragraph is within T bits of its counterpart's (docs/algorithms/paragraph.md).
//
// A baseline: one paragraph inserted, moved or rewritten makes the pages distinct, and a page with one paragraph is
// judged as strictly as one with forty. verify/paragraph_matching.h generalises the rule. The resemblance is that of
// the worst paragraph. Stored: 16 bytes per paragraph.
//
// Index: a rule on every paragraph also holds for any single one, as long as its position depends on the number of
// paragraphs only. The middle one is searched for within T bits, exactly: unlike the first, it is rarely a date line or
// a byline shared by many pages.
#include <algorithm>
#include <array>
#include <memory>

#include "base/hamming_distance.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/paragraph_bits.h"
#include "lab/sketches/simhash_page.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr int kBits = 128;
constexpr double kDistanceBits = 12;  // T: an estimated cosine of 0.957
constexpr int kSweepDistanceBits = 24;

constexpr std::array kParagraphLiteralParameters = {
    ParameterInfo{"distance_bits", "each paragraph may differ from its counterpart in at most this many of 128 bits",
                  kDistanceBits, 0, kHammingDistanceMaximum},
};

class ParagraphLiteral final : public PageFingerprinter {
 public:
  explicit ParagraphLiteral(const ParameterValues& values)
      : distance_bits_(static_cast<int>(values.integer("distance_bits"))) {}

  // values: (high, low) of each paragraph, starting with the middle one and wrapping around: the Hamming index searches
  // by the first two values.
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

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return !fingerprint.values.empty() && fingerprint.values.size() % 2 == 0;
  }
  double threshold() const override { return share_of_equal_bits(distance_bits_, kBits); }
  double sweep_minimum() const override {
    return share_of_equal_bits(std::max(distance_bits_, kSweepDistanceBits), kBits);
  }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return HammingPlan{.width_bits = 128, .distance_bits = distance_of_share(resemblance_minimum, kBits)};
  }

 private:
  int distance_bits_;
};

}  // namespace

const FingerprinterFactory kParagraphLiteral = {
    kParagraphLiteralParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<ParagraphLiteral>(values);
    }};

}  // namespace paraprint::inline lab::inline signatures
