// The parser and its arenas are reused from page to page, because creating them costs more than parsing a small page.
// After an unusual page they are replaced, so that one page cannot occupy memory or slow down cleaning for good.
#include "html/document.h"

#include <algorithm>
#include <string>

#include "base/propagate.h"
#include "html/hidden_styles.h"
#include "html/name_tables.h"
#include "html/token_filter.h"

namespace paraprint::inline html {
namespace {

// After a page larger than this, or beyond any limit, the parser is recreated to release its grown buffers. Fresh
// memory is slow: a megabyte of an ordinary page has nine of tree, and should not be released.
constexpr std::size_t kReuseInputBytes = std::size_t{4} << 20;
constexpr std::size_t kReuseTreeBytes = std::size_t{40} << 20;

// Input goes to the parser in chunks of this size, so that the name tables can grow and a request to stop be noticed in
// between. Most pages fit in one or two.
constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

// lexbor keeps only the first chunk of an arena from page to page. The rest is returned to the system and comes back as
// fresh memory, whose page faults cost more than its use. First chunks of this size hold the trees of most pages.
constexpr std::size_t kNodeArenaBytes = std::size_t{512} << 10;
constexpr std::size_t kTextArenaBytes = std::size_t{128} << 10;

const lxb_char_t* lexbor_bytes(std::string_view text) {
  return reinterpret_cast<const lxb_char_t*>(text.data());
}

// Lists that nobody reads, of a token of nothing but errors. The filter drops those of other tokens.
void drop_parse_errors(lxb_html_parser_t& parser) {
  lexbor_array_obj_clean(parser.tkz->parse_errors);
  lexbor_array_obj_clean(parser.tree->parse_errors);
}

// Replaces the first chunk of an arena that has not been used yet.
bool widen_first_chunk(lexbor_mem_t* arena, std::size_t size_bytes) {
  lexbor_mem_chunk_t* first = arena->chunk_first;
  if (first->length != 0) return true;
  lexbor_mem_chunk_destroy(arena, first, false);
  return lexbor_mem_chunk_init(arena, first, size_bytes) != nullptr;
}

}  // namespace

HtmlDocument::HtmlDocument(const HtmlLimits& limits, HtmlAttributeSet attributes)
    : limits_(limits), filter_(std::make_unique<HtmlTokenFilter>(attributes)) {}

HtmlDocument::~HtmlDocument() {
  destroy();
}

void HtmlDocument::destroy() {
  lxb_html_document_destroy(document_);
  document_ = nullptr;
}

// One that is not complete must not be kept: the next page would be parsed into it.
Status HtmlDocument::create() {
  destroy();
  document_ = lxb_html_document_create();
  if (document_ == nullptr || !widen_name_tables(document_) ||
      !widen_first_chunk(document_->dom_document.mraw->mem, kNodeArenaBytes) ||
      !widen_first_chunk(document_->dom_document.text->mem, kTextArenaBytes)) {
    destroy();
    return failure(ErrorCode::kLimitExceeded, "out of memory while creating an HTML document");
  }
  lxb_html_document_scripting_set(document_, false);
  return {};
}

Status HtmlDocument::parse(std::string_view utf8, StopCheck& stop) {
  const bool was_large = is_large();
  name_tables_grew_ = false;
  limits_passed_ = {};
  if (utf8.size() > limits_.max_input_bytes) {
    limits_passed_.input_bytes = true;
    std::size_t end = limits_.max_input_bytes;
    while (end > 0 && (static_cast<unsigned char>(utf8[end]) & 0xC0U) == 0x80U) --end;  // do not split a character
    utf8 = utf8.substr(0, end);
  }
  input_bytes_ = utf8.size();
  // After an error or an exception, or in the middle of a page, the state of lexbor's objects is undefined, so they are
  // not reused.
  struct Guard {
    HtmlDocument& document;
    bool is_parsed = false;
    ~Guard() {
      if (!is_parsed) document.destroy();
    }
  } guard{*this};
  if (document_ == nullptr || was_large) {
    PARAPRINT_TRY(create());
  } else {
    lxb_html_document_clean(document_);
  }
  PARAPRINT_TRY(parse_under_limits(utf8, stop));
  guard.is_parsed = true;
  resolve_attributes();
  return {};
}

Status HtmlDocument::parse_under_limits(std::string_view utf8, StopCheck& stop) {
  const bool had_parser = document_->dom_document.parser != nullptr;
  lxb_status_t status = lxb_html_document_parse_chunk_begin(document_);
  // If lexbor fails to create a parser, it destroys it but leaves the pointer in the document. Without this reset the
  // document would destroy it again.
  if (status != LXB_STATUS_OK && !had_parser) document_->dom_document.parser = nullptr;
  if (status == LXB_STATUS_OK) {
    auto* parser = static_cast<lxb_html_parser_t*>(document_->dom_document.parser);
    filter_->attach(parser, document_, limits_, utf8.size(), &limits_passed_);
    // lexbor treats an empty chunk as an invalid argument.
    while (!utf8.empty() && status == LXB_STATUS_OK) {
      const std::string_view chunk = utf8.substr(0, kChunkBytes);
      utf8.remove_prefix(chunk.size());
      status = lxb_html_document_parse_chunk(document_, lexbor_bytes(chunk), chunk.size());
      name_tables_grew_ |= grow_crowded_name_tables(document_);
      drop_parse_errors(*parser);
      if (stop.after(chunk.size())) return stop.status();
    }
  }
  if (status == LXB_STATUS_OK) status = lxb_html_document_parse_chunk_end(document_);
  if (status != LXB_STATUS_OK) {
    return failure(ErrorCode::kLimitExceeded, "the HTML parser failed (lexbor status " + std::to_string(status) + ")");
  }
  return {};
}

// lexbor numbers attribute names per document, so ids are looked up once per page instead of once per element.
void HtmlDocument::resolve_attributes() {
  for (std::size_t i = 0; i < kHtmlAttributeCount; ++i) {
    const std::string_view name = attribute_name(static_cast<HtmlAttribute>(i));
    const lxb_dom_attr_data_t* data =
        lxb_dom_attr_data_by_local_name(document_->dom_document.attrs, lexbor_bytes(name), name.size());
    attribute_ids_[i] = data == nullptr ? lxb_dom_attr_id_t{0} : data->attr_id;
  }
}

bool HtmlDocument::is_large() const {
  return limits_passed_.any() || name_tables_grew_ || input_bytes_ > kReuseInputBytes || tree_bytes() > kReuseTreeBytes;
}

bool HtmlDocument::release_if_large() {
  if (!is_large()) return false;
  destroy();
  return true;
}

// The nodes are null until a document exists, that is, before the first parse, after a failed one, and once released.
const HtmlNode* HtmlDocument::root() const {
  return document_ == nullptr ? nullptr : reinterpret_cast<const HtmlNode*>(document_->dom_document.element);
}

const HtmlNode* HtmlDocument::body() const {
  return document_ == nullptr ? nullptr : reinterpret_cast<const HtmlNode*>(document_->body);
}

const HtmlNode* HtmlDocument::head() const {
  return document_ == nullptr ? nullptr : reinterpret_cast<const HtmlNode*>(document_->head);
}

// The parser reads the content of <title> as text, so it is a single text node.
std::string_view HtmlDocument::title() const {
  if (head() == nullptr) return {};
  for (const HtmlNode* child = head()->first_child; child != nullptr; child = child->next) {
    if (!has_tag(child, LXB_TAG_TITLE)) continue;
    const HtmlNode* text = child->first_child;
    return text != nullptr && is_text(text) ? text_of(text) : std::string_view{};
  }
  return {};
}

const lxb_dom_attr_t* HtmlDocument::find_attribute(const HtmlNode* element, HtmlAttribute name) const {
  const lxb_dom_attr_id_t id = attribute_ids_[static_cast<std::size_t>(name)];
  if (id == LXB_DOM_ATTR__UNDEF) return nullptr;
  for (const lxb_dom_attr_t* attribute = element_of(element)->first_attr; attribute != nullptr;
       attribute = attribute->next) {
    if (attribute->node.local_name == id) return attribute;
  }
  return nullptr;
}

std::string_view HtmlDocument::attribute(const HtmlNode* element, HtmlAttribute name) const {
  return value_of(find_attribute(element, name));
}

bool HtmlDocument::has_attribute(const HtmlNode* element, HtmlAttribute name) const {
  return find_attribute(element, name) != nullptr;
}

bool HtmlDocument::is_hidden(const HtmlNode* element) const {
  if (has_attribute(element, HtmlAttribute::kHidden)) return true;
  const std::string_view style = attribute(element, HtmlAttribute::kStyle);
  return !style.empty() && hides_.ask(style, style_hides);
}

std::size_t HtmlDocument::tree_bytes() const {
  return document_ == nullptr ? 0 : html_tree_bytes(document_);
}

}  // namespace paraprint::inline html
