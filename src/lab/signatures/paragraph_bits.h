// A paragraph as 128 bits, shared by paragraph_literal.cc and paragraph_cosine.cc.
#pragma once

#include "base/hash.h"
#include "paraprint/model.h"

namespace paraprint::inline lab::inline signatures {

// The paragraph's SimHash, or a hash of its text if it has too few words for a SimHash: at distance 0 from equal
// paragraphs and at about 64, so never near, from all others.
inline Fingerprint128 bits_of_paragraph(const ParagraphProfile& paragraph) {
  return paragraph.has_simhash ? paragraph.simhash : Fingerprint128{paragraph.hash, mix64(paragraph.hash)};
}

}  // namespace paraprint::inline lab::inline signatures
