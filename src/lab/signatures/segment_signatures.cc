// Segment signatures (docs/algorithms/digests.md): a page is cut into segments, each signed by the MD5 of its text;
// copies share enough signatures.
//
// Segments are the blocks of the main content ("structure") or n equal parts of its words ("equal"). Blocks find
// partial copies and moved paragraphs; equal parts all change when a word is inserted early. One changed character
// changes its segment. Cost: one pass; index: a join of sets.
//
// A signature is stored as the first 8 bytes of the MD5, mixed with a number that makes it a unique element of a set:
// its number among equal signatures of the page (multiset) or among all segments (position). Two sets of such values
// then have as many common elements as the definition counts equal segments.
#include <algorithm>
#include <array>
#include <string>

#include "base/digest.h"
#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array<std::string_view, 2> kModes = {"structure", "equal"};
constexpr std::array<std::string_view, 2> kComparisons = {"multiset", "position"};
constexpr std::array kSegmentSignaturesParameters = {
    ParameterInfo{"mode", "structure: blocks of the page; equal: parts with equal numbers of words", 0, 0, 1, true,
                  kModes},
    ParameterInfo{"comparison", "multiset: equal segments anywhere; position: at the same position", 0, 0, 1, true,
                  kComparisons},
    ParameterInfo{"share", "structure: minimum share of equal segments, at least two, of the page with fewer", 0.75,
                  0.01, 1, false},
    ParameterInfo{"segments", "equal: n, number of parts of a page", 8, 1, 1000},
    ParameterInfo{"common_minimum", "equal: m, minimum number of equal segments, out of n", 6, 1, 1000},
};
constexpr std::size_t kCommonBlocksMinimum = 2;  // a single common block, such as a byline or a notice, is no evidence

class SegmentSignatures final : public PageFingerprinter {
 public:
  explicit SegmentSignatures(const ParameterValues& values)
      : has_equal_segments_(values.choice("mode") == "equal"),
        is_by_position_(values.choice("comparison") == "position"),
        segments_(values.integer("segments")),
        common_minimum_(has_equal_segments_ ? 1 : kCommonBlocksMinimum) {
    const std::size_t common = std::min<std::size_t>(values.integer("common_minimum"), segments_);
    threshold_ =
        has_equal_segments_ ? static_cast<double>(common) / static_cast<double>(segments_) : values.real("share");
  }

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    const std::size_t count = has_equal_segments_ ? page.terms.tokens.size() : page.terms.blocks.size();
    if (count < (has_equal_segments_ ? segments_ : kCommonBlocksMinimum)) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    if (has_equal_segments_) {
      sign_equal_segments(page.terms, fingerprint.values);
    } else {
      sign_blocks(page.terms, fingerprint.values);
    }
    make_set(fingerprint.values);
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    FingerprintSimilarity result = similarity_of_sets(a.values, b.values);
    const bool is_enough = common_values(a.values, b.values) >= common_minimum_;
    result.resemblance = is_enough ? std::max(result.containment_a, result.containment_b) : 0;
    // All pages have the same number of equal parts, so common parts say nothing about which page contains the other.
    if (has_equal_segments_) result.containment_a = result.containment_b = 0;
    return result;
  }

  bool has_shape(const PageFingerprint& fingerprint) const override { return !fingerprint.values.empty(); }
  double threshold() const override { return threshold_; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return SetOverlapPlan{.measure = SetMeasure::kContainment, .similarity_minimum = resemblance_minimum};
  }

 private:
  static void sign_blocks(const PageTerms& terms, std::vector<std::uint64_t>& signatures) {
    const std::string_view text = terms.normalised;
    for (const TermBlock& block : terms.blocks) {
      signatures.push_back(leading_words(md5(text.substr(block.text.begin_bytes, block.text.size_bytes())))[0]);
    }
  }

  // Words are joined by a space, so that a segment is signed as text.
  void sign_equal_segments(const PageTerms& terms, std::vector<std::uint64_t>& signatures) {
    const std::size_t length = terms.tokens.size();
    for (std::size_t segment = 0; segment < segments_; ++segment) {
      joined_.clear();
      for (std::size_t i = segment * length / segments_; i < (segment + 1) * length / segments_; ++i) {
        if (!joined_.empty()) joined_ += ' ';
        joined_ += terms.bytes_of_token(terms.tokens[i]);
      }
      signatures.push_back(leading_words(md5(joined_))[0]);
    }
  }

  // Mixes in numbers so that the signatures become distinct set elements. Sorting first makes equal ones adjacent.
  void make_set(std::vector<std::uint64_t>& signatures) const {
    if (is_by_position_) {
      for (std::size_t i = 0; i < signatures.size(); ++i) signatures[i] ^= mix64(i);
      std::sort(signatures.begin(), signatures.end());
    } else {
      std::sort(signatures.begin(), signatures.end());
      std::uint64_t signature = 0;
      std::uint64_t repetitions = 0;  // of the signature before this one
      for (std::uint64_t& value : signatures) {
        repetitions = value == signature ? repetitions + 1 : 0;
        signature = value;
        value ^= mix64(repetitions);
      }
      std::sort(signatures.begin(), signatures.end());
    }
    signatures.erase(std::unique(signatures.begin(), signatures.end()), signatures.end());
  }

  bool has_equal_segments_;
  bool is_by_position_;
  std::size_t segments_;
  std::size_t common_minimum_;
  double threshold_ = 1;
  std::string joined_;
};

}  // namespace

const FingerprinterFactory kSegmentSignatures = {
    kSegmentSignaturesParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<SegmentSignatures>(values);
    }};

}  // namespace paraprint::inline lab::inline signatures
