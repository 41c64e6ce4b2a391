// Walks the parsed page twice: once for the base URL, which may come after the first links, and once for everything
// else. Every reference is canonicalised before it is compared, so a page has each address once. The limit on links
// counts distinct addresses; the walk itself is bounded by the parser's limits.
#include "web/links.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <unordered_set>
#include <utility>

#include "html/remembered_answers.h"
#include "html/walker.h"
#include "http/header_block.h"
#include "memory/seeded_hash.h"
#include "web/advert_page.h"

namespace paraprint::inline web {
namespace {

// Whether `list`, separated by white space, commas or semicolons, contains `word` (case-insensitive).
bool names(std::string_view list, std::string_view word) {
  constexpr std::string_view kSeparators = " \t\n\f\r,;";
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(kSeparators), list.size());
    if (equals_ignoring_case(list.substr(0, end), word)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Of <link>, only these relations lead to pages; most others name style sheets, icons and scripts.
bool is_page_link(std::string_view rel) {
  return names(rel, "canonical") || names(rel, "alternate") || names(rel, "next") || names(rel, "prev");
}

class LinkCollector {
 public:
  LinkCollector(const HtmlDocument& document, UrlParser& parser, std::uint64_t bytes_read_maximum,
                std::string_view charset, std::string_view token, bool follow_rel_nofollow)
      : document_(document),
        parser_(parser),
        bytes_read_maximum_(bytes_read_maximum),
        charset_(charset),
        token_(token),
        follow_rel_nofollow_(follow_rel_nofollow) {}

  void visit(const HtmlNode* element) {
    switch (tag_of(element)) {
      case LXB_TAG_A:
      case LXB_TAG_AREA:
        if (follow_rel_nofollow_ || !has_nofollow(document_.attribute(element, HtmlAttribute::kRel))) {
          add(element, HtmlAttribute::kHref);
        }
        break;
      case LXB_TAG_IFRAME:
      case LXB_TAG_FRAME:
        add(element, HtmlAttribute::kSrc);
        break;
      case LXB_TAG_LINK:
        visit_link(element);
        break;
      case LXB_TAG_META:
        visit_meta(element);
        break;
      default:
        break;
    }
  }

  // A nofollow anywhere on the page applies to all of its links, including those seen before it.
  PageLinks take() {
    if (links_.is_nofollow) links_.urls.clear();
    return std::move(links_);
  }

 private:
  bool has_nofollow(std::string_view rel) {
    return !rel.empty() && is_nofollow_.ask(rel, [](std::string_view list) { return names(list, "nofollow"); });
  }

  void visit_link(const HtmlNode* element) {
    const std::string_view rel = document_.attribute(element, HtmlAttribute::kRel);
    if (!is_page_link(rel)) return;
    // Feeds and style sheets can be alternates as well, but are not pages.
    const std::string_view type = document_.attribute(element, HtmlAttribute::kType);
    if (!type.empty() && media_type(type) != "text/html") return;
    const std::string href = add(element, HtmlAttribute::kHref);
    if (names(rel, "canonical") && links_.canonical.empty()) links_.canonical = href;
    if (names(rel, "next") || names(rel, "prev")) links_.is_paginated = true;
    const std::string_view language = trim(document_.attribute(element, HtmlAttribute::kHreflang));
    if (names(rel, "alternate") && !language.empty() && !href.empty() && links_.alternates.size() < kLinksMaximum) {
      links_.alternates.push_back({to_lower(language), href});
    }
  }

  // Directives of several <meta> add up: the strictest of them holds.
  void visit_meta(const HtmlNode* element) {
    const std::string_view content = document_.attribute(element, HtmlAttribute::kContent);
    const std::string_view name = trim(document_.attribute(element, HtmlAttribute::kName));
    if (equals_ignoring_case(name, "robots") || (!name.empty() && equals_ignoring_case(name, token_))) {
      const RobotsDirectives directives = parse_robots_directives(content, token_);
      links_.is_nofollow |= directives.is_nofollow;
      links_.is_noindex |= directives.is_noindex;
    }
    if (equals_ignoring_case(trim(document_.attribute(element, HtmlAttribute::kHttpEquiv)), "refresh")) {
      if (const std::string_view target = refresh_target(content); !target.empty()) {
        const std::string href = add_reference(target);
        if (links_.refresh.empty()) links_.refresh = href;
      }
    }
  }

  std::string add(const HtmlNode* element, HtmlAttribute attribute) {
    if (!document_.has_attribute(element, attribute)) return {};
    return add_reference(document_.attribute(element, attribute));
  }

  // Adds the address unless it is known; returns its canonical form, or "" if the reference is unusable or beyond a
  // limit of what is parsed.
  std::string add_reference(std::string_view reference) {
    if (parser_.bytes_read() >= bytes_read_maximum_) {
      ++links_.beyond_limit;
      return {};
    }
    std::optional<Url> url = parser_.parse(reference, charset_);
    if (!url) {
      ++links_.unusable;
      return {};
    }
    std::string href = url->href;
    if (seen_.contains(href)) return href;
    if (links_.urls.size() >= kLinksMaximum) {
      ++links_.beyond_limit;
      return href;
    }
    seen_.insert(href);
    links_.urls.push_back(std::move(*url));
    return href;
  }

  const HtmlDocument& document_;
  UrlParser& parser_;
  std::uint64_t bytes_read_maximum_;
  std::string_view charset_;
  std::string_view token_;
  bool follow_rel_nofollow_;
  RememberedAnswers is_nofollow_;  // by relations
  PageLinks links_;
  std::unordered_set<std::string, SeededHash> seen_;
};

}  // namespace

bool set_base_of_page(const HtmlDocument& document, std::string_view url, UrlParser& parser) {
  const bool has_address = parser.set_base(url);
  const HtmlNode* root = document.root();
  for (const HtmlNode* node = root; node != nullptr; node = next_in_document_order(node, root)) {
    if (!has_tag(node, LXB_TAG_BASE) || !document.has_attribute(node, HtmlAttribute::kHref)) continue;
    if (const std::optional<Url> base = parser.parse(document.attribute(node, HtmlAttribute::kHref))) {
      parser.set_base(base->href);
    }
    break;
  }
  return has_address;
}

std::uint64_t address_bytes_maximum(const UrlParser& parser, std::size_t page_bytes) {
  return parser.bytes_read() + std::max(kAddressBytesLeast, kAddressBytesPerByte * page_bytes);
}

PageLinks LinkExtractor::extract(std::string_view utf8, std::string_view url, std::string_view charset,
                                 std::string_view product_token, bool follow_rel_nofollow, StopCheck& stop) {
  if (!document_.parse(utf8, stop)) {
    if (stop.is_stopped()) return {};
    throw std::bad_alloc();  // the only failure of parse()
  }
  if (!set_base_of_page(document_, url, parser_)) return {};
  const HtmlNode* root = document_.root();
  const std::uint64_t bytes_read_maximum = address_bytes_maximum(parser_, utf8.size());
  LinkCollector collector(document_, parser_, bytes_read_maximum, charset, product_token, follow_rel_nofollow);
  for (const HtmlNode* node = root; node != nullptr; node = next_in_document_order(node, root)) {
    if (stop.after(StopCheck::kUnitsPerNode)) break;
    if (is_element(node)) collector.visit(node);
  }
  PageLinks links = collector.take();
  // Against the page's own address: <base> may name another site.
  const std::optional<Url> page = parser_.parse(url);
  links.is_advertising = page && is_advertising_only(document_, *page, parser_, bytes_read_maximum, stop);
  return links;
}

// A value may begin with the name of a crawler and a colon. If it names another crawler, the value is ignored.
RobotsDirectives parse_robots_directives(std::string_view value, std::string_view product_token) {
  RobotsDirectives directives;
  // Some directives, e.g. "unavailable_after: DATE", contain a colon as well.
  const std::size_t colon = value.find(':');
  const std::string_view agent = trim(value.substr(0, colon));
  if (colon != std::string_view::npos && agent.find(',') == std::string_view::npos) {
    static constexpr std::array<std::string_view, 4> kDirectivesWithValue = {"unavailable_after", "max-snippet",
                                                                             "max-image-preview", "max-video-preview"};
    const bool is_directive = std::any_of(kDirectivesWithValue.begin(), kDirectivesWithValue.end(),
                                          [&](std::string_view name) { return equals_ignoring_case(name, agent); });
    if (!is_directive) {
      if (!equals_ignoring_case(agent, product_token)) return directives;
      value.remove_prefix(colon + 1);
    }
  }
  const bool is_none = names(value, "none");
  directives.is_nofollow = is_none || names(value, "nofollow");
  directives.is_noindex = is_none || names(value, "noindex");
  return directives;
}

// Follows the lenient rules of browsers: "5;url=x", "5, URL = 'x'" and "5; x" all lead to x. Without a separator the
// page only reloads itself.
std::string_view refresh_target(std::string_view content) {
  const std::size_t separator = content.find_first_of(";,");
  if (separator == std::string_view::npos) return {};
  content = trim(content.substr(separator + 1));
  if (content.size() > 3 && equals_ignoring_case(content.substr(0, 3), "url")) {
    const std::string_view rest = trim(content.substr(3));
    if (rest.starts_with('=')) content = trim(rest.substr(1));
  }
  if (content.size() >= 2 && (content.front() == '"' || content.front() == '\'')) {
    const char quote = content.front();
    content.remove_prefix(1);
    content = content.substr(0, content.find(quote));
  }
  return content;
}

}  // namespace paraprint::inline web
