// I-Match (A. Chowdhury, O. Frieder, D. Grossman, M. C. McCabe, TOIS 2002) and I-Match with randomised lexicons
// (A. Kolcz, A. Chowdhury, J. Alspector, KDD 2004); docs/algorithms/i-match.md.
//
// The distinct words of medium and high idf, in a fixed order, form one SHA-1 digest; copies have equal digests. Word
// order, counts, frequent words and words outside the lexicon do not matter, but one changed word of the lexicon breaks
// it. The randomised variant adds signatures over copies of the lexicon that each lack a random share of it: an edit is
// survived if some copy lacks all edited words. Cost: a pass, a sort and K + 1 digests; index: K + 1 hash maps.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/digest.h"
#include "base/hash.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/digest_fingerprinter.h"
#include "lab/signatures/keywords.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array<std::string_view, 2> kOrders = {"codepoint", "idf"};
constexpr ParameterInfo kIdfMinimum = {"idf_minimum", "words with a lower idf are ignored", 0.5, 0, 10, false};
constexpr ParameterInfo kIdfMaximum = {"idf_maximum", "words with a higher idf are ignored", 10, 0, 10, false};
constexpr ParameterInfo kTermsMinimum = {
    "terms_minimum", "minimum number of words for a signature; with fewer, unrelated short pages match", 5, 1, 1000};

constexpr std::array kIMatchParameters = {
    kIdfMinimum,
    kIdfMaximum,
    kTermsMinimum,
    ParameterInfo{"order", "order of the words; codepoint: as published; idf: by descending idf", 0, 0, 1, true,
                  kOrders},
};
constexpr std::array kLexiconsParameters = {
    kIdfMinimum,
    kIdfMaximum,
    kTermsMinimum,
    ParameterInfo{"copies", "K: number of incomplete copies of the lexicon in addition to the whole one", 10, 1, 100},
    ParameterInfo{"missing_share", "p: share of the lexicon missing from each copy", 1.0 / 3, 0, 0.99, false},
    ParameterInfo{"agreeing_minimum", "minimum number of equal signatures of copies, out of K + 1", 1, 1, 101},
};

struct IdfRange {
  explicit IdfRange(const ParameterValues& values)
      : minimum(static_cast<float>(values.real("idf_minimum"))),
        maximum(static_cast<float>(values.real("idf_maximum"))) {}
  float minimum;
  float maximum;
};

// The page's words that are in the lexicon, by ascending bytes: for UTF-8 that is the order of code points.
void select_lexicon_words(const PageTerms& terms, const IdfRange& range, std::vector<const Term*>& words) {
  words.clear();
  for (const Term& term : terms.terms) {
    if (term.count > 0 && term.idf >= range.minimum && term.idf <= range.maximum) words.push_back(&term);
  }
  std::sort(words.begin(), words.end(),
            [&](const Term* a, const Term* b) { return terms.bytes(*a) < terms.bytes(*b); });
}

class IMatch final : public DigestFingerprinter {
 public:
  explicit IMatch(const ParameterValues& values)
      : range_(values), terms_minimum_(values.integer("terms_minimum")), by_idf_(values.choice("order") == "idf") {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    select_lexicon_words(page.terms, range_, words_);
    if (words_.size() < terms_minimum_) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    if (by_idf_) {
      std::stable_sort(words_.begin(), words_.end(), [](const Term* a, const Term* b) { return a->idf > b->idf; });
    }
    joined_.clear();
    for (const Term* word : words_) append_joined(page.terms.bytes(*word), joined_);
    set_digest(leading_words(sha1(joined_)), fingerprint);
  }

 private:
  IdfRange range_;
  std::size_t terms_minimum_;
  bool by_idf_;
  std::vector<const Term*> words_;
  std::string joined_;
};

