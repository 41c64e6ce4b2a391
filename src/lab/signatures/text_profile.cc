// Text profile signature (A. Bialecki's TextProfileSignature in Apache Nutch and Solr; docs/algorithms/digests.md).
//
// Word counts, rounded down to a multiple of a hundredth of the largest count (of at least 2 if any word is repeated),
// are listed by count and digested. Small changes of counts vanish, and words that occur once do not matter. A count
// that crosses a multiple breaks equality, and in short texts one repeated word changes what is kept. Cost: one pass;
// index: a hash map.
//
// "nutch" uses the tokens of the original: runs of letters and digits longer than 2 UTF-16 units, which loses nearly
// all Chinese words and turns a clause into one token. The default uses segmented words of at least 2 characters
// without stop words. Equal counts are listed by bytes; early versions of the original left their order to a hash map
// (NUTCH-2381).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

#include "base/digest.h"
#include "lab/fingerprinters.h"
#include "lab/signatures/digest_fingerprinter.h"
#include "memory/seeded_hash.h"
#include "text/utf8.h"

namespace paraprint::inline lab::inline signatures {
namespace {

constexpr std::array<std::string_view, 2> kTokens = {"words", "nutch"};
constexpr std::array kTextProfileParameters = {
    ParameterInfo{"tokens", "words: segmented, without stop words; nutch: runs of letters and digits, as Nutch does", 0,
                  0, 1, true, kTokens},
    ParameterInfo{"quantum_rate", "counts are rounded down to multiples of this share of the largest one", 0.01, 0, 1,
                  false},
};
constexpr std::uint32_t kWordCharactersMinimum = 2;
constexpr std::uint32_t kRunUnitsMinimum = 3;  // UTF-16 units, as the original counts
constexpr std::uint32_t kQuantumMinimum = 2;   // if any word is repeated

struct CountedWord {
  std::string_view bytes;
  std::uint32_t count = 0;
};

std::uint32_t count_characters(std::string_view bytes) {
  return static_cast<std::uint32_t>(std::count_if(
      bytes.begin(), bytes.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

class TextProfile final : public DigestFingerprinter {
 public:
  explicit TextProfile(const ParameterValues& values)
      : is_nutch_(values.choice("tokens") == "nutch"), quantum_rate_(values.real("quantum_rate")) {}

  void fingerprint(const FingerprinterInput& page, PageFingerprint& fingerprint) override {
    words_.clear();
    if (is_nutch_) {
      count_runs(page.terms.normalised);
    } else {
      count_words(page.terms);
    }
    quantise();
    if (words_.empty()) {
      fingerprint.state = FingerprintState::kShort;
      return;
    }
    std::sort(words_.begin(), words_.end(), [](const CountedWord& a, const CountedWord& b) {
      return a.count != b.count ? a.count > b.count : a.bytes < b.bytes;
    });
    profile_.clear();
    for (const CountedWord& word : words_) {
      fmt::format_to(std::back_inserter(profile_), "{}{} {}", profile_.empty() ? "" : "\n", word.bytes, word.count);
    }
    set_digest(leading_words(md5(profile_)), fingerprint);
  }

 private:
  void count_words(const PageTerms& terms) {
    for (const Term& term : terms.terms) {
      if (term.is_stop_word || term.count == 0) continue;
      if (count_characters(terms.bytes(term)) < kWordCharactersMinimum) continue;
      words_.push_back({terms.bytes(term), term.count});
    }
  }

  void count_runs(std::string_view text) {
    counts_.clear();
    std::size_t begin = 0;
    std::uint32_t units = 0;
    const auto end_run = [&](std::size_t end) {
      if (units >= kRunUnitsMinimum) ++counts_[text.substr(begin, end - begin)];
      units = 0;
    };
    for (std::size_t at = 0; at < text.size();) {
      const DecodedCharacter character = decode_character(text.data() + at, text.data() + text.size());
      if (is_content_character(character.code_point)) {
        if (units == 0) begin = at;
        units += character.code_point >= 0x10000 ? 2 : 1;  // a surrogate pair in UTF-16
      } else {
        end_run(at);
      }
      at += character.size_bytes;
    }
    end_run(text.size());
    for (const auto& [bytes, count] : counts_) words_.push_back({bytes, count});
  }

  // The quantum is rounded half up, as in the original; words below one quantum are dropped.
  void quantise() {
    std::uint32_t largest = 0;
    for (const CountedWord& word : words_) largest = std::max(largest, word.count);
    auto quantum = static_cast<std::uint32_t>(std::floor(largest * quantum_rate_ + 0.5));
    if (quantum < kQuantumMinimum) quantum = largest > 1 ? kQuantumMinimum : 1;
    for (CountedWord& word : words_) word.count = word.count / quantum * quantum;
    std::erase_if(words_, [](const CountedWord& word) { return word.count == 0; });
  }

  bool is_nutch_;
  double quantum_rate_;
  std::vector<CountedWord> words_;
  std::unordered_map<std::string_view, std::uint32_t, SeededHash> counts_;
  std::string profile_;
};

}  // namespace

const FingerprinterFactory kTextProfile = {kTextProfileParameters,
                                           [](const ParameterValues& values) -> std::unique_ptr<PageFingerprinter> {
                                             return std::make_unique<TextProfile>(values);
                                           }};

}  // namespace paraprint::inline lab::inline signatures
