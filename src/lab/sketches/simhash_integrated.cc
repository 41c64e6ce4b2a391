// SimHash and shingles integrated (Zheng Peng 2008; docs/algorithms/simhash.md).
//
// The features are shingles, but shingles are not hashed: the fingerprint of a shingle is composed of those of its
// words, so that shingles with common words have similar fingerprints. Word i is rotated by i * rotation bits first,
// which keeps the order of words (0: order inside a shingle is lost). "xor" composes strictly, without similarity of
// near shingles. The weight of a shingle is its zone's weight times the mean over its words of part-of-speech weight
// times idf; frequency enters by repetition. O(f * w * words). Stacks three approximations: a wrong part of speech or
// zone moves the result.
#include <memory>

#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/sketches/page_zones.h"
#include "lab/sketches/simhash_page.h"
#include "text/part_of_speech.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::size_t kCountedWordsMaximum = 15;  // the counters of compose() have four bits
constexpr double kPartOfSpeechWeightMaximum = 10;
constexpr std::array<std::string_view, 2> kCompositions = {"superpose", "xor"};

constexpr ParameterInfo weight_of(PartOfSpeech part_of_speech, std::string_view name, std::string_view summary) {
  return {name, summary, part_of_speech_weight(part_of_speech), 0, kPartOfSpeechWeightMaximum, false};
}

constexpr std::array kSimhashIntegratedParameters = {
    kDistanceByWidthParameter,
    ParameterInfo{"words", "words per shingle; odd numbers avoid tied votes", 3, 1, kCountedWordsMaximum},
    ParameterInfo{"bits", "number of bits of the fingerprint", 0, 0, 1, true, kSimHashWidths},
    ParameterInfo{"rotation", "bits by which each word of a shingle is rotated relative to the previous one", 1, 0, 63},
    ParameterInfo{"composition", "how a shingle's fingerprint is composed from its words", 0, 0, 1, true,
                  kCompositions},
    weight_of(PartOfSpeech::kNoun, "noun", "weight of nouns"),
    weight_of(PartOfSpeech::kVerb, "verb", "weight of verbs"),
    weight_of(PartOfSpeech::kAdjective, "adjective", "weight of adjectives"),
    weight_of(PartOfSpeech::kNumberOrTime, "number", "weight of numbers, measure words and times"),
    weight_of(PartOfSpeech::kAdverb, "adverb", "weight of adverbs"),
    weight_of(PartOfSpeech::kPronoun, "pronoun", "weight of pronouns"),
    weight_of(PartOfSpeech::kFunctionWord, "function_word", "weight of function words"),
    weight_of(PartOfSpeech::kUnknown, "unknown", "weight of words outside the dictionary"),
    kTitleWeight,
    kHeadingWeight,
    kFirstParagraphWeight,
    kLastParagraphWeight,
    kTablesParameterAddedLater,
};

std::uint64_t rotate_left(std::uint64_t value, unsigned count) {
  return count == 0 ? value : value << count | value >> (64 - count);
}

// Rotates a value of `bits` bits, 64 (in `high`) or 128, to the left.
Fingerprint128 rotate_left(const Fingerprint128& value, std::size_t count, int bits) {
  const unsigned shift = static_cast<unsigned>(count % 64);
  if (bits == 64) return {rotate_left(value.high, shift), 0};
  const Fingerprint128 turned = count / 64 % 2 == 0 ? value : Fingerprint128{value.low, value.high};
  if (shift == 0) return turned;
  return {turned.high << shift | turned.low >> (64 - shift), turned.low << shift | turned.high >> (64 - shift)};
}

// Counts, for 64 bit positions at once, the added words that have the bit. Counters have four bits, one per plane.
class BitCounters {
 public:
  void add(std::uint64_t word) {
    for (std::uint64_t& plane : planes_) {
      const std::uint64_t carry = plane & word;
      plane ^= word;
      word = carry;
    }
  }
  // The positions whose count exceeds `limit`: a comparison from the most significant plane down.
  std::uint64_t above(unsigned limit) const {
    std::uint64_t greater = 0;
    std::uint64_t equal = ~std::uint64_t{0};
    for (std::size_t plane = planes_.size(); plane-- > 0;) {
      if ((limit >> plane & 1) == 0) {
        greater |= equal & planes_[plane];
        equal &= ~planes_[plane];
      } else {
        equal &= planes_[plane];
      }
    }
    return greater;
  }

