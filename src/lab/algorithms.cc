// The classic algorithms, a row for each: the one place that connects a name with its code, its index and its page.
#include <array>

#include "lab/fingerprinters.h"
#include "lab/joins/fingerprint_candidates.h"
#include "lab/judge/run_judging.h"
#include "paraprint/extensions.h"
#include "profile/registry.h"

namespace paraprint {
namespace {

constexpr auto kCrawl = AlgorithmScale::kCrawl;
constexpr auto kCollection = AlgorithmScale::kCollection;

constexpr std::array kAlgorithms = {
    AlgorithmRow{"digest-text", "equal normalised text", "digests.md", "hash map", kCrawl, &kDigestOfText},
    AlgorithmRow{"digest-bytes", "equal bytes as fetched", "digests.md", "hash map", kCrawl, &kDigestOfBytes},
    // Digests and signatures
    AlgorithmRow{"page-information", "most frequent words in common", "digests.md", "set join with prefix filter",
                 kCollection, &kPageInformation},
    AlgorithmRow{"segment-signatures", "equal blocks, or equal parts, of the text", "digests.md",
                 "set join with prefix filter", kCollection, &kSegmentSignatures},
    AlgorithmRow{"tianwang-abstract", "equal beginnings of the text", "tianwang.md", "hash map", kCrawl,
                 &kTianwangAbstract},
    AlgorithmRow{"tianwang-keywords", "equal keywords in order of weight", "tianwang.md", "hash map", kCrawl,
                 &kTianwangKeywords},
    AlgorithmRow{"tianwang-keywords-sim", "equal keywords in order of weight, with similar weights", "tianwang.md",
                 "hash map", kCrawl, &kTianwangKeywordsSim},
    AlgorithmRow{"tianwang-sorted", "equal sets of keywords", "tianwang.md", "hash map", kCrawl, &kTianwangSorted},
    AlgorithmRow{"tianwang-sorted-sim", "equal sets of keywords, with similar weights", "tianwang.md", "hash map",
                 kCrawl, &kTianwangSortedSim},
    AlgorithmRow{"random-projection", "sign bits of word counts within some bits", "simhash.md",
                 "equal blocks of bits, exact Hamming join up to 128 bits", kCrawl, &kRandomProjection},
    AlgorithmRow{"text-profile", "equal profiles of rounded word counts (Nutch, Solr)", "digests.md", "hash map",
                 kCrawl, &kTextProfile},
    AlgorithmRow{"idf-string", "equal strings of the rarest words, by a classic string hash", "digests.md", "hash map",
                 kCrawl, &kIdfString},
    // Keywords
    AlgorithmRow{"keyword-cosine", "cosine of keyword counts", "keywords.md", "weighted set join with prefix filter",
                 kCollection, &kKeywordCosine},
    AlgorithmRow{"scam", "words in similar numbers, as a share of the smaller page (SCAM)", "keywords.md",
                 "join of close word counts, bounded by norm", kCollection, &kScam},
    AlgorithmRow{"keyword-position", "cosine of keyword counts, by places in the page", "keywords.md",
                 "pairs of keywords, rare ones first", kCollection, &kKeywordPosition},
    // SimHash
    AlgorithmRow{"simhash-64", "SimHash of 64 bits of the weighted words", "simhash.md",
                 "exact Hamming join, or Manku's tables", kCrawl, &kSimHash64},
    AlgorithmRow{"simhash-128", "SimHash of 128 bits of the weighted words", "simhash.md",
                 "exact Hamming join, or Manku's tables", kCrawl, &kSimHash128},
    AlgorithmRow{"simhash-position", "SimHash of words weighted by where they stand", "simhash.md",
                 "exact Hamming join", kCrawl, &kSimHashPosition},
    AlgorithmRow{"simhash-shingles", "SimHash of all word shingles, repeats included", "simhash.md",
                 "exact Hamming join", kCrawl, &kSimHashShingles},
    AlgorithmRow{"simhash-integrated", "SimHash of shingles composed of word hashes, weighted by part of speech",
                 "simhash.md", "exact Hamming join", kCrawl, &kSimHashIntegrated},
    // The paragraph rules
    AlgorithmRow{"paragraph-literal", "every paragraph near its counterpart, in order and number", "paragraph.md",
                 "exact Hamming join of the middle paragraphs", kCrawl, &kParagraphLiteral},
    AlgorithmRow{"paragraph-cosine", "a near paragraph, and the weighted cosine of all words", "paragraph.md",
                 "exact Hamming join of all paragraphs", kCollection, &kParagraphCosine},
    // Baselines
    AlgorithmRow{"shingle", "windows of words or characters as a set", "shingles.md", "set join with prefix filter",
                 kCollection, &kShingle},
    AlgorithmRow{"shingle-heintze", "shingles of smallest hash, frequent ones dropped", "shingles.md",
                 "set join with prefix filter", kCollection, &kShingleHeintze},
    AlgorithmRow{"shingle-bharat", "shingles whose hash a modulus divides", "shingles.md",
                 "set join with prefix filter", kCollection, &kShingleBharat},
    AlgorithmRow{"shingle-supershingle", "shingles of sampled shingles, one in common", "shingles.md", "hash map",
                 kCrawl, &kShingleSupershingle},
    AlgorithmRow{"shingle-fetterly", "six hashes of 84 min-hashes, two equal", "shingles.md", "hash map", kCrawl,
                 &kShingleFetterly},
    AlgorithmRow{"i-match", "equal sets of words of middling and high idf", "i-match.md", "hash map", kCrawl, &kIMatch},
    AlgorithmRow{"i-match-lexicons", "I-Match over several incomplete lexicons, one of which agrees", "i-match.md",
                 "hash map for each lexicon", kCrawl, &kIMatchLexicons},
    // Beyond the baselines
    AlgorithmRow{"minhash", "minimum shingle hashes under 128 permutations", "minhash.md", "bands of the signature",
                 kCrawl, &kMinHash},
    AlgorithmRow{"minhash-one-permutation", "minimum shingle hashes in 128 ranges of one permutation", "minhash.md",
                 "bands of the signature", kCrawl, &kMinHashOnePermutation},
    AlgorithmRow{"minhash-b-bit", "one bit of each of 512 minimum shingle hashes", "minhash.md", "bands of the bits",
                 kCollection, &kMinHashBBit},
    AlgorithmRow{"minhash-forest", "MinHash, each page with its nearest ones", "minhash.md", "LSH forest", kCrawl,
                 &kMinHashForest},
    AlgorithmRow{"spotsigs", "content words behind frequent function words, as a multiset", "shingles.md",
                 "set join of counts with prefix filter", kCollection, &kSpotSigs},
    AlgorithmRow{"henzinger", "supershingles of 8 words, confirmed by a random projection", "shingles.md", "hash map",
                 kCrawl, &kHenzinger},
};

}  // namespace

void enable_laboratory() {
  register_algorithms({kAlgorithms, &find_fingerprint_candidates});
  set_judging_hook(&open_run_judging);
}

}  // namespace paraprint
