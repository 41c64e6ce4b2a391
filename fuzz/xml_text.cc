// Fuzzes the reader of XML documents with any text: no text grows, and blocks lie in the text one after another.
#include "profile/xml_text.h"

#include <cstdlib>
#include <string>

#include "html/utf8_repair.h"
#include "text/xml_kind.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  paraprint::xml_kind_of(bytes, size % 2 == 0);
  std::string text;
  paraprint::repair_utf8(bytes, &text);
  paraprint::MainContent content;
  paraprint::extract_xml_text(text, content);
  // Each block adds a newline, and needs a tag or a character of its own.
  if (content.text.size() > 2 * text.size() + 1) std::abort();
  std::uint32_t end_bytes = 0;
  for (const paraprint::TextBlock& block : content.blocks) {
    if (block.span.begin_bytes < end_bytes || block.span.end_bytes > content.text.size()) std::abort();
    end_bytes = block.span.end_bytes;
  }
  return 0;
}
