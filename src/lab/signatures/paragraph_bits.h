// What the two paragraph rules of algorithms.md 24 share: a paragraph as 128 bits.
#pragma once

#include "base/hash.h"
#include "paraprint/model.h"

namespace paraprint {

// The paragraph's SimHash. One of too few words (algorithms.md 21: exact digest only) stands as a hash of its text: at
// distance 0 from an equal one and at about 64, never near, from all others.
inline Fingerprint128 bits_of_paragraph(const ParagraphProfile& paragraph) {
  return paragraph.has_simhash ? paragraph.simhash : Fingerprint128{paragraph.hash, mix64(paragraph.hash)};
}

}  // namespace paraprint
