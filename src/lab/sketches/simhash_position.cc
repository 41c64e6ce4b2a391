// SimHash with word positions in the weights (idea: Zheng Peng 2008; the formula is this project's own;
// docs/algorithms/simhash.md).
//
// w(t) = idf(t) times the sum, over the occurrences of t, of zone weight times sentence weight: words in the title, in
// headings and in the first paragraph say more about the topic of a page. With all weights 1 and without the title it
// is the SimHash of tf-idf. O(f * distinct words + words). Depends on correctly extracted zones, ignores word order
// inside a zone, and is moved further by a changed title than the plain SimHash.
#include <memory>

#include "lab/fingerprinters.h"
#include "lab/sketches/page_zones.h"
#include "lab/sketches/simhash_page.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array kSimhashPositionParameters = {
    kDistanceByWidthParameter,
    ParameterInfo{"bits", "number of bits of the fingerprint", 0, 0, 1, true, kSimHashWidths},
    ParameterInfo{"hash", "hash function of words", 0, 0, 1, true, kWordHashes},
    kStopWordsParameter,
    kTitleWeight,
    kHeadingWeight,
    kFirstParagraphWeight,
    kLastParagraphWeight,
    ParameterInfo{"sentence_weight", "weight of words in the first sentence of a block, e.g. 1.2", 1, 0,
                  kZoneWeightMaximum, false},
    kTablesParameterAddedLater,
};

class SimHashOfPlaces final : public SimHashFingerprinter {
 public:
  explicit SimHashOfPlaces(const ParameterValues& values)
      : SimHashFingerprinter(values, width_of(values.choice("bits")),
                             distance_of(values, width_of(values.choice("bits")))),
        hash_(values.choice("hash")),
        drops_stop_words_(values.choice(kStopWordsParameter.name) == "dropped"),
        zone_weights_(values),
        sentence_weight_(values.real("sentence_weight")) {}

 protected:
  bool add_features(const PageTerms& terms, SimHashVotes& votes) override {
    count_places(terms);
    for (std::size_t t = 0; t < terms.terms.size(); ++t) {
      const Term& term = terms.terms[t];
      if (drops_stop_words_ && term.is_stop_word) continue;
      votes.add(hash_of_word(terms, term, hash_, bits()), static_cast<double>(term.idf) * place_weight(places_[t]));
    }
    return true;
  }

 private:
  // Occurrences of one word by zone, separately for first sentences. Counted rather than summed as weights, because
  // sums of fractions would depend on the order of the occurrences.
  struct Places {
    std::array<std::uint32_t, kPageZones> in_zone{};
    std::array<std::uint32_t, kPageZones> in_first_sentence{};
  };

  void count_places(const PageTerms& terms) {
    places_.assign(terms.terms.size(), Places{});
    for (const std::uint32_t token : terms.title_tokens) ++places_[token].in_zone[0];
    find_block_zones(terms, zones_);
    for (std::size_t b = 0; b < terms.blocks.size(); ++b) {
      const TermBlock& block = terms.blocks[b];
      const auto zone = static_cast<std::size_t>(zones_[b]);
      for (std::uint32_t at = block.tokens_begin; at < block.tokens_end; ++at) {
        Places& places = places_[terms.tokens[at]];
        ++(at < block.first_sentence_end ? places.in_first_sentence : places.in_zone)[zone];
      }
    }
  }

  double place_weight(const Places& places) const {
    double sum = 0;
    for (std::size_t zone = 0; zone < kPageZones; ++zone) {
      sum += zone_weights_.of(static_cast<PageZone>(zone)) *
             (places.in_zone[zone] + sentence_weight_ * places.in_first_sentence[zone]);
    }
    return sum;
  }

  std::string_view hash_;
  bool drops_stop_words_;
  ZoneWeights zone_weights_;
  double sentence_weight_;
  std::vector<PageZone> zones_;
  std::vector<Places> places_;
};

}  // namespace

const FingerprinterFactory kSimHashPosition = {kSimhashPositionParameters,
                                               [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                 return std::make_unique<SimHashOfPlaces>(values);
                                               }};

}  // namespace paraprint::inline lab::inline sketches
