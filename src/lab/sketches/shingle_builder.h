// The w-shingles of a page: all windows of w words or characters, as a set of hashes (docs/algorithms/shingles.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/page_fingerprinter.h"

namespace paraprint::inline lab::inline sketches {

inline constexpr std::string_view kShingleUnits[] = {"words", "characters"};
inline constexpr ParameterInfo kShingleWidthParameter{"width", "number of units in a shingle", 5, 1, 64};
inline constexpr ParameterInfo kShingleUnitParameter{
    "unit", "units of a shingle: words, or characters of the normalised text", 0, 0, 1, true, kShingleUnits};

// Holds scratch memory: use one instance per thread.
class ShingleBuilder {
 public:
  ShingleBuilder(std::size_t width, bool of_characters) : width_(width), of_characters_(of_characters) {}
  // From the two parameters above.
  explicit ShingleBuilder(const ParameterValues& values)
      : ShingleBuilder(values.integer("width"), values.choice("unit") == "characters") {}

  // Replaces `shingles` with the H64 of every window in text order, including duplicates; the words of a window are
  // joined with U+001F. Returns false if the text has fewer units than a window; all of it is then one shingle.
  // O(text). For algorithms that take minima: duplicates do not change these and cost less than sorting.
  bool list(const PageTerms& terms, std::vector<std::uint64_t>& shingles);

  // The same as a set, ascending and distinct. O(text + shingles).
  bool build(const PageTerms& terms, std::vector<std::uint64_t>& shingles);

  bool reads_words() const { return !of_characters_; }

 private:
  void split_into_words(const PageTerms& terms);
  void split_into_characters(const PageTerms& terms);

  std::size_t width_;
  bool of_characters_;
  std::string joined_;
  std::vector<std::uint32_t> begins_;  // of each unit in the text, plus the end of the last unit and its separator
};

// H64 of numbers as 8 little-endian bytes each, for supershingles and band keys.
std::uint64_t hash_of_values(std::span<const std::uint64_t> values);

// The number of common values of two ascending lists without duplicates. O(a + b).
std::size_t common_values(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// |A and B| / |A or B|, |A and B| / |A| and |A and B| / |B|; all 0 for two empty sets.
FingerprintSimilarity similarity_of_sets(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace paraprint::inline lab::inline sketches
