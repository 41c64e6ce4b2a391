// Where in a page a word stands, and what its place is worth (algorithms.md 12).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fingerprint/page_fingerprinter.h"
#include "paraprint/terms.h"

namespace paraprint {

enum class PageZone : std::uint8_t {
  kTitle,
  kHeading,         // h1 to h3
  kFirstParagraph,  // the first block that is no heading
  kLastParagraph,   // the last one; of a single one it is the first
  kOther,
};
inline constexpr std::size_t kPageZones = 5;

// Titles are often changed by who reprints a page: no zone may weigh more than this (algorithms.md 12).
inline constexpr double kZoneWeightMaximum = 3;

// The parameters of the methods with zones, for their tables.
inline constexpr ParameterInfo kTitleWeight = {
    "title_weight", "of words in the title; 0 leaves the title out", 3, 0, kZoneWeightMaximum, false};
inline constexpr ParameterInfo kHeadingWeight = {
    "heading_weight", "of words in headings of the first three levels", 2, 0, kZoneWeightMaximum, false};
inline constexpr ParameterInfo kFirstParagraphWeight = {
    "first_weight", "of words in the first paragraph", 1.5, 0, kZoneWeightMaximum, false};
inline constexpr ParameterInfo kLastParagraphWeight = {
    "last_weight", "of words in the last paragraph", 1.2, 0, kZoneWeightMaximum, false};

class ZoneWeights {
 public:
  explicit ZoneWeights(const ParameterValues& values)
      : weights_{values.real(kTitleWeight.name), values.real(kHeadingWeight.name),
                 values.real(kFirstParagraphWeight.name), values.real(kLastParagraphWeight.name), 1.0} {}

  double of(PageZone zone) const { return weights_[static_cast<std::size_t>(zone)]; }

 private:
  std::array<double, kPageZones> weights_;
};

// Fills `zones` with the zone of each block.
inline void find_block_zones(const PageTerms& terms, std::vector<PageZone>& zones) {
  constexpr std::uint8_t kLowestHeadingLevel = 3;
  zones.assign(terms.blocks.size(), PageZone::kOther);
  std::size_t first = terms.blocks.size();
  std::size_t last = terms.blocks.size();
  for (std::size_t i = 0; i < terms.blocks.size(); ++i) {
    const TermBlock& block = terms.blocks[i];
    if (block.role == BlockRole::kHeading) {
      if (block.heading_level >= 1 && block.heading_level <= kLowestHeadingLevel) zones[i] = PageZone::kHeading;
      continue;
    }
    if (first == terms.blocks.size()) first = i;
    last = i;
  }
  if (first == terms.blocks.size()) return;
  zones[last] = PageZone::kLastParagraph;
  zones[first] = PageZone::kFirstParagraph;
}

}  // namespace paraprint
