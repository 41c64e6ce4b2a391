// The factories of all page-level algorithms: one a file, one row each in engine/registry.cc.
#pragma once

#include "fingerprint/page_fingerprinter.h"

namespace paraprint {

extern const FingerprinterFactory kDigestOfBytes;  // exact_digest.cc
extern const FingerprinterFactory kDigestOfText;

}  // namespace paraprint
