// MinHash: for each of k permutations, the smallest of a page's shingles; the share of equal places estimates the
// resemblance J with standard deviation sqrt(J (1 - J) / k) (A. Broder 1997; docs/algorithms/minhash.md). Candidates
// come from LSH banding (bands.h).
//
// The signature is computed by k permutations (O(k) per shingle, unbiased), or by one permutation cut into k bins (O(1)
// per shingle) whose empty bins copy from others; on pages with few shingles the latter's places are not independent.
// Both ignore how often a shingle occurs, and short edits of short pages weigh as much as in w-shingling.
#include <array>

#include "fingerprint/minhash_signature.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/bands.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kMinhashParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    ParameterInfo{"permutations", "number of hashes in the signature", 128, 8, 4096},
    ParameterInfo{"bands", "number of bands (index keys); 0: chosen by the minimum resemblance to find", 0, 0, 4096},
    ParameterInfo{"rows", "hashes per band; 0: chosen together with the bands", 0, 0, 4096},
    ParameterInfo{"threshold", "minimum estimated resemblance of copies", 0.8, 0.01, 1, false},
};

// Sweeps stop at this share of the threshold: bands for a lower resemblance also find very many unrelated pages.
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
      minhash_signature(shingles_, fingerprint.values);
    }
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    return {static_cast<double>(equal_places(a.values, b.values)) / static_cast<double>(permutations_), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return fingerprint.values.size() == permutations_;
  }
  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return threshold_ * kSweepShare; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return EqualKeysPlan{.resemblance_minimum = resemblance_minimum};
  }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    append_band_keys(banding(plan.resemblance_minimum), fingerprint.values, keys);
  }

 private:
  // If only one of bands and rows is given, the other uses up the signature.
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

const FingerprinterFactory kMinHash = {kMinhashParameters,
                                       [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                         return std::make_unique<MinHash>(values, false);
                                       }};
const FingerprinterFactory kMinHashOnePermutation = {
    kMinhashParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<MinHash>(values, true);
    }};

}  // namespace paraprint::inline lab::inline sketches
