// The zone of a page in which a word occurs, and the weights of zones (docs/algorithms/simhash.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fingerprint/page_fingerprinter.h"
#include "text/terms.h"

namespace paraprint::inline lab::inline sketches {

enum class PageZone : std::uint8_t {
  kTitle,
  kHeading,         // h1 to h3
  kFirstParagraph,  // the first block that is not a heading
  kLastParagraph,   // the last block that is not a heading, unless it is also the first
  kOther,
};
inline constexpr std::size_t kPageZones = 5;

// The maximum weight of a zone. Reprints often change the title, so no zone may dominate a fingerprint.
inline constexpr double kZoneWeightMaximum = 3;

// Parameters shared by the methods with zones.
inline constexpr ParameterInfo kTitleWeight = {
    "title_weight", "weight of words in the title; 0 ignores the title", 3, 0, kZoneWeightMaximum, false};
inline constexpr ParameterInfo kHeadingWeight = {
    "heading_weight", "weight of words in headings of levels 1 to 3", 2, 0, kZoneWeightMaximum, false};
inline constexpr ParameterInfo kFirstParagraphWeight = {
    "first_weight", "weight of words in the first paragraph", 1.5, 0, kZoneWeightMaximum, false};
inline constexpr ParameterInfo kLastParagraphWeight = {
    "last_weight", "weight of words in the last paragraph", 1.2, 0, kZoneWeightMaximum, false};

class ZoneWeights {
 public:
  explicit ZoneWeights(const ParameterValues& values)
      : weights_{values.real(kTitleWeight.name), values.real(kHeadingWeight.name),
                 values.real(kFirstParagraphWeight.name), values.real(kLastParagraphWeight.name), 1.0} {}

  double of(PageZone zone) const { return weights_[static_cast<std::size_t>(zone)]; }

 private:
  std::array<double, kPageZones> weights_;
};

// Replaces `zones` with the zone of each block. Blocks never get kTitle: the title is not a block.
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

}  // namespace paraprint::inline lab::inline sketches
