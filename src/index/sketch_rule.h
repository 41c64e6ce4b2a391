// When two texts count as alike by their sketches: candidates for copies in which every sentence and every paragraph
// was touched, so that no exact key and no near paragraph is left.
//
// Locality-sensitive hashing by banding (algorithms.md 30). The 128 min-hash bytes make 42 bands of three; a pair is a
// candidate when
//   1. all three bytes of a band agree,
//   2. the first two bytes agree in at least two of the first 32 bands, and
//   3. at least kSketchEqualBytesMinimum of the 128 bytes agree.
// sketch_join.h sorts by bands; the online index keeps the short keys of rule 2 alone, a third of the bytes, and finds
// by them what rule 1 finds. Rule 2 costs a batch little: of pairs that agree in a share s of the bytes 1 - (1 -
// s^3)^42 pass rule 1, .975 at the minimum and .999 at s = .54; of these .997 and .9999 pass rule 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "paraprint/model.h"

namespace paraprint {

using SketchBytes = std::span<const std::uint8_t, PageSketch::kPairHashes>;

inline constexpr std::size_t kSketchBandBytes = 3;
inline constexpr std::size_t kSketchBands = PageSketch::kPairHashes / kSketchBandBytes;
// Fewer equal bytes can't make a pair `near` by its text as a whole (verify/paragraph_matching.h).
inline constexpr std::size_t kSketchEqualBytesMinimum = 56;
// Short keys of a text; a pair needs two of them.
inline constexpr std::size_t kSketchKeys = 32;
inline constexpr int kSketchKeyBits = 21;  // the number of the band and two bytes

// Whether sketches say anything of this page: there is one, and little of it is its site's template, which it holds,
// too. `skip_paragraph` as in page_keys.h.
bool has_own_sketch(const Profile& profile, std::span<const std::uint8_t> skip_paragraph);

inline std::uint32_t sketch_band(SketchBytes bytes, std::size_t band) {
  const std::size_t at = band * kSketchBandBytes;
  return std::uint32_t{bytes[at]} << 16 | std::uint32_t{bytes[at + 1]} << 8 | bytes[at + 2];
}

// The short key of one of the first kSketchKeys bands.
inline std::uint32_t sketch_key(SketchBytes bytes, std::size_t band) {
  return static_cast<std::uint32_t>(band) << 16 | sketch_band(bytes, band) >> 8;
}

// Equal bytes of a pair that rule 1 holds for; 0 where rule 2 or 3 does not. For whoever has found the common band.
std::size_t equal_sketch_bytes(SketchBytes a, SketchBytes b);

// The same for any pair.
std::size_t equal_bytes_of_candidates(SketchBytes a, SketchBytes b);

// About how many characters two texts have in common, of which the one with fewer has `fewer_characters`.
inline std::uint32_t characters_in_common(std::uint32_t fewer_characters, std::size_t equal_bytes) {
  return static_cast<std::uint32_t>(std::uint64_t{fewer_characters} * equal_bytes / PageSketch::kPairHashes);
}

}  // namespace paraprint
