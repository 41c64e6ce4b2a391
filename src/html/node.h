// Names for the parts of a parsed page. A node is lexbor's own node, so a walk costs what the tree costs; these helpers
// keep lexbor's casts and length outputs out of the stages. Nothing here allocates. Views live as long as the document.
#pragma once

#include <lexbor/dom/dom.h>
#include <lexbor/html/html.h>
#include <lexbor/tag/const.h>

#include <cstdint>
#include <string_view>

namespace paraprint {

using HtmlNode = lxb_dom_node_t;

// A tag id of lexbor (LXB_TAG_P, LXB_TAG_DIV, ...). Unknown and foreign tag names have ids of LXB_TAG__LAST_ENTRY and
// above, so a table of that size, guarded by is_known_tag, covers every standard tag.
using HtmlTag = std::uintptr_t;

inline bool is_element(const HtmlNode* node) {
  return node->type == LXB_DOM_NODE_TYPE_ELEMENT;
}
inline bool is_text(const HtmlNode* node) {
  return node->type == LXB_DOM_NODE_TYPE_TEXT;
}

// Tag of an element; LXB_TAG__TEXT, LXB_TAG__EM_COMMENT, ... for other nodes. The tag says nothing of the namespace:
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

// Text of a text node, as parsed: references decoded, white space not collapsed. Undefined for other nodes.
inline std::string_view text_of(const HtmlNode* node) {
  const lexbor_str_t& data = reinterpret_cast<const lxb_dom_character_data_t*>(node)->data;
  return {reinterpret_cast<const char*>(data.data), data.length};
}

inline lxb_dom_element_t* element_of(const HtmlNode* node) {
  return const_cast<lxb_dom_element_t*>(reinterpret_cast<const lxb_dom_element_t*>(node));
}

// Value of an attribute node, empty when it has none.
inline std::string_view value_of(const lxb_dom_attr_t* attribute) {
  if (attribute == nullptr || attribute->value == nullptr || attribute->value->data == nullptr) return {};
  return {reinterpret_cast<const char*>(attribute->value->data), attribute->value->length};
}

// Class and id of an element, empty when absent. No search: lexbor keeps a pointer to both.
inline std::string_view class_of(const HtmlNode* node) {
  return value_of(element_of(node)->attr_class);
}
inline std::string_view id_of(const HtmlNode* node) {
  return value_of(element_of(node)->attr_id);
}

}  // namespace paraprint
