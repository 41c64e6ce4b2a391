// MinHash: for each of k permutations of all shingles, the least of a page's; the share of equal places estimates the
// resemblance with standard deviation sqrt(J (1 - J) / k) (A. Broder, 1997; algorithms.md 30). Candidates by LSH
// banding (32).
//
// Two ways to the signature: k permutations (O(k) a shingle, unbiased), or one permutation cut into k bins (O(1) a
// shingle), whose empty bins copy from others. The latter's places are dependent on pages with few shingles. Both
// ignore how often a shingle occurs, and short edits of short pages weigh as much as in w-shingling.
#include <array>

#include "fingerprint/minimum_hashes.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/bands.h"
#include "lab/sketches/shingle_windows.h"

namespace paraprint {
namespace {

constexpr std::array kParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    ParameterInfo{"permutations", "places of the signature", 128, 8, 4096},
    ParameterInfo{"bands", "of the signature, as keys of the index; 0: chosen by the least resemblance looked for", 0,
                  0, 4096},
    ParameterInfo{"rows", "places of a band; 0: chosen with the bands", 0, 0, 4096},
    ParameterInfo{"threshold", "least estimated resemblance of copies", 0.8, 0.01, 1, false},
};

// A sweep looks no lower than this share of the threshold: bands that find less also find very many unlike pages.
constexpr double kSweepShare = 0.75;

class MinHash final : public PageFingerprinter {
 public:
  MinHash(const ParameterValues& values, bool one_permutation)
      : builder_(values),
        one_permutation_(one_permutation),
        permutations_(values.integer("permutations")),
        bands_(values.integer("bands")),
        rows_(values.integer("rows")),
        threshold_(values.real("threshold")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    if (!builder_.list(page.terms, shingles_)) fingerprint.state = FingerprintState::kShort;
    if (shingles_.empty()) return;
    fingerprint.values.resize(permutations_);
    if (one_permutation_) {
      one_permutation_hashes(shingles_, fingerprint.values);
    } else {
      min_hashes(shingles_, fingerprint.values);
    }
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {static_cast<double>(equal_places(a.values, b.values)) / static_cast<double>(permutations_), 0, 0};
  }

  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return threshold_ * kSweepShare; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return {.similarity_minimum = resemblance_minimum};
  }

  void index_keys(const PageFingerprint& fingerprint, const IndexPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    append_band_keys(banding(plan.similarity_minimum), fingerprint.values, keys);
  }

 private:
  // Where only one of bands and rows is given, it takes as much of the signature as the other leaves.
  Banding banding(double resemblance_minimum) const {
    if (bands_ == 0 && rows_ == 0) return choose_banding(permutations_, resemblance_minimum);
    const std::size_t rows =
        std::min(permutations_, rows_ != 0 ? rows_ : std::max<std::size_t>(1, permutations_ / bands_));
    const std::size_t bands_maximum = permutations_ / rows;
    return {bands_ != 0 ? std::min(bands_, bands_maximum) : bands_maximum, rows};
  }

  ShingleBuilder builder_;
  bool one_permutation_;
  std::size_t permutations_;
  std::size_t bands_;
  std::size_t rows_;
  double threshold_;
  std::vector<std::uint64_t> shingles_;
};

}  // namespace

const FingerprinterFactory kMinHash = {kParameters,
                                       [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                         return std::make_unique<MinHash>(values, false);
                                       }};
const FingerprinterFactory kMinHashOnePermutation = {
    kParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<MinHash>(values, true);
    }};

}  // namespace paraprint
