// Superposition of all shingles (Zheng Peng 2008; docs/algorithms/simhash.md): a SimHash of the windows of w words.
//
// Every window votes once per occurrence. So frequency counts, which shingle sets ignore, and word order counts, which
// the SimHash of words ignores. Nothing is sampled. O(f * words). One edited word changes w windows, so the same edit
// moves this fingerprint further than a SimHash of words.
#include <memory>
#include <string>

#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/simhash_page.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr char kSeparator = '\x1F';  // as for all lists of words (docs/algorithms/hashes.md)
constexpr double kShingleWordsMaximum = 20;

constexpr std::array kSimhashShinglesParameters = {
    kDistanceByWidthParameter,
    ParameterInfo{"words", "words per shingle", 3, 1, kShingleWordsMaximum},
    ParameterInfo{"bits", "number of bits of the fingerprint", 0, 0, 1, true, kSimHashWidths},
    kTablesParameterAddedLater,
};

class SimHashOfShingles final : public SimHashFingerprinter {
 public:
  explicit SimHashOfShingles(const ParameterValues& values)
      : SimHashFingerprinter(values, width_of(values.choice("bits")),
                             distance_of(values, width_of(values.choice("bits")))),
        words_(values.integer("words")) {}

 protected:
  bool add_features(const PageTerms& terms, SimHashVotes& votes) override {
    join(terms);
    const std::size_t count = terms.tokens.size();
    if (count == 0) return false;
    if (count < words_) {
      vote_for(0, count, votes);
      return false;
    }
    for (std::size_t first = 0; first + words_ <= count; ++first) vote_for(first, first + words_, votes);
    return true;
  }

 private:
  // Joins all words, so that every shingle is a substring.
  void join(const PageTerms& terms) {
    joined_.clear();
    begin_.clear();
    for (const std::uint32_t token : terms.tokens) {
      begin_.push_back(joined_.size());
      joined_ += terms.bytes_of_token(token);
      joined_ += kSeparator;
    }
    begin_.push_back(joined_.size());
  }

  void vote_for(std::size_t first, std::size_t end, SimHashVotes& votes) const {
    const std::size_t size = begin_[end] - begin_[first] - 1;  // without the last separator
    Fingerprint128 hash = murmur128(std::string_view(joined_).substr(begin_[first], size));
    if (bits() == 64) hash.low = 0;
    votes.add(hash, 1);
  }

  std::size_t words_;
  std::string joined_;
  std::vector<std::size_t> begin_;  // of each word in joined_, plus the end of joined_
};

}  // namespace

const FingerprinterFactory kSimHashShingles = {kSimhashShinglesParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<SimHashOfShingles>(values);
                                               }};

}  // namespace paraprint::inline lab::inline sketches
