// The common part of the SimHash methods for whole pages (docs/algorithms/simhash.md): votes of weighted features,
// hashes of words, and the decision by Hamming distance. Methods differ in their features and weights.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fingerprint/page_fingerprinter.h"
#include "fingerprint/simhash.h"
#include "paraprint/model.h"
#include "text/terms.h"

namespace paraprint::inline lab::inline sketches {

// Pages with fewer distinct features are SHORT, because their distances are meaningless.
inline constexpr std::size_t kSimHashFeaturesMinimum = 8;

// The largest distance that the Hamming join accepts (index/hamming_join.h): less than half of 64 bits.
inline constexpr int kHammingDistanceMaximum = 31;

// Parameters and choices shared by several methods.
inline constexpr std::array<std::string_view, 2> kWordHashes = {"murmur3", "blake2b"};
inline constexpr std::array<std::string_view, 2> kSimHashWidths = {"64", "128"};
inline constexpr std::array<std::string_view, 2> kStopWordChoices = {"kept", "dropped"};
inline constexpr ParameterInfo kStopWordsParameter = {"stop_words", "whether stop words vote", 0, 0, 1,
                                                      true,         kStopWordChoices};

constexpr ParameterInfo distance_parameter(double default_bits) {
  return {"distance_bits", "pages are copies if their fingerprints differ in at most this many bits", default_bits, 0,
          kHammingDistanceMaximum};
}
// For methods whose number of bits is a parameter too.
inline constexpr ParameterInfo kDistanceByWidthParameter = {
    "distance_bits", "pages are copies if their fingerprints differ in at most this many bits; -1: 3 of 64, 6 of 128",
    -1, -1, kHammingDistanceMaximum};

// How pages within the distance are found. Numbers are the number of tables of a design at 3 bits (G. S. Manku, A.
// Jain, A. Das Sarma, WWW 2007); at k bits the designs have k + 1, k + 2, twice k + 1, and k + 3 blocks.
inline constexpr std::array<std::string_view, 9> kHammingIndexes = {
    "join", "4", "10", "16", "20", "4-compressed", "10-compressed", "16-compressed", "20-compressed"};
inline constexpr ParameterInfo kTablesParameter = {
    "tables",
    "join: all pairs at once; number: lookups in this many sorted tables (at 3 bits), no sweep below the threshold; "
    "compressed: about half the memory, slower",
    0,
    0,
    8,
    true,
    kHammingIndexes};
// For the methods that had it later than indexes of known pages.
inline constexpr ParameterInfo kTablesParameterAddedLater = [] {
  ParameterInfo parameter = kTablesParameter;
  parameter.is_always_named = false;
  return parameter;
}();

// The resemblance of two fingerprints of `bits` bits that differ in `distance_bits` bits: the share of equal bits.
constexpr double share_of_equal_bits(int distance_bits, int bits) {
  return 1.0 - static_cast<double>(distance_bits) / bits;
}
// The largest distance whose share of equal bits is at least `resemblance`, in [0, kHammingDistanceMaximum].
int distance_of_share(double resemblance, int bits);

// The hash of a word with `bits` bits, 64 or 128. A 64-bit hash is in `high`; `low` is then 0.
Fingerprint128 hash_of_word(const PageTerms& terms, const Term& term, std::string_view function, int bits);

// Collects the features of one page. Sums are exact, so the order of the features does not matter.
class SimHashVotes {
 public:
  void clear();
  // Adds a feature. Weights are rounded to 1/65536 (docs/algorithms/word-weights.md) and ignored if that gives 0.
  void add(const Fingerprint128& hash, double weight);
  // The SimHash of all votes so far; 0 without votes.
  Fingerprint128 sign() const { return simhash128(hashes_, votes_); }
  bool has_enough_features() const { return distinct_count_ >= kSimHashFeaturesMinimum; }

 private:
  std::vector<Fingerprint128> hashes_;
  std::vector<std::uint32_t> votes_;
  std::array<Fingerprint128, kSimHashFeaturesMinimum> distinct_{};
  std::size_t distinct_count_ = 0;  // stops at kSimHashFeaturesMinimum
};

// Base of the methods whose fingerprint is one SimHash: values[0] for 64 bits, values[0] (high) and values[1] for 128.
class SimHashFingerprinter : public PageFingerprinter {
 public:
  // `values` have kTablesParameter.
  SimHashFingerprinter(const ParameterValues& values, int bits, int distance_bits)
      : bits_(bits), distance_bits_(distance_bits), index_(values.choice(kTablesParameter.name)) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) final;
  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const final;
  bool has_shape(const PageFingerprint& fingerprint) const final {
    return fingerprint.values.size() == static_cast<std::size_t>(bits_) / 64 && fingerprint.weights.empty();
  }
  double threshold() const final { return share_of_equal_bits(distance_bits_, bits_); }
  double sweep_minimum() const final;
  IndexPlan index_plan(double resemblance_minimum) const final;

 protected:
  // Adds the page's features. Returns false, which makes the page SHORT, if there are too few for the method.
  virtual bool add_features(const PageTerms& terms, SimHashVotes& votes) = 0;
  int bits() const { return bits_; }

 private:
  int bits_;
  int distance_bits_;
  std::string_view index_;  // one of kHammingIndexes
  SimHashVotes votes_;
};

// 64 or 128, for a choice from kSimHashWidths.
inline int width_of(std::string_view choice) {
  return choice == kSimHashWidths[0] ? 64 : 128;
}

// The value of kDistanceByWidthParameter; by default the same share of the bits for either width.
inline int distance_of(const ParameterValues& values, int bits) {
  constexpr int kSixtyFourthsByDefault = 3;
  const int given = static_cast<int>(values.real("distance_bits"));
  return given >= 0 ? given : kSixtyFourthsByDefault * bits / 64;
}

}  // namespace paraprint::inline lab::inline sketches
