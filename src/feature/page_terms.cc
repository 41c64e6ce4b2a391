// The text is normalised and segmented sentence by sentence, since neither words nor normalisation cross a sentence
// end. Words are identified by their dictionary number where they have one, which avoids hashing most of them.
#include "feature/page_terms.h"

#include <string_view>

#include "base/hash.h"
#include "text/part_of_speech.h"
#include "text/sentence.h"

namespace paraprint::inline feature {
namespace {

// Separates hashes of unknown words from dictionary numbers, which are small.
constexpr std::uint64_t kOutsideDictionary = std::uint64_t{1} << 63;

}  // namespace

PageTermsBuilder::PageTermsBuilder(const WordWeights& weights, bool fold_traditional)
    : weights_(weights), normaliser_(NormaliseOptions{fold_traditional}), segmenter_(WordSegmenter::shared()) {}

void PageTermsBuilder::build(const MainContent& content, PageTerms& terms, StopCheck& stop) {
  index_of_.clear();
  add_blocks(content, true, terms, stop);
  // Counted before the title is added: its words get terms and weights, but no occurrences in the text.
  for (const std::uint32_t token : terms.tokens) ++terms.terms[token].count;
  normalised_.clear();
  normaliser_.append_normalised(content.title, normalised_, stop);
  add_sentence(normalised_, terms.title_tokens, terms, stop);
}

void PageTermsBuilder::build_text(const MainContent& content, PageTerms& terms, StopCheck& stop) {
  add_blocks(content, false, terms, stop);
}

void PageTermsBuilder::add_blocks(const MainContent& content, bool with_words, PageTerms& terms, StopCheck& stop) {
  terms.clear();
  for (const TextBlock& block : content.blocks) {
    add_block(std::string_view(content.text).substr(block.span.begin_bytes, block.span.size_bytes()), block, with_words,
              terms, stop);
    if (stop.is_stopped()) return;
  }
  terms.content_characters = count_content_characters(terms.normalised);
}

// Appends a block's normalised text and words, and records where its first sentence ends.
void PageTermsBuilder::add_block(std::string_view text, const TextBlock& source, bool with_words, PageTerms& terms,
                                 StopCheck& stop) {
  TermBlock block;
  block.role = source.role;
  block.heading_level = source.heading_level;
  block.tokens_begin = static_cast<std::uint32_t>(terms.tokens.size());
  split_sentences(text, sentences_);
  std::uint32_t end_before = 0;
  bool is_first = true;
  for (const TextSpan sentence : sentences_) {
    normalised_.clear();
    normaliser_.append_normalised(text.substr(sentence.begin_bytes, sentence.size_bytes()), normalised_, stop);
    if (stop.is_stopped() || stop.after(StopCheck::kUnitsPerNode + sentence.size_bytes())) return;
    if (normalised_.empty()) continue;
    // Blocks are separated by one space, and sentences too if there was white space between them.
    if (!terms.normalised.empty() && (is_first || sentence.begin_bytes > end_before)) terms.normalised += ' ';
    if (is_first) block.text.begin_bytes = static_cast<std::uint32_t>(terms.normalised.size());
    end_before = sentence.end_bytes;
    terms.normalised += normalised_;
    if (with_words) add_sentence(normalised_, terms.tokens, terms, stop);
    if (is_first) block.first_sentence_end = static_cast<std::uint32_t>(terms.tokens.size());
    is_first = false;
  }
  block.tokens_end = static_cast<std::uint32_t>(terms.tokens.size());
  block.text.end_bytes = static_cast<std::uint32_t>(terms.normalised.size());
  // Blocks without words would give empty features. With with_words == false there are therefore no blocks at all.
  if (block.tokens_end > block.tokens_begin) terms.blocks.push_back(block);
}

void PageTermsBuilder::add_sentence(std::string_view text, std::vector<std::uint32_t>& tokens, PageTerms& terms,
                                    StopCheck& stop) {
  tokens_.clear();
  segmenter_.segment(text, tokens_, stop);
  for (const Token& token : tokens_) tokens.push_back(term_index(token, token.word(text), terms));
}

// The index of a word's term. Weight and part of speech are looked up only for the first occurrence.
std::uint32_t PageTermsBuilder::term_index(const Token& token, std::string_view bytes, PageTerms& terms) {
  const std::uint64_t key = token.word_id != kUnknownWord ? token.word_id : hash64(bytes) | kOutsideDictionary;
  const auto [entry, is_new] = index_of_.try_emplace(key, static_cast<std::uint32_t>(terms.terms.size()));
  if (!is_new) return entry->second;
  const WordWeight weight = weights_.weigh(token, bytes);
  Term term;
  term.bytes.begin_bytes = static_cast<std::uint32_t>(terms.term_bytes.size());
  terms.term_bytes += bytes;
  term.bytes.end_bytes = static_cast<std::uint32_t>(terms.term_bytes.size());
  term.hash = weight.hash.high;
  term.idf = weight.idf;
  term.is_stop_word = weight.is_stop_word;
  term.part_of_speech = part_of_speech_of_word(token, bytes, weight.is_stop_word);
  terms.terms.push_back(term);
  return entry->second;
}

}  // namespace paraprint::inline feature
