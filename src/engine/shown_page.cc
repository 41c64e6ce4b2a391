// src/report does not know MainContent or the normaliser; this is the bridge. Headings show their own level, list items
// the nesting of their list, in one field, because a block is never both.
#include "engine/shown_page.h"

#include <algorithm>

namespace paraprint::inline engine {

ShownPage shown_page(const MainContent& content, std::uint32_t content_characters) {
  ShownPage shown;
  shown.title = content.title;
  shown.content_characters = content_characters;
  shown.text = content.text;
  for (const TextBlock& block : content.blocks) {
    const std::uint8_t level = block.role == BlockRole::kHeading ? block.heading_level : block.list_level;
    shown.blocks.push_back({block.span, block.role, level, false});
  }
  return shown;
}

// Paragraphs are made of whole blocks or parts of one. Of the spans that begin no later than a block, the one that ends
// last decides.
void mark_boilerplate(std::vector<TextSpan> spans, ShownPage& page) {
  std::sort(spans.begin(), spans.end(), [](TextSpan a, TextSpan b) { return a.begin_bytes < b.begin_bytes; });
  auto next = spans.begin();
  bool has_begun = false;
  std::uint32_t end_bytes = 0;
  for (ShownBlock& block : page.blocks) {
    for (; next != spans.end() && next->begin_bytes <= block.span.begin_bytes; ++next) {
      has_begun = true;
      end_bytes = std::max(end_bytes, next->end_bytes);
    }
    block.is_boilerplate = has_begun && block.span.end_bytes <= end_bytes;
  }
}

TokenFold fold_of(const Normaliser& normaliser) {
  return [&normaliser](std::string_view token, std::string& folded) {
    folded.clear();
    normaliser.append_normalised(token, folded);
  };
}

}  // namespace paraprint::inline engine
