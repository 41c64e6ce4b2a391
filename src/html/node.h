// Access to the nodes of a parsed page. Nodes are lexbor's own, without wrappers; these helpers hide lexbor's casts and
// output parameters. They never allocate. Views are valid as long as the document.
#pragma once

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>
#include <lexbor/tag/const.h>

#include <cstdint>
#include <string_view>

namespace paraprint::inline html {

using HtmlNode = lxb_dom_node_t;

// A lexbor tag id (LXB_TAG_P, LXB_TAG_DIV, ...). Unknown and foreign tag names have ids of at least
// LXB_TAG__LAST_ENTRY, so a table of that size, guarded by is_known_tag, covers every standard tag.
using HtmlTag = std::uintptr_t;

inline bool is_element(const HtmlNode* node) {
  return node->type == LXB_DOM_NODE_TYPE_ELEMENT;
}
inline bool is_text(const HtmlNode* node) {
  return node->type == LXB_DOM_NODE_TYPE_TEXT;
}

// Tag of an element; LXB_TAG__TEXT, LXB_TAG__EM_COMMENT, ... for other nodes. Tags are independent of the namespace:
// <a> within <svg> is LXB_TAG_A as well.
inline HtmlTag tag_of(const HtmlNode* node) {
  return node->local_name;
}
inline bool is_known_tag(HtmlTag tag) {
  return tag < LXB_TAG__LAST_ENTRY;
}
inline bool has_tag(const HtmlNode* node, HtmlTag tag) {
  return is_element(node) && node->local_name == tag;
}

// Text of a text node, with character references decoded and white space unchanged. Undefined for other nodes.
inline std::string_view text_of(const HtmlNode* node) {
  const lexbor_str_t& data = reinterpret_cast<const lxb_dom_character_data_t*>(node)->data;
  return {reinterpret_cast<const char*>(data.data), data.length};
}

inline lxb_dom_element_t* element_of(const HtmlNode* node) {
  return const_cast<lxb_dom_element_t*>(reinterpret_cast<const lxb_dom_element_t*>(node));
}

// Value of an attribute node; empty for null and for attributes without a value.
inline std::string_view value_of(const lxb_dom_attr_t* attribute) {
  if (attribute == nullptr || attribute->value == nullptr || attribute->value->data == nullptr) return {};
  return {reinterpret_cast<const char*>(attribute->value->data), attribute->value->length};
}

// Class and id of an element; empty if absent. O(1), because lexbor keeps a pointer to both.
inline std::string_view class_of(const HtmlNode* node) {
  return value_of(element_of(node)->attr_class);
}
inline std::string_view id_of(const HtmlNode* node) {
  return value_of(element_of(node)->attr_id);
}

}  // namespace paraprint::inline html
