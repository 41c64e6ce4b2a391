// Fuzzes parser, tree walk and extractors with any page: the tree stays within its limits, blocks keep their contract,
// the default extractor finds the same content in a tree without the attributes that it does not read, Markdown shows
// the text that was extracted, and metadata is clean.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "../tests/markdown_text.h"
#include "corpus/markdown_writer.h"
#include "corpus/page_metadata.h"
#include "extract/extractor.h"
#include "html/document.h"
#include "html/walker.h"
#include "text/utf8.h"

namespace {

using namespace paraprint;

// Low enough for small inputs to reach them.
HtmlLimits small_limits() {
  HtmlLimits limits;
  limits.max_depth = 24;
  limits.max_open_formatting = 4;
  limits.max_attributes = 4;
  limits.base_tree_bytes = std::size_t{1} << 18;
  return limits;
}

void check_content(const MainContent& content) {
  std::size_t position = 0;
  for (const TextBlock& block : content.blocks) {
    if (block.span.begin_bytes != position || block.span.end_bytes <= position) std::abort();
    position = block.span.end_bytes;
    if (content.text[position++] != '\n') std::abort();
  }
  if (position != content.text.size() || !is_valid_utf8(content.text)) std::abort();
}

void check_markdown(const HtmlDocument& document, const MainContent& content, const std::vector<ContentRun>& runs) {
  static MarkdownWriter writer;
  StopCheck never;
  std::string markdown;
  writer.write(document, content, runs, "http://example.org/a/b", markdown, never);
  using paraprint::testing::text_of_markdown;
  using paraprint::testing::without_white_space;
  if (without_white_space(text_of_markdown(markdown)) != without_white_space(content.text)) std::abort();
}

void check_metadata(const HtmlDocument& document) {
  static PageMetadataReader reader;
  StopCheck never;
  PageMetadata metadata;
  reader.read(document, "http://example.org/a/b", metadata, never);
  for (const std::string* value : {&metadata.declared_language, &metadata.title, &metadata.author, &metadata.site_name,
                                   &metadata.date_published, &metadata.date_modified, &metadata.source_name,
                                   &metadata.source_url, &metadata.canonical_url, &metadata.licence_url}) {
    if (!is_valid_utf8(*value)) std::abort();
    for (const char c : *value) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) std::abort();
    }
  }
}

struct DepthVisitor {
  std::uint32_t entered = 0;
  WalkAction enter(const HtmlNode* node, std::uint32_t) {
    entered += is_element(node);
    return WalkAction::kContinue;
  }
  void leave(const HtmlNode*, std::uint32_t) { --entered; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static HtmlDocument document(small_limits());
  static const auto learned = make_learned_dom_extractor();
  static HtmlDocument sparse_document(small_limits(), learned->attributes_read());
  static const auto weighted = make_weighted_dom_extractor();
  static const auto whole = make_whole_page_extractor();
  std::string page;
  append_sanitised({reinterpret_cast<const char*>(data), size}, page);
  if (!document.parse(page)) std::abort();
  DepthVisitor visitor;
  walk_tree(document.root(), visitor);
  if (visitor.entered != 0) std::abort();
  MainContent content;
  whole->extract(document, content);
  check_content(content);
  weighted->extract(document, content);
  check_content(content);
  std::vector<ContentRun> runs;
  StopCheck never;
  learned->extract(document, content, never, &runs);
  check_content(content);
  check_markdown(document, content, runs);
  check_metadata(document);
  if (!sparse_document.parse(page)) std::abort();
  MainContent sparse_content;
  learned->extract(sparse_document, sparse_content);
  // The smaller tree may stay within the memory limit where the full tree exceeds it.
  if (!document.limits_passed().tree_bytes && sparse_content.text != content.text) std::abort();
  return 0;
}
