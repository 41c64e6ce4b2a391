// What the SimHash methods for whole pages share (algorithms.md 11 to 14): votes of weighted features, the hash of a
// word, and the decision by Hamming distance. A method differs in what its features are and what they weigh.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fingerprint/page_fingerprinter.h"
#include "fingerprint/simhash.h"
#include "paraprint/model.h"
#include "paraprint/terms.h"

namespace paraprint {

// algorithms.md 11: with fewer distinct features than this, distances mean nothing and the page is SHORT.
inline constexpr std::size_t kSimHashFeaturesMinimum = 8;

// The largest distance that the Hamming join takes (index/hamming_join.h): below half of 64 bits.
inline constexpr int kHammingDistanceMaximum = 31;

// Choices of parameters that several methods have.
inline constexpr std::array<std::string_view, 2> kWordHashes = {"murmur3", "blake2b"};
inline constexpr std::array<std::string_view, 2> kSimHashWidths = {"64", "128"};
inline constexpr std::array<std::string_view, 2> kStopWordChoices = {"kept", "dropped"};
inline constexpr ParameterInfo kStopWordsParameter = {
    "stop_words", "whether the words of the stop list vote", 0, 0, 1, true, kStopWordChoices};

constexpr ParameterInfo distance_parameter(double default_bits) {
  return {"distance_bits", "pages are copies when their fingerprints differ in at most so many bits", default_bits, 0,
          kHammingDistanceMaximum};
}
// Of methods that have a parameter for their bits, too.
inline constexpr ParameterInfo kDistanceByWidthParameter = {
    "distance_bits", "pages are copies when their fingerprints differ in at most so many bits; -1: 3 of 64, 6 of 128",
    -1, -1, kHammingDistanceMaximum};

// How pages within some bits are found. The numbers are the tables that the designs have at 3 bits (Manku, Jain, Das
// Sarma, WWW 2007); at k bits the designs are k + 1 blocks, k + 2 blocks, k + 1 blocks twice, k + 3 blocks.
inline constexpr std::array<std::string_view, 5> kHammingIndexes = {"join", "4", "10", "16", "20"};
inline constexpr ParameterInfo kTablesParameter = {
    "tables",
    "join: all pairs at once; a number: look-ups in Manku's sorted tables, as many at 3 bits, none below the threshold",
    0,
    0,
    4,
    true,
    kHammingIndexes};

// Resemblance of two fingerprints of `bits` bits that differ in `distance_bits`: the share of equal bits.
constexpr double share_of_equal_bits(int distance_bits, int bits) {
  return 1.0 - static_cast<double>(distance_bits) / bits;
}
// The largest distance whose share of equal bits is at least `resemblance`, in [0, kHammingDistanceMaximum].
int distance_of_share(double resemblance, int bits);

// Hash of `bits` bits, 64 or 128. One of 64 bits has its bits in `high`, and 0 in `low`.
Fingerprint128 hash_of_word(const PageTerms& terms, const Term& term, std::string_view function, int bits);

// The features of one page. Sums are exact, so the order of the features does not matter.
class SimHashVotes {
 public:
  void clear();
  // A weight is rounded to 1/65536 (algorithms.md 0.3); what rounds to 0 is no feature.
  void add(const Fingerprint128& hash, double weight);
  // Of all votes so far; 0 without any.
  Fingerprint128 sign() const { return simhash128(hashes_, votes_); }
  bool has_enough_features() const { return distinct_count_ >= kSimHashFeaturesMinimum; }

 private:
  std::vector<Fingerprint128> hashes_;
  std::vector<std::uint32_t> votes_;
  std::array<Fingerprint128, kSimHashFeaturesMinimum> distinct_{};
  std::size_t distinct_count_ = 0;  // up to kSimHashFeaturesMinimum
};

// A page-level method whose fingerprint is one SimHash: values[0] of 64 bits, or values[0] (high) and values[1] of 128.
class SimHashFingerprinter : public PageFingerprinter {
 public:
  SimHashFingerprinter(int bits, int distance_bits, std::string_view index = kHammingIndexes[0])
      : bits_(bits), distance_bits_(distance_bits), index_(index) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) final;
  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const final;
  double threshold() const final { return share_of_equal_bits(distance_bits_, bits_); }
  double sweep_minimum() const final;
  IndexPlan index_plan(double resemblance_minimum) const final;

 protected:
  // Adds the page's features. False: too few of them by the method's own measure (the page is SHORT).
  virtual bool add_features(const PageTerms& terms, SimHashVotes& votes) = 0;
  int bits() const { return bits_; }

 private:
  int bits_;
  int distance_bits_;
  std::string_view index_;  // of kHammingIndexes
  SimHashVotes votes_;
};

// 64 or 128, of a parameter with the choices kSimHashWidths.
inline int width_of(std::string_view choice) {
  return choice == kSimHashWidths[0] ? 64 : 128;
}

// Of kDistanceByWidthParameter: what was given, else the same share of the bits at either width.
inline int distance_of(const ParameterValues& values, int bits) {
  constexpr int kSixtyFourthsByDefault = 3;
  const int given = static_cast<int>(values.real("distance_bits"));
  return given >= 0 ? given : kSixtyFourthsByDefault * bits / 64;
}

}  // namespace paraprint
