// Turns blocks of main content into paragraphs, the units of comparison (docs/algorithms/paragraph-segmentation.md).
//
// Sites break the same article into different paragraphs, so later stages must not depend on paragraph borders alone.
// This stage only produces units that are long enough to fingerprint and that realign after an edit: - a heading
// remains separate and marks the paragraph after it; - a block shorter than `short_content_characters` is merged with
// neighbours of the same kind (list items become one paragraph, short lines one paragraph); - a block longer than
// `long_content_characters` is cut at sentence ends. The cuts are content-defined: they depend on the sentences
// themselves, not on their distance from the start, so an insertion moves one cut instead of all.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stop.h"
#include "paraprint/model.h"

namespace paraprint::inline segment {

struct ParagraphOptions {
  std::uint32_t short_content_characters = 20;  // shorter blocks are merged
  std::uint32_t long_content_characters = 400;  // longer blocks are cut
  std::uint32_t cut_minimum_characters = 120;   // minimum length of a piece of a long block, except the last
};

// Keeps scratch memory; use one instance per thread.
class ParagraphSegmenter {
 public:
  explicit ParagraphSegmenter(ParagraphOptions options = {}) : options_(options) {}

  // Replaces `paragraphs`. Spans refer to content.text, are ascending, do not overlap, and cover every block with text.
  // If `stop` is stopped in between, those of a part of it. Cost: O(text).
  void segment(const MainContent& content, std::vector<Paragraph>& paragraphs, StopCheck& stop);
  void segment(const MainContent& content, std::vector<Paragraph>& paragraphs) {
    StopCheck never;
    segment(content, paragraphs, never);
  }

 private:
  struct OpenParagraph {
    bool open = false;
    Paragraph paragraph;
  };

  void add_block(const TextBlock& block, std::uint32_t content_characters, std::vector<Paragraph>& paragraphs);
  void cut_long_block(const MainContent& content, const TextBlock& block, std::vector<Paragraph>& paragraphs,
                      StopCheck& stop);
  void flush(std::vector<Paragraph>& paragraphs);
  Paragraph start(const TextBlock& block, TextSpan span, std::uint32_t content_characters);

  ParagraphOptions options_;
  OpenParagraph pending_;
  bool after_heading_ = false;
  std::vector<TextSpan> sentences_;
};

}  // namespace paraprint::inline segment
