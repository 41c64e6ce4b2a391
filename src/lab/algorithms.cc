// The classic algorithms, a row for each: the one place that connects a name with its code, its index and its page.
#include <array>

#include "lab/fingerprinters.h"
#include "lab/joins/fingerprint_candidates.h"
#include "paraprint/extensions.h"
#include "profile/registry.h"

namespace paraprint {
namespace {

constexpr auto kCrawl = AlgorithmScale::kCrawl;
constexpr auto kCollection = AlgorithmScale::kCollection;

constexpr std::array kAlgorithms = {
    AlgorithmRow{"digest-text", "equal normalised text", "0.4", "hash map", kCrawl, &kDigestOfText},
    AlgorithmRow{"digest-bytes", "equal bytes as fetched", "0.4", "hash map", kCrawl, &kDigestOfBytes},
    // Digests and signatures
    AlgorithmRow{"page-information", "most frequent words in common", "1", "set join with prefix filter", kCollection,
                 &kPageInformation},
    AlgorithmRow{"segment-signatures", "equal blocks, or equal parts, of the text", "2", "set join with prefix filter",
                 kCollection, &kSegmentSignatures},
    AlgorithmRow{"tianwang-abstract", "equal beginnings of the text", "3", "hash map", kCrawl, &kTianwangAbstract},
    AlgorithmRow{"tianwang-keywords", "equal keywords in order of weight", "3", "hash map", kCrawl, &kTianwangKeywords},
    AlgorithmRow{"tianwang-keywords-sim", "equal keywords in order of weight, with similar weights", "3", "hash map",
                 kCrawl, &kTianwangKeywordsSim},
    AlgorithmRow{"tianwang-sorted", "equal sets of keywords", "3", "hash map", kCrawl, &kTianwangSorted},
    AlgorithmRow{"tianwang-sorted-sim", "equal sets of keywords, with similar weights", "3", "hash map", kCrawl,
                 &kTianwangSortedSim},
    AlgorithmRow{"random-projection", "sign bits of word counts within some bits", "5",
                 "equal blocks of bits, exact Hamming join up to 128 bits", kCrawl, &kRandomProjection},
    AlgorithmRow{"text-profile", "equal profiles of rounded word counts (Nutch, Solr)", "6", "hash map", kCrawl,
                 &kTextProfile},
    AlgorithmRow{"idf-string", "equal strings of the rarest words, by a classic string hash", "7", "hash map", kCrawl,
                 &kIdfString},
    // Keywords
    AlgorithmRow{"keyword-cosine", "cosine of keyword counts", "8", "weighted set join with prefix filter", kCollection,
                 &kKeywordCosine},
    AlgorithmRow{"scam", "words in similar numbers, as a share of the smaller page (SCAM)", "9",
                 "join of close word counts, bounded by norm", kCollection, &kScam},
    AlgorithmRow{"keyword-position", "cosine of keyword counts, by places in the page", "10",
                 "keywords by rising frequency, prefix filter", kCollection, &kKeywordPosition},
    // SimHash
    AlgorithmRow{"simhash-64", "SimHash of 64 bits of the weighted words", "11",
                 "exact Hamming join, or Manku's tables", kCrawl, &kSimHash64},
    AlgorithmRow{"simhash-128", "SimHash of 128 bits of the weighted words", "27.8",
                 "exact Hamming join, or Manku's tables", kCrawl, &kSimHash128},
    AlgorithmRow{"simhash-position", "SimHash of words weighted by where they stand", "12", "exact Hamming join",
                 kCrawl, &kSimHashPosition},
    AlgorithmRow{"simhash-shingles", "SimHash of all word shingles, repeats included", "13", "exact Hamming join",
                 kCrawl, &kSimHashShingles},
    AlgorithmRow{"simhash-integrated", "SimHash of shingles composed of word hashes, weighted by part of speech", "14",
                 "exact Hamming join", kCrawl, &kSimHashIntegrated},
    // The paragraph rules
    AlgorithmRow{"paragraph-literal", "every paragraph near its counterpart, in order and number", "24",
                 "exact Hamming join of the middle paragraphs", kCrawl, &kParagraphLiteral},
    AlgorithmRow{"paragraph-cosine", "a near paragraph, and the weighted cosine of all words", "24",
                 "exact Hamming join of all paragraphs", kCollection, &kParagraphCosine},
    // Baselines
    AlgorithmRow{"shingle", "windows of words or characters as a set", "27.1, 29", "set join with prefix filter",
                 kCollection, &kShingle},
    AlgorithmRow{"shingle-heintze", "shingles of smallest hash, frequent ones dropped", "27.2",
                 "set join with prefix filter", kCollection, &kShingleHeintze},
    AlgorithmRow{"shingle-bharat", "shingles whose hash a modulus divides", "27.3", "set join with prefix filter",
                 kCollection, &kShingleBharat},
    AlgorithmRow{"shingle-supershingle", "shingles of sampled shingles, one in common", "27.4", "hash map", kCrawl,
                 &kShingleSupershingle},
    AlgorithmRow{"shingle-fetterly", "six hashes of 84 min-hashes, two equal", "27.5", "hash map", kCrawl,
                 &kShingleFetterly},
    AlgorithmRow{"i-match", "equal sets of words of middling and high idf", "27.6", "hash map", kCrawl, &kIMatch},
    AlgorithmRow{"i-match-lexicons", "I-Match over several incomplete lexicons, one of which agrees", "27.7",
                 "hash map for each lexicon", kCrawl, &kIMatchLexicons},
    // Beyond the baselines
    AlgorithmRow{"minhash", "least shingles under 128 permutations", "30, 32", "bands of the signature", kCrawl,
                 &kMinHash},
    AlgorithmRow{"minhash-one-permutation", "least shingles in 128 ranges of one permutation", "30, 32",
                 "bands of the signature", kCrawl, &kMinHashOnePermutation},
    AlgorithmRow{"minhash-b-bit", "one bit of each of 512 least shingles", "31", "bands of the bits", kCollection,
                 &kMinHashBBit},
    AlgorithmRow{"minhash-forest", "MinHash, each page with its nearest ones", "33", "LSH forest", kCrawl,
                 &kMinHashForest},
    AlgorithmRow{"spotsigs", "content words behind frequent function words, as a multiset", "34",
                 "set join of counts with prefix filter", kCollection, &kSpotSigs},
    AlgorithmRow{"henzinger", "supershingles of 8 words, confirmed by a random projection", "35", "hash map", kCrawl,
                 &kHenzinger},
};

}  // namespace

void enable_laboratory() {
  register_algorithms({kAlgorithms, &find_fingerprint_candidates});
}

}  // namespace paraprint
