// Extractors do not hand on the head of a page, so the page is parsed again for the one algorithm that reads it.
#include "lab/signatures/page_description.h"

#include <algorithm>
#include <new>

namespace paraprint::inline lab::inline signatures {
namespace {

bool is_description(std::string_view name) {
  constexpr std::string_view kName = "description";
  return name.size() == kName.size() && std::equal(name.begin(), name.end(), kName.begin(), [](char c, char lower) {
           return (c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c) == lower;
         });
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f") == std::string_view::npos;
}

}  // namespace

PageDescriptions::PageDescriptions()
    : document_(HtmlLimits{.max_input_bytes = kDescriptionBytes}, {HtmlAttribute::kName, HtmlAttribute::kContent}) {}

std::string_view PageDescriptions::description_of(const Page& page) {
  if (page.format != PageFormat::kHtml) return {};
  const DecodedPage& decoded = decoder_.decode(page.body, page.content_type, page.format, page.body_is_utf8);
  if (!document_.parse(decoded.text)) throw std::bad_alloc();  // its only failure
  const HtmlNode* const head = document_.head();
  for (const HtmlNode* node = head == nullptr ? nullptr : head->first_child; node != nullptr; node = node->next) {
    if (!has_tag(node, LXB_TAG_META) || !is_description(document_.attribute(node, HtmlAttribute::kName))) continue;
    const std::string_view content = document_.attribute(node, HtmlAttribute::kContent);
    if (!is_blank(content)) return content;
  }
  return {};
}

}  // namespace paraprint::inline lab::inline signatures
