// SimHash of the words of a page (M. Charikar, STOC 2002; G. S. Manku, A. Jain, A. Das Sarma, WWW 2007;
// docs/algorithms/simhash.md).
//
// Every distinct word votes with its weight on each bit. The share of equal bits of two fingerprints estimates the
// angle between the weight vectors. O(f * distinct words); 8 or 16 bytes per page; exact Hamming index. A bag of words:
// order and position do not count, synonyms are different words, and short edits of a long page go unnoticed.
#include <memory>

#include "lab/fingerprinters.h"
#include "lab/sketches/simhash_page.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array<std::string_view, 2> kWeights = {"tf", "tfidf"};

constexpr ParameterInfo hash_parameter(double default_index) {
  return {"hash", "hash function of words", default_index, 0, 1, true, kWordHashes};
}
constexpr ParameterInfo kWeightsParameter = {
    "weights", "weight of a word: its count, or count times inverse document frequency", 1, 0, 1, true, kWeights};

constexpr std::array kParameters64 = {distance_parameter(3), hash_parameter(0), kWeightsParameter, kStopWordsParameter,
                                      kTablesParameter};
constexpr std::array kParameters128 = {distance_parameter(6), hash_parameter(1), kWeightsParameter, kStopWordsParameter,
                                       kTablesParameter};

class SimHashOfWords final : public SimHashFingerprinter {
 public:
  SimHashOfWords(const ParameterValues& values, int bits)
      : SimHashFingerprinter(values, bits, static_cast<int>(values.integer("distance_bits"))),
        hash_(values.choice("hash")),
        uses_idf_(values.choice("weights") == "tfidf"),
        drops_stop_words_(values.choice(kStopWordsParameter.name) == "dropped") {}

 protected:
  bool add_features(const PageTerms& terms, SimHashVotes& votes) override {
    for (const Term& term : terms.terms) {
      if (term.count == 0 || (drops_stop_words_ && term.is_stop_word)) continue;  // count 0: in the title only
      const double idf = uses_idf_ ? static_cast<double>(term.idf) : 1.0;
      votes.add(hash_of_word(terms, term, hash_, bits()), idf * term.count);
    }
    return true;
  }

 private:
  std::string_view hash_;
  bool uses_idf_;
  bool drops_stop_words_;
};

}  // namespace

const FingerprinterFactory kSimHash64 = {kParameters64,
                                         [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                           return std::make_unique<SimHashOfWords>(values, 64);
                                         }};
const FingerprinterFactory kSimHash128 = {kParameters128,
                                          [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                            return std::make_unique<SimHashOfWords>(values, 128);
                                          }};

}  // namespace paraprint::inline lab::inline sketches
