// Pages as lists of words, for tests of page-level algorithms, whose worked examples give words and counts, not texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "fingerprint/page_fingerprinter.h"

namespace paraprint {

// A page whose text consists of the given words in one block. Unless changed afterwards, each word has idf 1 and is not
// a stop word. `normalised` joins the words by spaces.
struct TestPage {
  Page page;
  PageTerms terms;
  Profile profile;

  explicit TestPage(const std::vector<std::string>& words) {
    add_block(words);
    page.body = terms.normalised;
  }

  void add_block(const std::vector<std::string>& words, BlockRole role = BlockRole::kParagraph) {
    TermBlock block;
    block.role = role;
    block.tokens_begin = static_cast<std::uint32_t>(terms.tokens.size());
    if (!terms.normalised.empty()) terms.normalised += ' ';
    block.text.begin_bytes = static_cast<std::uint32_t>(terms.normalised.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) terms.normalised += ' ';
      terms.normalised += words[i];
      const std::uint32_t index = index_of(words[i]);
      ++terms.terms[index].count;
      terms.tokens.push_back(index);
    }
    block.tokens_end = static_cast<std::uint32_t>(terms.tokens.size());
    block.first_sentence_end = block.tokens_end;
    block.text.end_bytes = static_cast<std::uint32_t>(terms.normalised.size());
    terms.blocks.push_back(block);
    terms.content_characters = static_cast<std::uint32_t>(terms.normalised.size());
  }

  void set_title(const std::vector<std::string>& words) {
    for (const std::string& word : words) terms.title_tokens.push_back(index_of(word));
  }

  Term& term(std::string_view word) { return terms.terms[index_of(std::string(word))]; }

  FingerprinterInput input() const { return {page, terms, profile}; }

 private:
  std::uint32_t index_of(const std::string& word) {
    for (std::uint32_t i = 0; i < terms.terms.size(); ++i) {
      if (terms.bytes(terms.terms[i]) == word) return i;
    }
    Term term;
    term.bytes.begin_bytes = static_cast<std::uint32_t>(terms.term_bytes.size());
    terms.term_bytes += word;
    term.bytes.end_bytes = static_cast<std::uint32_t>(terms.term_bytes.size());
    term.hash = hash64(word);
    term.idf = 1;
    terms.terms.push_back(term);
    return static_cast<std::uint32_t>(terms.terms.size() - 1);
  }
};

// Each word repeated by its count, in the given order: {{"search", 10}, ...}.
inline std::vector<std::string> repeated_words(const std::vector<std::pair<std::string, int>>& counts) {
  std::vector<std::string> words;
  for (const auto& [word, count] : counts) words.insert(words.end(), static_cast<std::size_t>(count), word);
  return words;
}

// The fingerprint of a page as the engine would make it, except that short pages start as usable too.
inline PageFingerprint fingerprint_of(PageFingerprinter& fingerprinter, const TestPage& page) {
  PageFingerprint fingerprint;
  fingerprint.state = FingerprintState::kUsable;
  fingerprint.text_hash = text_hash_of(page.terms.normalised);
  fingerprinter.fingerprint(page.input(), fingerprint);
  return fingerprint;
}

inline std::unique_ptr<PageFingerprinter> make_default(const FingerprinterFactory& factory) {
  return factory.make(ParameterValues(factory.parameters));
}

}  // namespace paraprint
