// src/report does not know MainContent or the normaliser; this is the bridge. Headings show their own level, list items
// the nesting of their list, in one field, because a block is never both.
#include "engine/shown_page.h"

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

TokenFold fold_of(const Normaliser& normaliser) {
  return [&normaliser](std::string_view token, std::string& folded) {
    folded.clear();
    normaliser.append_normalised(token, folded);
  };
}

}  // namespace paraprint::inline engine
