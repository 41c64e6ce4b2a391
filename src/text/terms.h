// The words of a page, the common input of all page-level algorithms: normalised, segmented and weighted as described
// in docs/algorithms/normalisation.md, segmentation.md and word-weights.md. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline text {

enum class PartOfSpeech : std::uint8_t {  // coarse classes of the dictionary's tags
  kUnknown = 0,
  kNoun = 1,
  kVerb = 2,
  kAdjective = 3,
  kNumberOrTime = 4,
  kAdverb = 5,
  kPronoun = 6,
  kFunctionWord = 7,
};

// A distinct word of the page or its title.
struct Term {
  TextSpan bytes;           // in PageTerms::term_bytes
  std::uint64_t hash = 0;   // H64 of its bytes (docs/algorithms/hashes.md)
  float idf = 0;            // log10(D / n) for n of the corpus's D pages (docs/algorithms/word-weights.md)
  std::uint32_t count = 0;  // occurrences in the text, without the title
  PartOfSpeech part_of_speech = PartOfSpeech::kUnknown;
  bool is_stop_word = false;
};

// A block of main content as a range of tokens.
struct TermBlock {
  TextSpan text;  // in PageTerms::normalised
  std::uint32_t tokens_begin = 0;
  std::uint32_t tokens_end = 0;
  std::uint32_t first_sentence_end = 0;  // index of the first token after the first sentence
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t heading_level = 0;  // 1 to 6 for headings
};

struct PageTerms {
  std::string normalised;  // the normalised text, blocks joined by one space
  std::string term_bytes;
  std::vector<Term> terms;                  // in order of first occurrence, text before title
  std::vector<std::uint32_t> tokens;        // the words of the text in order, as indices into terms
  std::vector<std::uint32_t> title_tokens;  // the words of the title in order, as indices into terms
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

}  // namespace paraprint::inline text
