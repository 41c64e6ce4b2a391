// The w-shingles of a page: every window of w words or characters, as a set of hashes (algorithms.md 27.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/page_fingerprinter.h"

namespace paraprint {

inline constexpr std::string_view kShingleUnits[] = {"words", "characters"};
inline constexpr ParameterInfo kShingleWidthParameter{"width", "units in a shingle", 5, 1, 64};
inline constexpr ParameterInfo kShingleUnitParameter{
    "unit", "what a shingle is made of; characters are those of the normalised text", 0, 0, 1, true, kShingleUnits};

// Holds scratch memory: one instance a thread.
class ShingleBuilder {
 public:
  ShingleBuilder(std::size_t width, bool of_characters) : width_(width), of_characters_(of_characters) {}
  // From the two parameters above.
  explicit ShingleBuilder(const ParameterValues& values)
      : ShingleBuilder(values.integer("width"), values.choice("unit") == "characters") {}

  // Replaces `shingles` by the H64 of every window in the order of the text, repeats included; the words of a window
  // are joined by U+001F. False where the text has fewer units than a window: all of it is one shingle then. O(text).
  // For algorithms that take the least of something: repeats do not change it, and sorting costs more than they do.
  bool list(const PageTerms& terms, std::vector<std::uint64_t>& shingles);

  // The same as a set, ascending and distinct. O(text + n).
  bool build(const PageTerms& terms, std::vector<std::uint64_t>& shingles);

  bool reads_words() const { return !of_characters_; }

 private:
  void split_into_words(const PageTerms& terms);
  void split_into_characters(const PageTerms& terms);

  std::size_t width_;
  bool of_characters_;
  std::string joined_;
  std::vector<std::uint32_t> begins_;  // of each unit in the text, and one behind the last unit's separator
};

// H64 of numbers as 8 bytes each, little-endian: supershingles, band keys.
std::uint64_t hash_of_values(std::span<const std::uint64_t> values);

// How many values two ascending lists without repeats have in common. O(a + b).
std::size_t common_values(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// |A and B| / |A or B|, |A and B| / |A| and / |B|; all 0 for two empty sets.
FingerprintSimilarity similarity_of_sets(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace paraprint
