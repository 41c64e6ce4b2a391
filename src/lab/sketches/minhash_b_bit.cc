// b-bit MinHash: keeps only the lowest b bits of each place of a MinHash signature (P. Li, A. C. Koenig, "b-bit minwise
// hashing", WWW 2010; docs/algorithms/minhash.md).
//
// Places are also equal by chance, with probability C = 2^-b if a page has few of all possible shingles. The share P of
// equal places is corrected for that: R = (P - C) / (1 - C). 64 bytes (512 places of one bit) estimate as well as 1 KB
// of full places near R = 0.8. Fails below R = 0.5, where chance dominates. Such short bands also match by chance,
// so the index needs many rows and compares more unrelated pages than that of MinHash.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "fingerprint/minhash_signature.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/bands.h"
#include "lab/sketches/shingle_builder.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kMinhashBBitParameters = {
    kShingleWidthParameter,
    kShingleUnitParameter,
    ParameterInfo{"permutations", "number of hashes in the signature", 512, 8, 4096},
    ParameterInfo{"bits", "bits kept of each hash", 1, 1, 16},
    ParameterInfo{"threshold", "minimum estimated resemblance of copies", 0.8, 0.01, 1, false},
};

// Sweeps stop at this share of the threshold: below it, bands with few bits per place match by chance.
constexpr double kBitSweepShare = 0.875;

class MinHashBBit final : public PageFingerprinter {
 public:
  explicit MinHashBBit(const ParameterValues& values)
      : builder_(values),
        permutations_(values.integer("permutations")),
        bits_(values.integer("bits")),
        places_per_word_(64 / bits_),
        equal_by_chance_(std::ldexp(1.0, -static_cast<int>(bits_))),
        threshold_(values.real("threshold")),
        signature_(permutations_) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    if (!builder_.list(page.terms, shingles_)) fingerprint.state = FingerprintState::kShort;
    if (shingles_.empty()) return;
    minhash_signature(shingles_, signature_);
    fingerprint.values.assign((permutations_ + places_per_word_ - 1) / places_per_word_, 0);
    for (std::size_t place = 0; place < permutations_; ++place) {
      const std::uint64_t kept = signature_[place] & ((std::uint64_t{1} << bits_) - 1);
      fingerprint.values[place / places_per_word_] |= kept << shift_of(place);
    }
  }

  bool reads_words() const override { return builder_.reads_words(); }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    std::size_t different = 0;
    for (std::size_t word = 0; word < a.values.size(); ++word)
      different += different_places(a.values[word], b.values[word]);
    return {resemblance_at(different), 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return fingerprint.values.size() == (permutations_ + places_per_word_ - 1) / places_per_word_;
  }
  double threshold() const override { return threshold_; }
  double sweep_minimum() const override { return threshold_ * kBitSweepShare; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return EqualKeysPlan{.resemblance_minimum = resemblance_minimum};
  }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan& plan,
                  std::vector<std::uint64_t>& keys) const override {
    // Bands see places, not the corrected estimate: turn the minimum back into a share of equal places.
    const double equal = equal_by_chance_ + (1 - equal_by_chance_) * plan.resemblance_minimum;
    std::vector<std::uint64_t> places(permutations_);
    for (std::size_t place = 0; place < permutations_; ++place) {
      places[place] =
          fingerprint.values[place / places_per_word_] >> shift_of(place) & ((std::uint64_t{1} << bits_) - 1);
    }
    append_band_keys(choose_banding(permutations_, equal), places, keys);
  }

  // The first places: of copies, not more differ than of all.
  bool has_summary() const override { return permutations_ >= 2 * places_per_word_; }
  Fingerprint128 summary(const PageFingerprint& fingerprint) const override {
    return {fingerprint.values[0], fingerprint.values[1]};
  }
  SummaryFilter summary_filter(const PageFingerprint& asked) const override {
    return [this, asked = summary(asked)](const Fingerprint128& other) {
      return resemblance_at(different_places(asked.high, other.high) + different_places(asked.low, other.low)) >=
             threshold_;
    };
  }

 private:
  std::size_t different_places(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t bits = a ^ b;
    std::uint64_t any = 0;  // lowest bit of each place: set if any bit of the place differs
    for (unsigned bit = 0; bit < bits_; ++bit) any |= bits >> bit;
    return static_cast<std::size_t>(std::popcount(any & lowest_bits()));
  }
  double resemblance_at(std::size_t different) const {
    const double equal = 1 - static_cast<double>(different) / static_cast<double>(permutations_);
    return std::clamp((equal - equal_by_chance_) / (1 - equal_by_chance_), 0.0, 1.0);
  }
  unsigned shift_of(std::size_t place) const { return static_cast<unsigned>(place % places_per_word_) * bits_; }
  std::uint64_t lowest_bits() const {
    std::uint64_t result = 0;
    for (std::size_t place = 0; place < places_per_word_; ++place) result |= std::uint64_t{1} << shift_of(place);
    return result;
  }

  ShingleBuilder builder_;
  std::size_t permutations_;
  unsigned bits_;
  std::size_t places_per_word_;
  double equal_by_chance_;
  double threshold_;
  std::vector<std::uint64_t> shingles_;
  std::vector<std::uint64_t> signature_;
};

}  // namespace

const FingerprinterFactory kMinHashBBit = {kMinhashBBitParameters,
                                           [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                             return std::make_unique<MinHashBBit>(values);
                                           }};

}  // namespace paraprint::inline lab::inline sketches
