// Everything in front of the root element has a fixed end mark, so finding the root is a search for those marks.
#include "text/xml_kind.h"

#include <algorithm>
#include <array>
#include <string>

namespace paraprint::inline text {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f";

// Of UTF-16, this much is looked at, without its zero bytes.
constexpr std::size_t kWideBytes = std::size_t{64} << 10;

// Roots of pages whose authors declared XML and wrote HTML.
constexpr std::array<std::string_view, 9> kHtmlRoots = {"html", "head", "body",  "div",   "p",
                                                        "span", "meta", "table", "script"};

// Feeds (RSS 2.0 and 1.0, Atom, OPML), sitemaps, lists of files that word processors save next to a page (<xml>), and
// files that are read by programs only.
constexpr std::array<std::string_view, 15> kListingRoots = {"rss",
                                                            "rdf",
                                                            "feed",
                                                            "opml",
                                                            "urlset",
                                                            "xml",
                                                            "svg",
                                                            "stylesheet",
                                                            "transform",
                                                            "sitemapindex",
                                                            "schema",
                                                            "definitions",
                                                            "browserconfig",
                                                            "opensearchdescription",
                                                            "cross-domain-policy"};

char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return lower_ascii(c); });
  return lower;
}

// Removes the first `size` bytes; all of them if there are fewer.
void drop(std::string_view& text, std::size_t size) {
  text.remove_prefix(std::min(size, text.size()));
}

// Removes everything up to the end of `mark`; all of it if there is none.
void drop_through(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  drop(text, at == std::string_view::npos ? at : at + mark.size());
}

bool contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The local name of the tag at the start of `text`.
std::string tag_name(std::string_view text) {
  std::string_view name = text.substr(1, text.find_first_of(" \t\r\n\f/>", 1) - 1);
  const std::size_t colon = name.rfind(':');
  if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return lower_ascii(name);
}

XmlKind kind_of(std::string_view text, bool is_declared_xml) {
  if (text.starts_with("\xEF\xBB\xBF")) drop(text, 3);
  while (true) {
    drop(text, text.find_first_not_of(kSpace));
    if (text.starts_with("<?")) {
      is_declared_xml |= text.starts_with("<?xml") && text.size() > 5 && kSpace.find(text[5]) != std::string_view::npos;
      drop_through(text, "?>");
    } else if (text.starts_with("<!--")) {
      drop_through(text, "-->");
    } else if (const std::size_t size = doctype_bytes(text)) {
      drop(text, size);
    } else {
      break;
    }
  }
  if (!is_declared_xml || text.size() < 2 || text[0] != '<') return XmlKind::kNone;
  const std::string name = tag_name(text);
  const auto first = static_cast<unsigned char>(name.empty() ? '\0' : name[0]);
  if (!(first >= 'a' && first <= 'z') && first != '_' && first < 0x80) return XmlKind::kNone;
  if (contains(kHtmlRoots, name)) return XmlKind::kHtml;
  return contains(kListingRoots, name) ? XmlKind::kListing : XmlKind::kDocument;
}

}  // namespace

XmlKind xml_kind_of(std::string_view markup, bool is_declared_xml) {
  const bool is_wide = markup.substr(0, 4).find('\0') != std::string_view::npos;
  if (!is_wide) return kind_of(markup, is_declared_xml);
  std::string narrow;
  for (const char c : markup.substr(0, kWideBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte != 0 && byte < 0xFE) narrow.push_back(c);  // without the byte-order mark, too
  }
  return kind_of(narrow, is_declared_xml);
}

std::size_t doctype_bytes(std::string_view markup) {
  constexpr std::string_view kStart = "<!doctype";
  if (lower_ascii(markup.substr(0, kStart.size())) != kStart) return 0;
  std::size_t at = markup.find_first_of("[>");
  if (at == std::string_view::npos) return 0;
  if (markup[at] == '>') return at + 1;
  while ((at = markup.find(']', at)) != std::string_view::npos) {
    at = markup.find_first_not_of(kSpace, at + 1);
    if (at == std::string_view::npos) return 0;
    if (markup[at] == '>') return at + 1;
  }
  return 0;
}

}  // namespace paraprint::inline text