// values: a digest of 2 words for the whole lexicon and each of copies 1 to K; zeros if a copy has too few words.
class IMatchLexicons final : public PageFingerprinter {
 public:
  explicit IMatchLexicons(const ParameterValues& values)
      : range_(values),
        terms_minimum_(values.integer("terms_minimum")),
        signatures_(values.integer("copies") + 1),
        first_kept_(static_cast<std::uint64_t>(std::ldexp(values.real("missing_share"), 64))),
        agreeing_minimum_(std::min<std::size_t>(values.integer("agreeing_minimum"), signatures_)) {
    for (std::size_t copy = 0; copy < signatures_; ++copy) copy_names_.push_back(std::to_string(copy));
  }

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    select_lexicon_words(page.terms, range_, words_);
    if (words_.size() < terms_minimum_) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    for (std::size_t copy = 0; copy < signatures_; ++copy) add_signature(page.terms, copy, fingerprint.values);
  }

  FingerprintSimilarity similarity(const PageFingerprint& a, const PageFingerprint& b) const override {
    std::size_t agreeing = 0;
    std::size_t present = 0;  // a copy with too few words on both sides is no evidence either way
    for (std::size_t i = 0; i < signatures_; ++i) {
      if (!has_signature(a, i) && !has_signature(b, i)) continue;
      ++present;
      if (a.values[2 * i] == b.values[2 * i] && a.values[2 * i + 1] == b.values[2 * i + 1]) ++agreeing;
    }
    const double share = static_cast<double>(agreeing) / static_cast<double>(present);  // > 0: the whole lexicon counts
    return {share, 0, 0};
  }

  bool has_shape(const PageFingerprint& fingerprint) const override {
    return fingerprint.values.size() == 2 * signatures_;
  }
  double threshold() const override { return share_of(agreeing_minimum_); }
  double sweep_minimum() const override { return share_of(1); }

  // One common key makes a candidate: if two pages have few signatures, one equal one can be a large enough share.
  IndexPlan index_plan(double) const override { return {}; }

  void index_keys(const PageFingerprint& fingerprint, const EqualKeysPlan&,
                  std::vector<std::uint64_t>& keys) const override {
    for (std::size_t i = 0; i < signatures_; ++i) {
      // The number of the copy makes signatures of different copies different keys.
      if (has_signature(fingerprint, i)) keys.push_back(fingerprint.values[2 * i] + i);
    }
  }

 private:
  void add_signature(const PageTerms& terms, std::size_t copy, std::vector<std::uint64_t>& values) {
    joined_.clear();
    std::size_t kept = 0;
    for (const Term* word : words_) {
      if (copy > 0 && !copy_holds(terms.bytes(*word), copy)) continue;
      append_joined(terms.bytes(*word), joined_);
      ++kept;
    }
    const bool is_usable = kept >= terms_minimum_;
    const std::array<std::uint64_t, 2> digest =
        is_usable ? leading_words(sha1(joined_)) : std::array<std::uint64_t, 2>{0, 0};
    values.insert(values.end(), digest.begin(), digest.end());
  }

  // Membership is a hash of word and copy number, so copies need no storage and are the same on every machine.
  bool copy_holds(std::string_view word, std::size_t copy) {
    hashed_.assign(word);
    append_joined(copy_names_[copy], hashed_);
    return hash64(hashed_) >= first_kept_;
  }

  static bool has_signature(const PageFingerprint& fingerprint, std::size_t i) {
    return fingerprint.values[2 * i] != 0 || fingerprint.values[2 * i + 1] != 0;
  }

  double share_of(std::size_t signatures) const {
    return static_cast<double>(signatures) / static_cast<double>(signatures_);
  }

  IdfRange range_;
  std::size_t terms_minimum_;
  std::size_t signatures_;
  std::uint64_t first_kept_;  // a copy holds the words whose hash (of word and copy number) is at least this
  std::size_t agreeing_minimum_;
  std::vector<std::string> copy_names_;
  std::vector<const Term*> words_;
  std::string joined_;
  std::string hashed_;
};

}  // namespace

const FingerprinterFactory kIMatch = {kIMatchParameters,
                                      [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                        return std::make_unique<IMatch>(values);
                                      }};
const FingerprinterFactory kIMatchLexicons = {kLexiconsParameters,
                                              [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                                return std::make_unique<IMatchLexicons>(values);
                                              }};

}  // namespace paraprint::inline lab::inline signatures
