// Measures how much of one text occurs in another; the labels of a simulated corpus are defined by it. It uses nothing
// that the detector compares pages with: no fingerprints, no normalisation, no word segmentation.
//
// A unit is a Han character, or a run of other letters, marks and digits (ASCII in lower case). In scripts without
// spaces, such as Thai, the run also ends behind a letter with marks. The share of a in b is the share of a's units
// inside a window of kWindowUnits units that b also has, in any order. Where that leaves doubt, the longest common
// subsequence (in order, single units count) is used if it is larger.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/simulate/language/article.h"

namespace paraprint::inline lab::inline simulate {

inline constexpr std::size_t kWindowUnits = 4;
// Minimum Dice = 2 * common / (a + b) of near-duplicates: the convention of the labelled sets of real pages that this
// project is evaluated on (docs/simulator.md).
inline constexpr double kNearDice = 0.8;
// Shares below this count as unrelated: unrelated long texts in one language reach a few hundredths.
inline constexpr double kUnrelatedShare = 0.1;
// Minimum share of a page in another for it to be a part of the other.
inline constexpr double kContainedShare = 0.8;

struct TextUnits {
  struct Window {
    std::uint64_t hash;   // of kWindowUnits units
    std::uint32_t place;  // of its first unit
  };
  std::vector<std::uint32_t> units;  // in text order
  std::vector<Window> windows;       // starting at every place; sorted by hash, then place
  std::uint64_t hash = 0;            // of `units`
};

TextUnits text_units(const Article& article);

// Appends the units of a text, 32 bits each.
void append_units(std::string_view text, std::vector<std::uint32_t>& units);

struct SharedText {
  bool is_same = false;      // equal units in equal order
  double containment_a = 0;  // share of a that occurs in b
  double containment_b = 0;
  double dice = 0;  // of both texts together
};

// Symmetric. Linear in the windows of both; for doubtful pairs another |a| * |b| / 64 word operations, on at most
// kLongestCompared units of each.
SharedText shared_text(const TextUnits& a, const TextUnits& b);

// Length of the longest common subsequence (bit-parallel, Hyyrö 2004).
std::size_t common_subsequence(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b);

enum class PairLabel : std::uint8_t { kDuplicate, kNear, kTopic, kDifferent };
inline constexpr std::size_t kPairLabelCount = 4;
std::string_view pair_label_name(PairLabel label);  // "dup", "near", "topic", "diff"

// The label of two pages with a common base article.
PairLabel label_of(const SharedText& shared);

}  // namespace paraprint::inline lab::inline simulate
