// Paragraphs as the weighted mean of the vectors of their words, and 128-bit fingerprints of such means
// (docs/algorithms/dense-paragraphs.md).
//
//   x = sum of weight * v / sum of weights;  z = the principal components of x;  bit b = 1 where sum of r_bc z_c > 0
//
// r_bc is a fixed pseudo-random sign, +1 or -1: bit b, from the top, of numbers 2c + 1 (b < 64) and 2c + 2 of the
// SplitMix64 stream of seed 0. Without word vectors, a word is a component chosen by its hash, with a sign, so that x
// is the hashed tf-idf vector of the paragraph (Weinberger et al. 2009). All values are integers, held in doubles
// within the range where these are exact, so every machine computes the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "memory/seeded_hash.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "profile/semantics.h"
#include "semantics/vectors/reduction.h"
#include "semantics/vectors/word_vectors.h"

namespace paraprint::inline semantics::inline vectors {

// Components of hashed words.
inline constexpr std::uint32_t kHashedDimensionDefault = 512;
inline constexpr std::uint32_t kHashedDimensionMinimum = 16;

// What a reduction of hashed words has in place of the version of a word vector model.
Fingerprint128 hashed_version(std::uint32_t dimension);

// What `vectors reduce` takes in place of a model: "hashed" or "hashed:N"; empty if `model` is neither, so the name of
// a file. Errors: kInvalidArgument for an invalid N.
Result<std::optional<std::uint32_t>> hashed_dimension(std::string_view model);

// Immutable, thread-safe.
class DenseParagraphs {
 public:
  // Hashed words: the low half of a word's hash chooses the component, the top bit of the high half the sign.
  explicit DenseParagraphs(std::uint32_t dimension) : dimension_(dimension) {}
  // Words are looked up by the high half of their hash: H64, or that of B128 if `use_blake2b`.
  DenseParagraphs(std::shared_ptr<const WordVectors> vectors, bool use_blake2b);

  std::uint32_t dimension() const { return dimension_; }

  // Replaces `mean` with x, in units of 1 / kMeanOne, one number per component. Word i has hash hashes[i] and weight
  // weights[i]; words unknown to a model are ignored. False if fewer than `least` different words are known.
  bool mean(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights, std::size_t least,
            std::vector<double>& mean) const;

 private:
  std::uint32_t find(std::uint64_t hash) const;
  // Sums of weight * component, in units of 1 / kScaleOne, and of weights; one entry of `words` per known word.
  double add_vectors(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights,
                     std::vector<std::int64_t>& sums, std::vector<std::uint64_t>& words) const;
  double add_hashed(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights,
                    std::vector<std::int64_t>& sums, std::vector<std::uint64_t>& words) const;

  struct VectorSlot {
    std::uint64_t hash = 0;
    std::uint32_t row = kNoRow;
  };
  std::uint32_t dimension_;
  std::shared_ptr<const WordVectors> vectors_;  // null: hashed words
  std::vector<VectorSlot> slots_;               // open addressing; a power of two, at most half full
  HashSeed seed_ = process_hash_seed();
};

// Immutable, thread-safe.
class DenseFingerprinter : public MeaningFingerprinter {
 public:
  // Requires a reduction made with these word vectors, or of hashed words of this dimension.
  DenseFingerprinter(DenseParagraphs paragraphs, std::shared_ptr<const Reduction> reduction);

  // Parameters as for DenseParagraphs::mean(); nullopt if that returns false.
  std::optional<Fingerprint128> fingerprint(std::span<const Fingerprint128> hashes,
                                            std::span<const std::uint32_t> weights,
                                            std::size_t words_minimum) const override;

 private:
  DenseParagraphs paragraphs_;
  std::shared_ptr<const Reduction> reduction_;
  std::vector<double> projection_;  // 128 numbers for each component of a vector: sum over c of r_bc * direction_c
};

}  // namespace paraprint::inline semantics::inline vectors
