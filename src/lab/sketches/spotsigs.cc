// SpotSigs: short chains of content words behind frequent function words; pages are copies when their multisets of
// chains overlap enough (M. Theobald, J. Siddharth, A. Paepcke, "SpotSigs: robust and efficient near duplicate
// detection in large web collections", SIGIR 2008; algorithms.md 34).
//
// At every occurrence of an antecedent the walk goes right over words that are no stop words, takes every `distance`-th
// of them until `chain` are taken, and drops chains that the end cuts short. Running text is full of function words;
// menus and advertisements are not, so they leave few chains. Cost: one hash an antecedent. Kept: 12 bytes a chain.
// Fails on tables and lists, which have no function words, and in languages without a list of them.
#include <algorithm>
#include <array>
#include <vector>

#include "base/hash.h"
#include "lab/fingerprinters.h"

namespace paraprint {
namespace {

constexpr std::array<std::string_view, 2> kAntecedentChoices = {"frequent", "stop-words"};
constexpr std::array kParameters = {
    ParameterInfo{"antecedents",
                  "frequent: the 20 most frequent function words of each of ten languages; stop-words: all", 0, 0, 1,
                  true, kAntecedentChoices},
    ParameterInfo{"distance", "every so many content words one is taken", 1, 1, 10},
    ParameterInfo{"chain", "content words in a chain", 2, 1, 10},
    ParameterInfo{"threshold", "least weighted resemblance of copies", 0.5, 0.01, 1, false},
};

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

constexpr char kUnitSeparator = '\x1F';

std::vector<std::uint64_t> frequent_word_hashes() {
  std::vector<std::uint64_t> hashes;
  for (const std::string_view word : kFrequentFunctionWords) hashes.push_back(hash64(word));
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

class SpotSigs final : public PageFingerprinter {
 public:
  explicit SpotSigs(const ParameterValues& values)
      : distance_(values.integer("distance")), chain_(values.integer("chain")), threshold_(values.real("threshold")) {
    if (values.choice("antecedents") == "frequent") antecedents_ = frequent_word_hashes();
  }

  // The chains' hashes, ascending, with their counts as weights.
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

  double threshold() const override { return threshold_; }

  IndexPlan index_plan(double resemblance_minimum) const override {
    return {.index = FingerprintIndex::kSetOverlap,
            .measure = SetMeasure::kWeightedJaccard,
            .similarity_minimum = resemblance_minimum};
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
      if (spot.content_before + distance_ * chain_ > content_.size()) break;  // and so do all later ones
      chain_text_ = terms.bytes_of_token(spot.token);
      for (std::size_t word = 1; word <= chain_; ++word) {
        chain_text_ += kUnitSeparator;
        chain_text_ += terms.bytes_of_token(content_[spot.content_before + distance_ * word - 1]);
      }
      chains_.push_back(hash64(chain_text_));
    }
  }

  enum class Role : std::uint8_t { kContent, kSkipped, kAntecedent };
  struct Spot {
    std::uint32_t token = 0;
    std::size_t content_before = 0;  // content words of the page to its left
  };

  std::size_t distance_;
  std::size_t chain_;
  double threshold_;
  std::vector<std::uint64_t> antecedents_;  // H64, ascending; empty: every stop word
  std::vector<Role> roles_;                 // of the page's terms
  std::vector<std::uint32_t> content_;      // tokens that are no stop words
  std::vector<Spot> spots_;
  std::vector<std::uint64_t> chains_;
  std::string chain_text_;
};

}  // namespace

const FingerprinterFactory kSpotSigs = {kParameters,
                                        [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                          return std::make_unique<SpotSigs>(values);
                                        }};

}  // namespace paraprint
