// The words of a page, as the page-level algorithms see them (algorithms.md 0.1 to 0.3): one value, made once, that all
// of them take their features from. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint {

enum class PartOfSpeech : std::uint8_t {  // coarse classes of the dictionary's tags (algorithms.md 14)
  kUnknown = 0,
  kNoun = 1,
  kVerb = 2,
  kAdjective = 3,
  kNumberOrTime = 4,
  kAdverb = 5,
  kPronoun = 6,
  kFunctionWord = 7,
};

// A distinct word of the page, its title included.
struct Term {
  TextSpan bytes;           // in PageTerms::term_bytes
  std::uint64_t hash = 0;   // H64 of its bytes (algorithms.md 0.4)
  float idf = 0;            // log10(D / n)
  std::uint32_t count = 0;  // in the text; the title does not count
  PartOfSpeech part_of_speech = PartOfSpeech::kUnknown;
  bool is_stop_word = false;
};

// A block of main content as a stretch of the words.
struct TermBlock {
  TextSpan text;  // in PageTerms::normalised
  std::uint32_t tokens_begin = 0;
  std::uint32_t tokens_end = 0;
  std::uint32_t first_sentence_end = 0;  // token index behind the first sentence
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t heading_level = 0;  // 1 to 6 for headings
};

struct PageTerms {
  std::string normalised;  // N(text), blocks joined by one space
  std::string term_bytes;
  std::vector<Term> terms;                  // in order of their first occurrence, text before title
  std::vector<std::uint32_t> tokens;        // the text's words in order, indices into terms
  std::vector<std::uint32_t> title_tokens;  // likewise of the title
  std::vector<TermBlock> blocks;
  std::uint32_t content_characters = 0;  // letters and digits of the text

  std::string_view bytes(const Term& term) const {
    return std::string_view(term_bytes).substr(term.bytes.begin_bytes, term.bytes.size_bytes());
  }
  std::string_view bytes_of_token(std::uint32_t token) const { return bytes(terms[token]); }

  void clear() {
    normalised.clear();
    term_bytes.clear();
    terms.clear();
    tokens.clear();
    title_tokens.clear();
    blocks.clear();
    content_characters = 0;
  }
};

}  // namespace paraprint
