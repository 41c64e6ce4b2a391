// Every setting of paraprint, once: name, default, effect and range. The command line, the configuration file, the
// summary and the library read the same declarations. Settings that change a fingerprint enter its identity.
#pragma once

#include <cstdint>
#include <string>

#include "paraprint/result.h"

namespace paraprint {

// When two pages count as copies (algorithms.md 25). Changing these needs no new fingerprints (`paraprint recluster`).
struct MatchOptions {
  // Two paragraphs within this many of 128 bits are one text with edits. Range 0 to 32. More finds heavier edits and
  // lets unlike short paragraphs pass. Section 21 names 12 as default and 4 to 24 as the range to tune.
  int paragraph_distance_bits = 12;
  // Resemblance from which two pages are `near`. Range (0, 1]. Resemblance r means that 2r/(1+r) of the two texts
  // together stands in both: 0.667 is four fifths.
  double near_resemblance = 0.6;
  // Share of one page that must stand in the other to call it `contained`. Range (0, 1].
  double containment = 0.8;
  // Matched characters below which nothing but equal text is reported: short pages agree by chance.
  std::uint32_t matched_characters_minimum = 100;
  // Weight of a list item's or table row's characters against running text, and of a paragraph under a heading.
  // Section 25: 0.8 and 1.2; 1 turns a factor off.
  double list_weight = 1.0;
  double after_heading_weight = 1.0;
  // Compare sentences where paragraphs do not match as a whole.
  bool match_sentences = true;

  Status validate() const;
};

}  // namespace paraprint
