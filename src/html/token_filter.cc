// Reads lexbor's internal stacks, which have no public accessors: open elements, active formatting elements and arenas.
// All checks are O(1) except those of the formatting elements, which are bounded by their limits and run only near
// them, and text_before_table(), which passes the few elements between a row and its table.
#include "html/token_filter.h"

#include <algorithm>

#include "html/document.h"

namespace paraprint::inline html {
namespace {

// Concatenated pages repeat <html> and <body>, and each repetition adds its attributes to the first. Beyond this many,
// attributes are ignored, so that comparing them with all earlier ones stays cheap.
constexpr std::size_t kMaxRootTags = 16;

// The formatting elements of the HTML standard.
bool is_formatting(lxb_tag_id_t tag) {
  switch (tag) {
    case LXB_TAG_A:
    case LXB_TAG_B:
    case LXB_TAG_BIG:
    case LXB_TAG_CODE:
    case LXB_TAG_EM:
    case LXB_TAG_FONT:
    case LXB_TAG_I:
    case LXB_TAG_NOBR:
    case LXB_TAG_S:
    case LXB_TAG_SMALL:
    case LXB_TAG_STRIKE:
    case LXB_TAG_STRONG:
    case LXB_TAG_TT:
    case LXB_TAG_U:
      return true;
    default:
      return false;
  }
}

// Elements for which the builder sets a marker in its list of formatting elements, so that those before it are not
// copied into them. It removes the last marker when one of them is closed.
bool sets_marker(lxb_tag_id_t tag) {
  switch (tag) {
    case LXB_TAG_APPLET:
    case LXB_TAG_CAPTION:
    case LXB_TAG_MARQUEE:
    case LXB_TAG_OBJECT:
    case LXB_TAG_TD:
    case LXB_TAG_TEMPLATE:
    case LXB_TAG_TH:
      return true;
    default:
      return false;
  }
}

bool sets_marker(const lxb_dom_node_t* node) {
  return node->ns == LXB_NS_HTML && sets_marker(node->local_name);
}

// Elements whose content the tokenizer reads as text. The tree builder switches it when it sees their tag, so these
// tags must never be held back: their content would be parsed as markup.
bool holds_raw_text(lxb_tag_id_t tag) {
  switch (tag) {
    case LXB_TAG_IFRAME:
    case LXB_TAG_NOEMBED:
    case LXB_TAG_NOFRAMES:
    case LXB_TAG_PLAINTEXT:
    case LXB_TAG_SCRIPT:
    case LXB_TAG_STYLE:
    case LXB_TAG_TEXTAREA:
    case LXB_TAG_TITLE:
    case LXB_TAG_XMP:
      return true;
    default:
      return false;
  }
}

// Elements that the builder's insertion modes expect to be open, so the filter must not close them.
bool steers_the_builder(const lxb_dom_node_t* node) {
  if (node->ns != LXB_NS_HTML) return true;
  switch (node->local_name) {
    case LXB_TAG_BODY:
    case LXB_TAG_CAPTION:
    case LXB_TAG_COLGROUP:
    case LXB_TAG_FRAMESET:
    case LXB_TAG_HEAD:
    case LXB_TAG_HTML:
    case LXB_TAG_SELECT:
    case LXB_TAG_TABLE:
    case LXB_TAG_TBODY:
    case LXB_TAG_TD:
    case LXB_TAG_TEMPLATE:
    case LXB_TAG_TFOOT:
    case LXB_TAG_TH:
    case LXB_TAG_THEAD:
    case LXB_TAG_TR:
      return true;
    default:
      return false;
  }
}

// Elements whose text, unless it is white space, the builder puts before the table ("foster parenting"). Text ends a
// <colgroup> first.
bool gives_text_away(const lxb_dom_node_t* node) {
  if (node->ns != LXB_NS_HTML) return false;
  switch (node->local_name) {
    case LXB_TAG_COLGROUP:
    case LXB_TAG_TABLE:
    case LXB_TAG_TBODY:
    case LXB_TAG_TFOOT:
    case LXB_TAG_THEAD:
    case LXB_TAG_TR:
      return true;
    default:
      return false;
  }
}

// The node if it is text, else null.
lxb_dom_node_t* if_text(lxb_dom_node_t* node) {
  return node != nullptr && is_text(node) ? node : nullptr;
}

// The text that text at the end of an element is appended to; null if there is none.
lxb_dom_node_t* text_at_end(lxb_dom_node_t* element) {
  if (!lxb_html_tree_node_is(element, LXB_TAG_TEMPLATE)) return if_text(element->last_child);
  return if_text(lxb_dom_interface_node(lxb_html_interface_template(element)->content)->last_child);
}

// lexbor gives a text no more room than it needs, and its arenas keep what it outgrows, so a text that is extended in
// small steps would take quadratic time and memory. Doubling its room makes both linear. If memory runs out, the
// builder, which needs less, decides what happens.
void make_room(lxb_dom_node_t* text, std::size_t added_bytes, lexbor_mraw_t* arena) {
  if (text == nullptr) return;
  lexbor_str_t* const data = &lxb_dom_interface_character_data(text)->data;
  const std::size_t needed_bytes = data->length + added_bytes + 1;
  if (data->data == nullptr || needed_bytes <= lexbor_str_size(data)) return;
  lexbor_str_realloc(data, arena, data->length + needed_bytes);
}

// The first chunk may be larger than the others (document.cc), so only its used part is counted.
std::size_t counted_bytes(const lexbor_mem_chunk_t* chunk) {
  return chunk->prev == nullptr ? chunk->length : chunk->size;
}

}  // namespace

// Only the last chunk still changes. A long text has a chunk of its own, of any size.
std::size_t HtmlArenaMeter::bytes() {
  for (; last_->next != nullptr; last_ = last_->next) bytes_before_last_ += counted_bytes(last_);
  return bytes_before_last_ + counted_bytes(last_);
}

std::size_t html_tree_bytes(const lxb_html_document_t* document) {
  return HtmlArenaMeter(document->dom_document.mraw->mem).bytes() +
         HtmlArenaMeter(document->dom_document.text->mem).bytes();
}

void HtmlTokenFilter::attach(lxb_html_parser_t* parser, lxb_html_document_t* document, const HtmlLimits& limits,
                             std::size_t input_bytes, HtmlLimitsPassed* passed) {
  tree_ = parser->tree;
  document_ = document;
  nodes_ = HtmlArenaMeter(document->dom_document.mraw->mem);
  texts_ = HtmlArenaMeter(document->dom_document.text->mem);
  limits_ = &limits;
  passed_ = passed;
  root_tags_ = 0;
  const std::size_t ordinary_bytes = std::min(input_bytes, limits.large_input_bytes);
  tree_bytes_limit_ = limits.base_tree_bytes + limits.tree_bytes_per_input_byte * ordinary_bytes +
                      limits.tree_bytes_per_large_input_byte * (input_bytes - ordinary_bytes);
  lxb_html_tokenizer_t* tokenizer = parser->tkz;
  token_attributes_ = tokenizer->dobj_token_attr;
  // The tokenizer's search for duplicate attributes is unbounded. The builder searches as well, after cut_attributes().
  lxb_html_tokenizer_keep_duplicate_set(tokenizer, true);
  // The tokenizer is reused, so it may still have this filter from the last page.
  if (tokenizer->callback_token_done != &HtmlTokenFilter::on_token) {
    next_ = tokenizer->callback_token_done;
    next_context_ = tokenizer->callback_token_ctx;
    lxb_html_tokenizer_callback_token_done_set(tokenizer, &HtmlTokenFilter::on_token, this);
  }
}

inline bool HtmlTokenFilter::is_tree_full() {
  if (nodes_.bytes() + texts_.bytes() <= tree_bytes_limit_) return false;
  passed_->tree_bytes = true;
  return true;
}

// Before the builder appends a token to a text.
inline void HtmlTokenFilter::make_room_for_text(const lxb_html_token_t* token) {
  const lexbor_array_t* open = tree_->open_elements;
  if (open->length == 0) return;
  const auto added_bytes = static_cast<std::size_t>(token->text_end - token->text_start);
  auto* const current = static_cast<lxb_dom_node_t*>(open->list[open->length - 1]);
  make_room(text_at_end(current), added_bytes, document_->dom_document.text);
  if (gives_text_away(current)) make_room(text_before_table(), added_bytes, document_->dom_document.text);
}

// The text that text of a table is appended to: before the table, or at the end of a <template> if that is nearer.
lxb_dom_node_t* HtmlTokenFilter::text_before_table() const {
  const lexbor_array_t* open = tree_->open_elements;
  for (std::size_t i = open->length; i > 0; --i) {
    auto* const element = static_cast<lxb_dom_node_t*>(open->list[i - 1]);
    if (lxb_html_tree_node_is(element, LXB_TAG_TEMPLATE)) return text_at_end(element);
    if (lxb_html_tree_node_is(element, LXB_TAG_TABLE)) return if_text(element->prev);
  }
  return nullptr;
}

// Whether a tag may reach the tree builder. End tags are held back only by the memory limit.
inline bool HtmlTokenFilter::admits(lxb_html_token_t* token) {
  if (is_tree_full()) {
    cut_attributes(token);
    return holds_raw_text(token->tag_id);
  }
  if ((token->type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0) return true;
  if (token->attr_first != nullptr) {
    cut_attributes(token);
    attribute_filter_.apply(token);
  }
  if (token->tag_id == LXB_TAG_SELECT) allow_many_options(token);
  if (tree_->active_formatting->length >= limits_->max_open_formatting) {
    if (is_formatting(token->tag_id) && is_formatting_full()) {
      passed_->open_formatting = true;
      return false;
    }
    if (sets_marker(token->tag_id)) drop_dead_formatting();
  }
  return tree_->open_elements->length < limits_->max_depth || has_room_below(token);
}

// Lists that nobody reads, before they outgrow what they have: they grow in small steps, each of which may copy them.
inline void HtmlTokenFilter::drop_parse_errors(lxb_html_tokenizer_t* tokenizer) {
  constexpr std::size_t kErrorsKept = 128;
  if (tokenizer->parse_errors->length + tree_->parse_errors->length < kErrorsKept) return;
  lexbor_array_obj_clean(tokenizer->parse_errors);
  lexbor_array_obj_clean(tree_->parse_errors);
}

lxb_html_token_t* HtmlTokenFilter::on_token(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token, void* filter) {
  auto* self = static_cast<HtmlTokenFilter*>(filter);
  self->drop_parse_errors(tokenizer);
  if (token->tag_id == LXB_TAG__TEXT) {
    self->make_room_for_text(token);
  } else if (token->tag_id == LXB_TAG__EM_COMMENT) {
    if (self->is_tree_full()) return token;
  } else if (token->tag_id > LXB_TAG__EM_DOCTYPE && !self->admits(token)) {
    return token;
  }
  return self->next_(tokenizer, token, self->next_context_);
}

// Makes room for another open element. False if the tag must be ignored.
bool HtmlTokenFilter::has_room_below(const lxb_html_token_t* token) {
  if (holds_raw_text(token->tag_id)) return true;  // has no children, so it adds only one level
  passed_->depth = true;
  lexbor_array_t* open = tree_->open_elements;
  // The builder tolerates missing ancestors of ordinary elements: the standard handles pages that omit end tags.
  while (open->length >= limits_->max_depth) {
    const auto* const last = static_cast<const lxb_dom_node_t*>(open->list[open->length - 1]);
    if (steers_the_builder(last)) return false;
    // As its end tag does: the marker of an element that is closed would stay for good.
    if (sets_marker(last)) lxb_html_tree_active_formatting_up_to_last_marker(tree_);
    lxb_html_tree_open_elements_pop(tree_);
  }
  return true;
}

// Requires at least max_open_formatting entries.
bool HtmlTokenFilter::is_formatting_full() {
  if (are_last_entries_formatting()) return true;
  drop_dead_formatting();
  return tree_->active_formatting->length >= limits_->max_formatting_entries;
}

// A cell that is closed around an open <object> removes one marker, that of the <object>, and leaves its own: the
// standard says so. Whoever repeats that makes a list as long as the page, all of which the builder searches at every
// <a> that follows another. With n open elements that set markers, no more than the last n markers can be removed, now
// or later, so that nothing before the marker in front of these is copied again. The builder still asks whether the
// current element is there, when its end tag comes, and with or without an entry the standard closes it.
void HtmlTokenFilter::drop_dead_formatting() {
  lexbor_array_t* const formatting = tree_->active_formatting;
  if (formatting->length < limits_->max_formatting_entries) return;
  const lexbor_array_t* const open = tree_->open_elements;
  auto removable_markers = std::count_if(open->list, open->list + open->length, [](const void* element) {
    return sets_marker(static_cast<const lxb_dom_node_t*>(element));
  });
  const void* const marker = lxb_html_tree_active_formatting_marker();
  std::size_t first_kept = formatting->length;
  for (; first_kept > 0; --first_kept) {
    if (formatting->list[first_kept - 1] == marker && removable_markers-- == 0) break;
  }
  if (first_kept == 0) return;
  passed_->open_formatting = true;
  std::copy(formatting->list + first_kept, formatting->list + formatting->length, formatting->list);
  formatting->length -= first_kept;
}

// Only entries after the last marker are copied into the next paragraph.
bool HtmlTokenFilter::are_last_entries_formatting() const {
  const lexbor_array_t* formatting = tree_->active_formatting;
  const std::size_t limit = limits_->max_open_formatting;
  const void* marker = lxb_html_tree_active_formatting_marker();
  for (std::size_t i = formatting->length; i > formatting->length - limit; --i) {
    if (formatting->list[i - 1] == marker) return false;
  }
  return true;
}

// Whenever an <option> is inserted, lexbor walks all options of its <select> to decide which one is selected, and may
// copy that one's content, unless several can be selected. Nothing asks which is selected, so each <select> gets the
// attribute `multiple`.
void HtmlTokenFilter::allow_many_options(lxb_html_token_t* token) {
  const lxb_dom_attr_data_t* name = lxb_dom_attr_data_by_id(document_->dom_document.attrs, LXB_DOM_ATTR_MULTIPLE);
  lxb_html_token_attr_t* attribute = lxb_html_token_attr_append(token, token_attributes_);
  if (attribute == nullptr) return;  // out of memory: the builder will report it
  attribute->name = name;
  attribute->type = LXB_HTML_TOKEN_ATTR_TYPE_VALUE_NULL;
}

// Truncates the list of attributes at the limit, before anything quadratic sees it.
void HtmlTokenFilter::cut_attributes(lxb_html_token_t* token) {
  if (token->tag_id == LXB_TAG_HTML || token->tag_id == LXB_TAG_BODY) {
    if (++root_tags_ > kMaxRootTags && token->attr_first != nullptr) {
      token->attr_first = token->attr_last = nullptr;
      passed_->attributes = true;
      return;
    }
  }
  if (token->attr_first == nullptr) return;
  std::size_t count = 1;
  lxb_html_token_attr_t* last = token->attr_first;
  while (last->next != nullptr && count < limits_->max_attributes) {
    last = last->next;
    ++count;
  }
  if (last->next == nullptr) return;
  last->next = nullptr;
  token->attr_last = last;
  passed_->attributes = true;
}

}  // namespace paraprint::inline html
