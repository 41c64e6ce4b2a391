// How much of one text stands in another: what the labels of a simulated corpus are defined by. Made without anything
// that the detector compares pages with: no fingerprints, no normalisation, no word segmentation.
//
// Unit: a Han character, or a run of other letters and digits in lower case (ASCII). Share of a that stands in b: units
// of a inside a window of kWindowUnits that b has too, in any order; where that leaves a doubt, the longest common
// subsequence (in order, single units count), if it is larger.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/simulate/language/article.h"

namespace paraprint {

inline constexpr std::size_t kWindowUnits = 4;
// Dice = 2 * common / (a + b) from which two pages are near-duplicates: the convention of the labelled sets of real
// pages that this project is measured on (docs/simulator.md).
inline constexpr double kNearDice = 0.8;
// Share below which nothing is said to be shared: unrelated long texts of one language reach a few hundredths.
inline constexpr double kUnrelatedShare = 0.1;
// Share of one page that makes it a part of the other.
inline constexpr double kContainedShare = 0.8;

struct TextUnits {
  struct Window {
    std::uint64_t hash;   // of kWindowUnits units
    std::uint32_t place;  // of the first of them
  };
  std::vector<std::uint32_t> units;  // in text order
  std::vector<Window> windows;       // from every place on; by hash, then place
  std::uint64_t hash = 0;            // of `units`
};

TextUnits text_units(const Article& article);

// The same units of a text, appended: one of 32 bits each.
void append_units(std::string_view text, std::vector<std::uint32_t>& units);

struct SharedText {
  bool is_same = false;      // equal units in equal order
  double containment_a = 0;  // share of a that stands in b
  double containment_b = 0;
  double dice = 0;  // share of both taken together
};

// Symmetric. Cost: the windows of both; for doubtful pairs |a| * |b| / 64 words more, of at most kLongestCompared
// units.
SharedText shared_text(const TextUnits& a, const TextUnits& b);

// Length of the longest common subsequence (bit-parallel: Hyyroe 2004).
std::size_t common_subsequence(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b);

enum class PairLabel : std::uint8_t { kDuplicate, kNear, kTopic, kDifferent };
inline constexpr std::size_t kPairLabelCount = 4;
std::string_view pair_label_name(PairLabel label);  // "dup", "near", "topic", "diff"

// Of two pages that go back to one article.
PairLabel label_of(const SharedText& shared);

}  // namespace paraprint
