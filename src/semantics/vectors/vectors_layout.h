// The layout of a word vector file, shared by its writer and its reader (docs/formats/word-vectors.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "semantics/models/model_file.h"
#include "semantics/vectors/word_vectors.h"

namespace paraprint::inline semantics::inline vectors {

inline constexpr std::string_view kVectorsMagic{"paraprint word vectors\n\0", kModelMagicBytes};

// Of every row. The range of int8 is used symmetrically: without -128, a vector and its negative have negated rows.
inline constexpr int kLargestComponent = 127;
// So a row is at least this long, and its scale, one over its length, at most:
inline constexpr auto kScaleMaximum = static_cast<float>(1.0 / kLargestComponent);

enum VectorsSection : std::size_t {
  kWordEnds,
  kOrder,
  kCounts,
  kScales,
  kRows,
  kNearest,
  kWordBytes,
  kVectorsSections
};

// The size of each section in bytes, without padding. Cannot overflow if the facts are within their limits.
inline std::array<std::uint64_t, kVectorsSections> section_sizes(const VectorFacts& facts, std::uint32_t word_bytes) {
  const std::uint64_t words = facts.words;
  return {4 * words,
          4 * words,
          4 * words,
          4 * words,
          row_bytes_of(facts.dimension) * words,
          std::uint64_t{4} * kNearestWordsKept * facts.searched_words,
          word_bytes};
}

}  // namespace paraprint::inline semantics::inline vectors
