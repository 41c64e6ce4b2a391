// The factories of all page-level algorithms: one a file, one row each in engine/registry.cc.
#pragma once

#include "fingerprint/page_fingerprinter.h"

namespace paraprint {

extern const FingerprinterFactory kDigestOfBytes;  // exact_digest.cc
extern const FingerprinterFactory kDigestOfText;

extern const FingerprinterFactory kShingle;              // shingle.cc
extern const FingerprinterFactory kShingleHeintze;       // shingle_heintze.cc
extern const FingerprinterFactory kShingleBharat;        // shingle_bharat.cc
extern const FingerprinterFactory kShingleSupershingle;  // shingle_supershingle.cc

}  // namespace paraprint
