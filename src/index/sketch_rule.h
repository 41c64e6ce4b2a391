// When two texts are candidates by their sketches: finds copies in which every sentence and every paragraph was edited,
// so that no exact key and no near paragraph is left.
//
// Locality-sensitive hashing by banding (docs/algorithms/minhash.md). The 128 min-hash bytes form 42 bands of three; a
// pair is a candidate if
//   1. all three bytes of a band agree,
//   2. the first two bytes agree in at least two of the first 32 bands, and
//   3. at least kSketchEqualBytesMinimum of the 128 bytes agree.
// sketch_join.h sorts by bands. The online index stores only the short keys of rule 2, a third of the bytes, and still
// finds the same pairs. Rule 2 costs little recall: of the pairs that agree in a share s of the bytes, 1 - (1 - s^3)^42
// pass rule 1, 0.975 at the minimum and 0.999 at s = 0.54; of these, 0.997 and 0.9999 pass rule 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "paraprint/model.h"

namespace paraprint::inline index {

using SketchBytes = std::span<const std::uint8_t, PageSketch::kPairHashes>;

inline constexpr std::size_t kSketchBandBytes = 3;
inline constexpr std::size_t kSketchBands = PageSketch::kPairHashes / kSketchBandBytes;
// With fewer equal bytes a pair cannot become `near` by its whole text (verify/paragraph_matching.h).
inline constexpr std::size_t kSketchEqualBytesMinimum = 56;
// Number of short keys per text; a pair needs two in common.
inline constexpr std::size_t kSketchKeys = 32;
inline constexpr int kSketchKeyBits = 21;  // the band number (5 bits) and two bytes

// Whether the page has a sketch that represents its own text: sketches include site boilerplate, so only a small part
// of the page may be boilerplate. `skip_paragraph` as in page_keys.h.
bool has_own_sketch(const Profile& profile, std::span<const std::uint8_t> skip_paragraph);

inline std::uint32_t sketch_band(SketchBytes bytes, std::size_t band) {
  const std::size_t at = band * kSketchBandBytes;
  return std::uint32_t{bytes[at]} << 16 | std::uint32_t{bytes[at + 1]} << 8 | bytes[at + 2];
}

// The short key of a band; `band` < kSketchKeys.
inline std::uint32_t sketch_key(SketchBytes bytes, std::size_t band) {
  return static_cast<std::uint32_t>(band) << 16 | sketch_band(bytes, band) >> 8;
}

// The number of equal bytes of a pair that is known to satisfy rule 1; 0 if rule 2 or 3 fails.
std::size_t equal_sketch_bytes(SketchBytes a, SketchBytes b);

// The same for any pair: 0 if rule 1, 2 or 3 fails.
std::size_t equal_bytes_of_candidates(SketchBytes a, SketchBytes b);

// The approximate number of characters that two texts have in common; the shorter one has `fewer_characters`.
inline std::uint32_t characters_in_common(std::uint32_t fewer_characters, std::size_t equal_bytes) {
  return static_cast<std::uint32_t>(std::uint64_t{fewer_characters} * equal_bytes / PageSketch::kPairHashes);
}

}  // namespace paraprint::inline index
