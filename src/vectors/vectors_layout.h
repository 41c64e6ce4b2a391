// Where things stand in a file of word vectors: what its writer and its reader share (docs/formats/word-vectors.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "vectors/word_vectors.h"

namespace paraprint {

inline constexpr std::string_view kVectorsMagic{"paraprint word vectors\n\0", 24};
inline constexpr std::size_t kVectorsFieldsBytes = 72;  // magic and fields, up to the version
inline constexpr std::size_t kVectorsHeaderBytes = 96;
inline constexpr std::size_t kVectorsAlignment = 16;

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

constexpr std::uint64_t aligned_section(std::uint64_t bytes) {
  return (bytes + kVectorsAlignment - 1) / kVectorsAlignment * kVectorsAlignment;
}

// Bytes of each section without what pads it. Cannot overflow while the facts keep to their limits.
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

// The version: B128 of the fields and of the digests of the sections, padding left out.
inline Fingerprint128 vectors_version(std::string_view fields,
                                      const std::array<std::string_view, kVectorsSections>& sections) {
  std::string text(fields);
  ByteWriter writer(text);
  for (const std::string_view section : sections) {
    const Fingerprint128 digest = blake2b128(section);
    writer.fixed(digest.high);
    writer.fixed(digest.low);
  }
  return blake2b128(text);
}

}  // namespace paraprint
