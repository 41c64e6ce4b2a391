// SpotSigs: short chains of content words after frequent function words; pages are copies if their multisets of chains
// overlap enough (M. Theobald, J. Siddharth, A. Paepcke, "SpotSigs: robust and efficient near duplicate detection in
// large web collections", SIGIR 2008; docs/algorithms/shingles.md).
//
// From every occurrence of an antecedent (function word), every `distance`-th following word that is not a stop word is
// taken until the chain has `chain` words; chains cut short by the end of the text are dropped. Running text is full of
// function words, menus and advertisements are not, so they contribute few chains. Cost: one hash per antecedent, of
// some 512 bytes at most. Stored: 12 bytes per distinct chain. Fails on tables and lists, and in languages without a
// list of function words.
#include <algorithm>
#include <array>
#include <vector>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "lab/fingerprinters.h"

namespace paraprint::inline lab::inline sketches {
namespace {

constexpr std::array<std::string_view, 2> kAntecedentChoices = {"frequent", "stop-words"};
constexpr std::array kSpotsigsParameters = {
    ParameterInfo{"antecedents",
                  "frequent: 20 frequent function words of each of ten languages; stop-words: all stop words", 0, 0, 1,
                  true, kAntecedentChoices},
    ParameterInfo{"distance", "take one in this many content words", 1, 1, 10},
    ParameterInfo{"chain", "number of content words in a chain", 2, 1, 10},
    ParameterInfo{"threshold", "minimum weighted resemblance of copies", 0.5, 0.01, 1, false},
};

// Normalised (lower-case) forms. Words that several languages share are listed once per language; duplicates do no harm
// in a binary search.
constexpr std::string_view kFrequentFunctionWords[] = {
    // Chinese
    "的",
    "了",
    "在",
    "是",
    "和",
    "有",
    "不",
    "也",
    "就",
    "都",
    "与",
    "对",
    "为",
    "这",
    "等",
    "而",
    "从",
    "被",
    "着",
    "把",
    // English
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "is",
    "that",
    "for",
    "it",
    "was",
    "on",
    "are",
    "as",
    "with",
    "be",
    "at",
    "by",
    "this",
    "from",
    // German
    "der",
    "die",
    "und",
    "das",
    "den",
    "von",
    "zu",
    "mit",
    "sich",
    "auf",
    "ist",
    "dem",
    "nicht",
    "ein",
    "eine",
    "als",
    "auch",
    "es",
    "im",
    "für",
    // French
    "le",
    "la",
    "les",
    "et",
    "des",
    "un",
    "une",
    "du",
    "que",
    "est",
    "pour",
    "qui",
    "dans",
    "par",
    "sur",
    "pas",
    "au",
    "ce",
    "il",
    "plus",
    // Spanish
    "el",
    "los",
    "las",
    "y",
    "en",
    "con",
    "del",
    "se",
    "por",
    "para",
    "una",
    "al",
    "lo",
    "como",
    "su",
    "no",
    "más",
    "pero",
    "sus",
    "o",
    // Portuguese
    "os",
    "e",
    "do",
    "da",
    "em",
    "um",
    "com",
    "não",
    "uma",
    "na",
    "no",
    "dos",
    "mais",
    "ao",
    "das",
    "foi",
    "são",
    "pelo",
    "também",
    "seu",
    // Italian
    "di",
    "che",
    "il",
    "per",
    "non",
    "della",
    "sono",
    "del",
    "con",
    "si",
    "gli",
    "nel",
    "alla",
    "dei",
    "più",
    "anche",
    "le",
    "dal",
    "ma",
    "ha",
    // Dutch
    "het",
    "een",
    "van",
    "dat",
    "op",
    "te",
    "zijn",
    "voor",
    "met",
    "niet",
    "aan",
    "er",
    "om",
    "ook",
    "dan",
    "maar",
    "bij",
    "nog",
    "uit",
    "naar",
    // Polish
    "w",
    "i",
    "na",
    "z",
    "nie",
    "się",
    "jest",
    "do",
    "że",
    "to",
    "jak",
    "od",
    "po",
    "przez",
    "dla",
    "ale",
    "są",
    "za",
    "oraz",
    "jego",
    // Russian
    "и",
    "в",
    "не",
    "на",
    "что",
    "с",
    "по",
    "как",
    "это",
    "он",
    "из",
    "но",
    "к",
    "у",
    "за",
    "от",
    "для",
    "его",
    "же",
    "так",
};

constexpr char kChainSeparator = '\x1F';
// Every antecedent before a word repeats it in its chains, and a word may be as long as the page: longer ones go into
// the chain as their hashes. Of many words in a chain, each may have less, since an antecedent may have two bytes.
constexpr std::size_t kWordBytesMaximum = 256;
constexpr std::size_t kChainBytesMaximum = 512;

std::vector<std::uint64_t> frequent_word_hashes() {
  std::vector<std::uint64_t> hashes;
  for (const std::string_view word : kFrequentFunctionWords) hashes.push_back(hash64(word));
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

class SpotSigs final : public PageFingerprinter {
 public:
  explicit SpotSigs(const ParameterValues& values)
      : distance_(values.integer("distance")),
        chain_(values.integer("chain")),
        word_bytes_maximum_(std::min(kWordBytesMaximum, kChainBytesMaximum / chain_)),
        threshold_(values.real("threshold")) {
    if (values.choice("antecedents") == "frequent") antecedents_ = frequent_word_hashes();
  }

  // values: the hashes of the chains, ascending; weights: their counts.
  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    collect_chains(page.terms);
    std::sort(chains_.begin(), chains_.end());
    for (std::size_t begin = 0; begin < chains_.size();) {
      std::size_t end = begin + 1;
      while (end < chains_.size() && chains_[end] == chains_[begin]) ++end;
      fingerprint.values.push_back(chains_[begin]);
      fingerprint.weights.push_back(static_cast<float>(end - begin));
      begin = end;
    }
    if (chains_.empty()) fingerprint.state = FingerprintState::kShort;
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    double both = 0;
    for (std::size_t i = 0, j = 0; i < a.values.size() && j < b.values.size();) {
      if (a.values[i] == b.values[j]) {
        both += std::min(a.weights[i++], b.weights[j++]);
      } else {
        a.values[i] < b.values[j] ? ++i : ++j;
      }
    }
    const double total_a = total(a);
    const double total_b = total(b);
    if (total_a == 0 || total_b == 0) return {};
    return {both / (total_a + total_b - both), both / total_a, both / total_b};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return !fingerprint.values.empty() && fingerprint.weights.size() == fingerprint.values.size();
  }
  double threshold() const override { return threshold_; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return SetOverlapPlan{.measure = SetMeasure::kWeightedJaccard, .similarity_minimum = resemblance_minimum};
  }

 private:
  static double total(const PageFingerprint& fingerprint) {
    double sum = 0;
    for (const float weight : fingerprint.weights) sum += weight;
    return sum;
  }

  bool is_antecedent(const Term& term) const {
    if (antecedents_.empty()) return term.is_stop_word;
    return std::binary_search(antecedents_.begin(), antecedents_.end(), term.hash);
  }

  // First the content words and the spots among them, then one chain per spot: the walk over content words becomes an
  // index into an array. Other stop words are skipped.
  void collect_chains(const PageTerms& terms) {
    chains_.clear();
    content_.clear();
    spots_.clear();
    roles_.clear();
    for (const Term& term : terms.terms) {
      roles_.push_back(is_antecedent(term) ? Role::kAntecedent : term.is_stop_word ? Role::kSkipped : Role::kContent);
    }
    for (const std::uint32_t token : terms.tokens) {
      if (roles_[token] == Role::kContent) content_.push_back(token);
      if (roles_[token] == Role::kAntecedent) spots_.push_back({token, content_.size()});
    }
    for (const Spot& spot : spots_) {
      if (spot.content_before + distance_ * chain_ > content_.size()) break;  // later spots are even closer to the end
      chain_text_ = terms.bytes_of_token(spot.token);
      for (std::size_t word = 1; word <= chain_; ++word) {
        chain_text_ += kChainSeparator;
        append_word(terms, content_[spot.content_before + distance_ * word - 1]);
      }
      chains_.push_back(hash64(chain_text_));
    }
  }

  void append_word(const PageTerms& terms, std::uint32_t token) {
    const std::string_view bytes = terms.bytes_of_token(token);
    if (bytes.size() > word_bytes_maximum_) {
      ByteWriter(chain_text_).fixed(terms.terms[token].hash);
    } else {
      chain_text_ += bytes;
    }
  }

  enum class Role : std::uint8_t { kContent, kSkipped, kAntecedent };
  struct Spot {
    std::uint32_t token = 0;
    std::size_t content_before = 0;  // number of content words before it
  };

  std::size_t distance_;
  std::size_t chain_;
  std::size_t word_bytes_maximum_;
  double threshold_;
  std::vector<std::uint64_t> antecedents_;  // H64, ascending; empty: every stop word
  std::vector<Role> roles_;                 // of the page's terms
  std::vector<std::uint32_t> content_;      // tokens of content words, in text order
  std::vector<Spot> spots_;
  std::vector<std::uint64_t> chains_;
  std::string chain_text_;
};

}  // namespace

const FingerprinterFactory kSpotSigs = {kSpotsigsParameters,
                                        [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                          return std::make_unique<SpotSigs>(values);
                                        }};

}  // namespace paraprint::inline lab::inline sketches
