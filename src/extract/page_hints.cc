// JSON-LD is searched for "@type" keys rather than parsed, which also works if it is malformed or cut off. The word
// list is part of the trained model: any change requires training again (tools/extraction).
#include "extract/page_hints.h"

#include <string>

#include "extract/word_automaton.h"

namespace paraprint::inline extract {
namespace {

constexpr std::size_t kMaxJsonLdBytes = 16384;  // types come early, before long article bodies
constexpr std::size_t kMaxNameBytes = 256;      // longer names and titles are cut

constexpr PageHints bit(PageHint hint) {
  return PageHints{1} << hint;
}

// Types of schema.org and og:type, names of site software, and words of class names and titles. Software identifies the
// kind of site it is made for.
constexpr std::array<WordAutomaton::Pattern, 58> kHintWords = {{
    {"article", bit(kHintArticle)},
    {"-single-", bit(kHintArticle)},
    {"-single-post", bit(kHintArticle)},
    {"-report-", bit(kHintArticle)},
    {"-story-", bit(kHintArticle)},
    {"blogposting", bit(kHintArticle) | bit(kHintBlog)},
    {"-blog", bit(kHintBlog)},
    {"wordpress", bit(kHintBlog)},
    {"blogger", bit(kHintBlog)},
    {"hexo", bit(kHintBlog)},
    {"ghost-", bit(kHintBlog)},
    {"product", bit(kHintProduct)},
    {"-offer-", bit(kHintProduct)},
    {"shopify", bit(kHintProduct)},
    {"woocommerce", bit(kHintProduct)},
    {"magento", bit(kHintProduct)},
    {"prestashop", bit(kHintProduct)},
    {"forum", bit(kHintForum)},
    {"discussion", bit(kHintForum)},
    {"qapage", bit(kHintForum)},
    {"-question-", bit(kHintForum)},
    {"-answer-", bit(kHintForum)},
    {"discourse", bit(kHintForum)},
    {"vbulletin", bit(kHintForum)},
    {"phpbb", bit(kHintForum)},
    {"xenforo", bit(kHintForum)},
    {"discuz", bit(kHintForum)},
    {"mybb", bit(kHintForum)},
    {"-smf-", bit(kHintForum)},
    {"invision", bit(kHintForum)},
    {"viewtopic", bit(kHintForum)},
    {"showthread", bit(kHintForum)},
    {"-thread", bit(kHintForum)},
    {"-topic-", bit(kHintForum)},
    {"-bbs-", bit(kHintForum)},
    {"论坛", bit(kHintForum)},
    {"論壇", bit(kHintForum)},
    {"贴吧", bit(kHintForum)},
    {"社区", bit(kHintForum)},
    {"форум", bit(kHintForum)},
    {"-community", bit(kHintForum)},
    {"collectionpage", bit(kHintCollection)},
    {"itemlist", bit(kHintCollection)},
    {"-category-", bit(kHintCollection)},
    {"-archive-", bit(kHintCollection)},
    {"searchresults", bit(kHintCollection)},
    {"-list-", bit(kHintCollection)},
    {"website", bit(kHintWebsite)},
    {"webpage", bit(kHintWebsite)},
    {"techarticle", bit(kHintDocumentation)},
    {"-docs-", bit(kHintDocumentation)},
    {"documentation", bit(kHintDocumentation)},
    {"docusaurus", bit(kHintDocumentation)},
    {"vuepress", bit(kHintDocumentation)},
    {"sphinx", bit(kHintDocumentation)},
    {"javadoc", bit(kHintDocumentation)},
    {"-home-", bit(kHintHome)},
    {"homepage", bit(kHintHome)},
}};

const WordAutomaton& hint_automaton() {
  static const WordAutomaton automaton(kHintWords);
  return automaton;
}

}  // namespace

// camelCase is split: schema.org types look like "DiscussionForumPosting".
PageHints match_page_hints(std::string_view text) {
  return static_cast<PageHints>(hint_automaton().match_words(text.substr(0, kMaxNameBytes), true));
}

// Takes the first string after each key, which is the type itself or the first of a list of types.
PageHints match_json_ld_types(std::string_view json) {
  constexpr std::string_view kTypeKey = "\"@type\"";
  constexpr std::size_t kTypeBytes = 48;
  json = json.substr(0, kMaxJsonLdBytes);
  PageHints hints = 0;
  for (std::size_t at = json.find(kTypeKey); at != std::string_view::npos; at = json.find(kTypeKey, at + 1)) {
    std::string_view value = json.substr(at + kTypeKey.size(), kTypeBytes);
    const std::size_t begin = value.find('"');
    if (begin == std::string_view::npos) continue;
    value.remove_prefix(begin + 1);
    hints |= match_page_hints(value.substr(0, value.find('"')));
  }
  return hints;
}

// Only direct children of <head> are read: metadata does not nest. JSON-LD in the body is read by PageTreeReader.
PageHints read_page_hints(const HtmlDocument& document) {
  PageHints hints = match_page_hints(document.title());
  if (document.root() != nullptr) hints |= match_page_hints(class_of(document.root()));
  if (document.body() != nullptr) {
    hints |= match_page_hints(class_of(document.body())) | match_page_hints(id_of(document.body()));
  }
  if (document.head() == nullptr) return hints;
  for (const HtmlNode* node = document.head()->first_child; node != nullptr; node = node->next) {
    if (has_tag(node, LXB_TAG_META)) {
      const std::string_view property = document.attribute(node, HtmlAttribute::kProperty);
      // Only articles have a publication time, whatever type they declare.
      if (property == "article:published_time") hints |= bit(kHintArticle);
      if (property == "og:type" || document.attribute(node, HtmlAttribute::kName) == "generator") {
        hints |= match_page_hints(document.attribute(node, HtmlAttribute::kContent));
      }
    } else if (has_tag(node, LXB_TAG_SCRIPT) && node->first_child != nullptr &&
               document.attribute(node, HtmlAttribute::kType) == "application/ld+json") {
      hints |= match_json_ld_types(text_of(node->first_child));
    }
  }
  return hints;
}

}  // namespace paraprint::inline extract
