// The words of a page with their counts, weights and positions (docs/algorithms/normalisation.md, segmentation.md,
// word-weights.md): the input of the page-level algorithms. The paragraph method uses the leaner page_features.h.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/stop.h"
#include "memory/seeded_hash.h"
#include "paraprint/model.h"
#include "text/normalise.h"
#include "text/terms.h"
#include "text/word_segmenter.h"
#include "text/word_weights.h"

namespace paraprint::inline feature {

// Keeps scratch memory; use one instance per thread. `weights` must outlive it.
class PageTermsBuilder {
 public:
  PageTermsBuilder(const WordWeights& weights, bool fold_traditional);

  // Replaces `terms`; they are incomplete if `stop` is stopped in between. Cost: O(text).
  void build(const MainContent& content, PageTerms& terms, StopCheck& stop);
  void build(const MainContent& content, PageTerms& terms) {
    StopCheck never;
    build(content, terms, never);
  }

  // The same without words: only the normalised text and its length.
  void build_text(const MainContent& content, PageTerms& terms, StopCheck& stop);

 private:
  void add_blocks(const MainContent& content, bool with_words, PageTerms& terms, StopCheck& stop);
  void add_block(std::string_view text, const TextBlock& block, bool with_words, PageTerms& terms, StopCheck& stop);
  void add_sentence(std::string_view text, std::vector<std::uint32_t>& tokens, PageTerms& terms, StopCheck& stop);
  std::uint32_t term_index(const Token& token, std::string_view bytes, PageTerms& terms);

  const WordWeights& weights_;
  Normaliser normaliser_;
  const WordSegmenter& segmenter_;
  std::string normalised_;
  std::vector<Token> tokens_;
  std::vector<TextSpan> sentences_;
  // Keys are dictionary numbers or, for other words, H64 of their bytes with the top bit set.
  std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> index_of_;
};

}  // namespace paraprint::inline feature
