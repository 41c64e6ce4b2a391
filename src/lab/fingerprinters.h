// The factories of all page-level algorithms. Each is defined in the file named here and has one row in
// lab/algorithms.cc.
#pragma once

#include "fingerprint/page_fingerprinter.h"

namespace paraprint::inline lab::inline signatures {

extern const FingerprinterFactory kDigestOfBytes;  // exact_digest.cc
extern const FingerprinterFactory kDigestOfText;
extern const FingerprinterFactory kPageInformation;
extern const FingerprinterFactory kSegmentSignatures;  // segment_signatures.cc
extern const FingerprinterFactory kTianwangAbstract;
extern const FingerprinterFactory kTianwangKeywords;
extern const FingerprinterFactory kTianwangKeywordsSim;
extern const FingerprinterFactory kTianwangSorted;
extern const FingerprinterFactory kTianwangSortedSim;
extern const FingerprinterFactory kTextProfile;
extern const FingerprinterFactory kIdfString;
extern const FingerprinterFactory kKeywordCosine;
extern const FingerprinterFactory kScam;
extern const FingerprinterFactory kKeywordPosition;
extern const FingerprinterFactory kParagraphLiteral;
extern const FingerprinterFactory kParagraphCosine;
extern const FingerprinterFactory kIMatch;  // i_match.cc
extern const FingerprinterFactory kIMatchLexicons;

}  // namespace paraprint::inline lab::inline signatures

namespace paraprint::inline lab::inline sketches {

extern const FingerprinterFactory kRandomProjection;  // random_projection.cc
extern const FingerprinterFactory kSimHash64;         // simhash_words.cc
extern const FingerprinterFactory kSimHash128;
extern const FingerprinterFactory kSimHashPosition;
extern const FingerprinterFactory kSimHashShingles;
extern const FingerprinterFactory kSimHashIntegrated;  // simhash_integrated.cc
extern const FingerprinterFactory kShingle;
extern const FingerprinterFactory kShingleHeintze;
extern const FingerprinterFactory kShingleBharat;
extern const FingerprinterFactory kShingleSupershingle;  // shingle_supershingle.cc
extern const FingerprinterFactory kShingleFetterly;
extern const FingerprinterFactory kMinHash;
extern const FingerprinterFactory kMinHashOnePermutation;
extern const FingerprinterFactory kMinHashBBit;
extern const FingerprinterFactory kMinHashForest;  // minhash_forest.cc
extern const FingerprinterFactory kHenzinger;
extern const FingerprinterFactory kSpotSigs;

}  // namespace paraprint::inline lab::inline sketches