 private:
  std::array<std::uint64_t, 4> planes_{};
};

class IntegratedSimHash final : public SimHashFingerprinter {
 public:
  explicit IntegratedSimHash(const ParameterValues& values)
      : SimHashFingerprinter(values, width_of(values.choice("bits")),
                             distance_of(values, width_of(values.choice("bits")))),
        words_(values.integer("words")),
        rotation_(values.integer("rotation")),
        is_xor_(values.choice("composition") == "xor"),
        // In the order of PartOfSpeech.
        part_of_speech_weights_{values.real("unknown"),   values.real("noun"),         values.real("verb"),
                                values.real("adjective"), values.real("number"),       values.real("adverb"),
                                values.real("pronoun"),   values.real("function_word")},
        zone_weights_(values) {}

 protected:
  bool add_features(const PageTerms& terms, SimHashVotes& votes) override {
    hashes_.clear();
    word_weights_.clear();
    for (const Term& term : terms.terms) {
      hashes_.push_back(hash_of_word(terms, term, kWordHashes[0], bits()));
      word_weights_.push_back(part_of_speech_weights_[static_cast<std::size_t>(term.part_of_speech)] *
                              static_cast<double>(term.idf));
    }
    find_block_zones(terms, zones_);
    // The title is a separate text: no shingle spans title and page.
    const double title_weight = zone_weights_.of(PageZone::kTitle);
    for (std::size_t first = 0; first < shingle_count(terms.title_tokens); ++first) {
      vote_for(terms.title_tokens, first, title_weight, votes);
    }
    const std::size_t count = shingle_count(terms.tokens);
    std::size_t first = 0;
    for (std::size_t b = 0; b < terms.blocks.size(); ++b) {
      const double weight = zone_weights_.of(zones_[b]);
      // A shingle belongs to the block in which it starts.
      for (; first < count && first < terms.blocks[b].tokens_end; ++first) vote_for(terms.tokens, first, weight, votes);
    }
    return terms.tokens.size() >= words_;
  }

 private:
  // A text with fewer words than a shingle is one shingle.
  std::size_t shingle_count(const std::vector<std::uint32_t>& tokens) const {
    return tokens.size() >= words_ ? tokens.size() - words_ + 1 : std::min<std::size_t>(tokens.size(), 1);
  }

  void vote_for(const std::vector<std::uint32_t>& tokens, std::size_t first, double zone_weight, SimHashVotes& votes) {
    const std::size_t size = std::min(words_, tokens.size() - first);
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += word_weights_[tokens[first + i]];
    votes.add(compose(std::span(tokens).subspan(first, size)), zone_weight * sum / static_cast<double>(size));
  }

  Fingerprint128 compose(std::span<const std::uint32_t> words) const {
    BitCounters high;
    BitCounters low;
    Fingerprint128 exclusive;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Fingerprint128 hash = rotate_left(hashes_[words[i]], rotation_ * i, bits());
      exclusive = {exclusive.high ^ hash.high, exclusive.low ^ hash.low};
      high.add(hash.high);
      low.add(hash.low);
    }
    if (is_xor_) return exclusive;
    const auto half = static_cast<unsigned>(words.size() / 2);
    return {high.above(half), low.above(half)};
  }

  std::size_t words_;
  std::size_t rotation_;
  bool is_xor_;
  std::array<double, 8> part_of_speech_weights_;
  ZoneWeights zone_weights_;
  std::vector<PageZone> zones_;
  std::vector<Fingerprint128> hashes_;  // by term
  std::vector<double> word_weights_;    // by term
};

}  // namespace

const FingerprinterFactory kSimHashIntegrated = {
    kSimhashIntegratedParameters, [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
      return std::make_unique<IntegratedSimHash>(values);
    }};

}  // namespace paraprint::inline lab::inline sketches
