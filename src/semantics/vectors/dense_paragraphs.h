// Paragraphs as the weighted mean of the vectors of their words, and 128-bit fingerprints of such means
// (docs/algorithms/dense-paragraphs.md).
//
//   x = sum of weight * v / sum of weights;  z = the principal components of x;  bit b = 1 where sum of r_bc z_c > 0
//
// r_bc is a fixed pseudo-random sign, +1 or -1: bit b, from the top, of numbers 2c + 1 (b < 64) and 2c + 2 of the
// SplitMix64 stream of seed 0. All values are integers, held in doubles within the range where these are exact, so
// every machine computes the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "paraprint/model.h"
#include "profile/semantics.h"
#include "semantics/vectors/reduction.h"
#include "semantics/vectors/word_vectors.h"

namespace paraprint::inline semantics::inline vectors {

// Immutable, thread-safe.
class DenseParagraphs {
 public:
  // Words are looked up by the high half of their hash: H64, or that of B128 if `use_blake2b`.
  DenseParagraphs(std::shared_ptr<const WordVectors> vectors, bool use_blake2b);

  const WordVectors& vectors() const { return *vectors_; }

  // Replaces `mean` with x, in units of 1 / kMeanOne, one number per component. Word i has hash hashes[i] and weight
  // weights[i]; words unknown to the model are ignored. False if fewer than `least` different words are known.
  bool mean(std::span<const Fingerprint128> hashes, std::span<const std::uint32_t> weights, std::size_t least,
            std::vector<double>& mean) const;

 private:
  std::uint32_t find(std::uint64_t hash) const;

  struct VectorSlot {
    std::uint64_t hash = 0;
    std::uint32_t row = kNoRow;
  };
  std::shared_ptr<const WordVectors> vectors_;
  std::vector<VectorSlot> slots_;  // open addressing; a power of two, at most half full
};

// Immutable, thread-safe.
class DenseFingerprinter : public MeaningFingerprinter {
 public:
  // Requires a reduction made with these word vectors.
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
