// How much a sentence says of what its paragraph is about, by a model of meaning (algorithms.md 20: "or LDA"). The
// keywords of FeatureBuilder need none; a model is beyond this folder and comes in by this interface.
#pragma once

#include <cstdint>
#include <span>

namespace paraprint {

// One thread at a time. Call order: begin_page, and for each paragraph begin_paragraph, relevance*.
class SentenceRelevance {
 public:
  virtual ~SentenceRelevance() = default;

  // The distinct words of a page, by H64.
  virtual void begin_page(std::span<const std::uint64_t> words) = 0;
  // The words of a paragraph in text order, as indexes into those of the page; they stay until the next call.
  virtual void begin_paragraph(std::span<const std::uint32_t> words) = 0;
  // Of a sentence of that paragraph; in [0, 1].
  virtual float relevance(std::span<const std::uint32_t> words) = 0;
};

}  // namespace paraprint
