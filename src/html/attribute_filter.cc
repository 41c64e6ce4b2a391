// Names with a fixed lexbor id are tested by a bit mask. lexbor numbers all other names per document, so those are
// compared as strings.
#include "html/attribute_filter.h"

#include <algorithm>
#include <array>

namespace paraprint::inline html {
namespace {

struct AttributeName {
  HtmlAttribute attribute;
  std::string_view name;
  lxb_dom_attr_id_t id = LXB_DOM_ATTR__UNDEF;  // lexbor's fixed id, if it has one
};

constexpr std::array<AttributeName, kHtmlAttributeCount> kNames = {{
    {HtmlAttribute::kAlt, "alt", LXB_DOM_ATTR_ALT},
    {HtmlAttribute::kAriaHidden, "aria-hidden"},
    {HtmlAttribute::kAriaLabel, "aria-label"},
    {HtmlAttribute::kClass, "class", LXB_DOM_ATTR_CLASS},
    {HtmlAttribute::kContent, "content", LXB_DOM_ATTR_CONTENT},
    {HtmlAttribute::kDatetime, "datetime"},
    {HtmlAttribute::kHidden, "hidden"},
    {HtmlAttribute::kHref, "href", LXB_DOM_ATTR_HREF},
    {HtmlAttribute::kHreflang, "hreflang", LXB_DOM_ATTR__UNDEF},
    {HtmlAttribute::kHttpEquiv, "http-equiv", LXB_DOM_ATTR_HTTP_EQUIV},
    {HtmlAttribute::kId, "id", LXB_DOM_ATTR_ID},
    {HtmlAttribute::kItemprop, "itemprop"},
    {HtmlAttribute::kItemscope, "itemscope"},
    {HtmlAttribute::kItemtype, "itemtype"},
    {HtmlAttribute::kLang, "lang"},
    {HtmlAttribute::kName, "name"},
    {HtmlAttribute::kProperty, "property"},
    {HtmlAttribute::kRel, "rel"},
    {HtmlAttribute::kRole, "role"},
    {HtmlAttribute::kSrc, "src", LXB_DOM_ATTR_SRC},
    {HtmlAttribute::kStart, "start", LXB_DOM_ATTR__UNDEF},
    {HtmlAttribute::kStyle, "style", LXB_DOM_ATTR_STYLE},
    {HtmlAttribute::kTitle, "title", LXB_DOM_ATTR_TITLE},
    {HtmlAttribute::kType, "type", LXB_DOM_ATTR_TYPE},
}};

// attribute_name() uses HtmlAttribute as an index.
constexpr bool stand_in_order() {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (static_cast<std::size_t>(kNames[i].attribute) != i) return false;
  }
  return true;
}
static_assert(stand_in_order());
static_assert(LXB_DOM_ATTR__LAST_ENTRY <= 64);

// Elements whose attributes the tree builder reads. <a> is not among the formatting elements here, because two of them
// are never open at once, so the builder never has to compare them.
constexpr auto kSteeringTags = [] {
  std::array<bool, LXB_TAG__LAST_ENTRY> tags{};
  for (const auto tag : {LXB_TAG_ANNOTATION_XML, LXB_TAG_B, LXB_TAG_BIG, LXB_TAG_CODE, LXB_TAG_EM, LXB_TAG_FONT,
                         LXB_TAG_I, LXB_TAG_INPUT, LXB_TAG_NOBR, LXB_TAG_OPTION, LXB_TAG_S, LXB_TAG_SELECT,
                         LXB_TAG_SMALL, LXB_TAG_STRIKE, LXB_TAG_STRONG, LXB_TAG_TT, LXB_TAG_U}) {
    tags[tag] = true;
  }
  return tags;
}();

std::string_view name_of(const lxb_dom_attr_data_t* data) {
  return {reinterpret_cast<const char*>(lexbor_hash_entry_str(&data->entry)), data->entry.length};
}

}  // namespace

std::string_view attribute_name(HtmlAttribute attribute) {
  return kNames[static_cast<std::size_t>(attribute)].name;
}

HtmlAttributeFilter::HtmlAttributeFilter(HtmlAttributeSet kept) : kept_(kept) {
  for (const AttributeName& entry : kNames) {
    if (!kept.contains(entry.attribute)) continue;
    if (entry.id != LXB_DOM_ATTR__UNDEF) {
      kept_ids_ |= std::uint64_t{1} << entry.id;
    } else {
      kept_names_.push_back(entry.name);
    }
  }
}

inline bool HtmlAttributeFilter::keeps(const lxb_html_token_attr_t* attribute) const {
  const lxb_dom_attr_data_t* data = attribute->name;
  if (data == nullptr) return true;  // no name to decide by
  if (data->attr_id < LXB_DOM_ATTR__LAST_ENTRY) return (kept_ids_ >> data->attr_id & 1) != 0;
  const std::string_view name = name_of(data);
  return std::find(kept_names_.begin(), kept_names_.end(), name) != kept_names_.end();
}

void HtmlAttributeFilter::apply(lxb_html_token_t* token) const {
  if (kept_.is_everything()) return;
  if (token->tag_id < LXB_TAG__LAST_ENTRY && kSteeringTags[token->tag_id]) return;
  // Unlinks attributes from the token's doubly linked list in place; their memory belongs to the tokenizer's pool.
  lxb_html_token_attr_t* last = nullptr;
  lxb_html_token_attr_t** link = &token->attr_first;
  for (lxb_html_token_attr_t* attribute = token->attr_first; attribute != nullptr; attribute = attribute->next) {
    if (!keeps(attribute)) continue;
    *link = attribute;
    link = &attribute->next;
    attribute->prev = last;
    last = attribute;
  }
  *link = nullptr;
  token->attr_last = last;
}

}  // namespace paraprint::inline html
