// The relevance of a sentence to its paragraph's topic, computed by a model such as LDA
// (docs/algorithms/sentence-weights-and-anchors.md). FeatureBuilder's own keyword relevance needs no model; models live
// outside this folder and are passed in through this interface.
#pragma once

#include <cstdint>
#include <span>

namespace paraprint::inline feature {

// Not thread-safe. Call order: begin_page, then for each paragraph begin_paragraph, relevance*.
class SentenceRelevance {
 public:
  virtual ~SentenceRelevance() = default;

  // Starts a page. `words` are its distinct words, by H64.
  virtual void begin_page(std::span<const std::uint64_t> words) = 0;
  // Starts a paragraph. `words` are its words in text order, as indexes into those of the page; the span remains valid
  // until the next call of begin_paragraph().
  virtual void begin_paragraph(std::span<const std::uint32_t> words) = 0;
  // The relevance of a sentence of that paragraph, in [0, 1]. `words` as above.
  virtual float relevance(std::span<const std::uint32_t> words) = 0;
};

}  // namespace paraprint::inline feature
