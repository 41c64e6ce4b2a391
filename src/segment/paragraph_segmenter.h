// Blocks of main content -> paragraphs, the units of comparison (algorithms.md 19).
//
// Sites break the same article into paragraphs differently, so nothing downstream may depend on borders alone; this
// stage only has to give units that are long enough to fingerprint and that fall into step again after an edit:
//   - a heading stays alone and marks the paragraph after it;
//   - a block of fewer than `short_content_characters` joins its neighbours of the same kind (list items become one
//     paragraph, short lines one paragraph);
//   - a block of more than `long_content_characters` is cut at sentence ends. Where it is cut depends on the sentences
//     themselves (content-defined), not on their distance from the beginning, so an insertion moves one cut, not all.
#pragma once

#include <cstdint>
#include <vector>

#include "paraprint/model.h"

namespace paraprint {

struct ParagraphOptions {
  std::uint32_t short_content_characters = 20;  // algorithms.md 19
  std::uint32_t long_content_characters = 400;  // algorithms.md 19: a longer piece without border is cut
  std::uint32_t cut_minimum_characters = 120;   // no cut before this many characters of a long block
};

// Holds scratch memory: one instance a thread.
class ParagraphSegmenter {
 public:
  explicit ParagraphSegmenter(ParagraphOptions options = {}) : options_(options) {}

  // Replaces `paragraphs`. Spans index content.text, rise, do not overlap, and cover every block. O(text).
  void segment(const MainContent& content, std::vector<Paragraph>& paragraphs);

 private:
  struct Pending {
    bool open = false;
    Paragraph paragraph;
  };

  void add_block(const TextBlock& block, std::uint32_t content_characters, std::vector<Paragraph>& paragraphs);
  void cut_long_block(const MainContent& content, const TextBlock& block, std::vector<Paragraph>& paragraphs);
  void flush(std::vector<Paragraph>& paragraphs);
  Paragraph start(const TextBlock& block, TextSpan span, std::uint32_t content_characters);

  ParagraphOptions options_;
  Pending pending_;
  bool after_heading_ = false;
  std::vector<TextSpan> sentences_;
};

}  // namespace paraprint
