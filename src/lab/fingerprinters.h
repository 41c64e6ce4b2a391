// The factories of all page-level algorithms. Each is defined in the file named here and has one row in
// lab/algorithms.cc.
#pragma once

#include "fingerprint/page_fingerprinter.h"

namespace paraprint {

extern const FingerprinterFactory kDigestOfBytes;  // exact_digest.cc
extern const FingerprinterFactory kDigestOfText;

extern const FingerprinterFactory kPageInformation;    // page_information.cc
extern const FingerprinterFactory kSegmentSignatures;  // segment_signatures.cc
extern const FingerprinterFactory kTianwangAbstract;   // tianwang.cc
extern const FingerprinterFactory kTianwangKeywords;
extern const FingerprinterFactory kTianwangKeywordsSim;
extern const FingerprinterFactory kTianwangSorted;
extern const FingerprinterFactory kTianwangSortedSim;
extern const FingerprinterFactory kRandomProjection;  // random_projection.cc
extern const FingerprinterFactory kTextProfile;       // text_profile.cc
extern const FingerprinterFactory kIdfString;         // idf_string.cc
extern const FingerprinterFactory kKeywordCosine;     // keyword_cosine.cc
extern const FingerprinterFactory kScam;              // scam.cc
extern const FingerprinterFactory kKeywordPosition;   // keyword_position.cc

extern const FingerprinterFactory kSimHash64;  // simhash_words.cc
extern const FingerprinterFactory kSimHash128;
extern const FingerprinterFactory kSimHashPosition;    // simhash_position.cc
extern const FingerprinterFactory kSimHashShingles;    // simhash_shingles.cc
extern const FingerprinterFactory kSimHashIntegrated;  // simhash_integrated.cc
extern const FingerprinterFactory kParagraphLiteral;   // paragraph_literal.cc
extern const FingerprinterFactory kParagraphCosine;    // paragraph_cosine.cc

extern const FingerprinterFactory kShingle;              // shingle.cc
extern const FingerprinterFactory kShingleHeintze;       // shingle_heintze.cc
extern const FingerprinterFactory kShingleBharat;        // shingle_bharat.cc
extern const FingerprinterFactory kShingleSupershingle;  // shingle_supershingle.cc
extern const FingerprinterFactory kShingleFetterly;      // shingle_fetterly.cc
extern const FingerprinterFactory kMinHash;              // minhash.cc
extern const FingerprinterFactory kMinHashOnePermutation;
extern const FingerprinterFactory kMinHashBBit;    // minhash_b_bit.cc
extern const FingerprinterFactory kMinHashForest;  // minhash_forest.cc
extern const FingerprinterFactory kHenzinger;      // henzinger.cc
extern const FingerprinterFactory kSpotSigs;       // spotsigs.cc

extern const FingerprinterFactory kIMatch;  // i_match.cc
extern const FingerprinterFactory kIMatchLexicons;

}  // namespace paraprint
