// A parser of its own rather than expat, which stops at the first error: much XML of archives is cut off or uses
// entities that it does not declare, and a page must not lose its text for that, nor differ from its whole copy.
// Nothing is declared and nothing is expanded, so no document grows. Borders of blocks depend on text that comes later
// in an element, so a first pass collects events and a second one builds blocks of them.
#include "profile/xml_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "extract/block_builder.h"
#include "text/utf8.h"
#include "text/xml_kind.h"

namespace paraprint::inline profile {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f";

// An end tag closes one of this many innermost elements. More than that are not missing by mistake.
constexpr std::size_t kUnclosedMaximum = 64;

// "&#x10FFFF;" is the longest reference that is resolved, with some zeros in front.
constexpr std::size_t kReferenceBytes = 16;

// Elements that are blocks also next to text: what common vocabularies use for paragraphs, headings, items and lines.
constexpr std::array<std::string_view, 24> kBlockNames = {
    "ab",   "abstract", "br", "caption", "div",     "entry", "head", "item", "l",     "lb",    "li",    "line",
    "list", "listitem", "p",  "para",    "section", "row",   "sec",  "td",   "table", "title", "quote", "block"};

struct Event {
  enum class Kind : std::uint8_t { kBegin, kEnd, kBeginTitle, kEndTitle };
  std::uint32_t text_bytes;  // text collected before it
  Kind kind;
  bool is_block;  // by its name
  bool has_text;  // of kBegin: whether the element has text of its own
};

// The character of "#38", "#x26" or "amp"; kInvalidCharacter if it is none.
char32_t referenced(std::string_view name) {
  if (name.starts_with('#')) {
    const bool is_hexadecimal = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    name.remove_prefix(is_hexadecimal ? 2 : 1);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value, is_hexadecimal ? 16 : 10);
    const bool is_number = error == std::errc() && end == name.data() + name.size();
    const bool is_character = value > 0 && value < 0x110000 && (value & 0xFFFFF800) != 0xD800;
    return is_number && is_character ? value : kInvalidCharacter;
  }
  if (name == "amp") return U'&';
  if (name == "lt") return U'<';
  if (name == "gt") return U'>';
  if (name == "quot") return U'"';
  return name == "apos" ? U'\'' : kInvalidCharacter;
}

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kSpace) == std::string_view::npos;
}

bool begins_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' || byte >= 0x80;
}

// The first pass. Every search ends at the next '<', finds its mark and moves on to it, or is not made again, so all of
// them together are linear.
class XmlScanner {
 public:
  explicit XmlScanner(std::string_view rest) : rest_(rest) {}

  void scan(StopCheck& stop) {
    while (!rest_.empty()) {
      const std::size_t before = rest_.size();
      if (rest_.front() != '<') {
        add_text(take(rest_.find('<')), true);
      } else if (!scan_markup()) {
        add_text(take(1), false);
      }
      if (stop.after(StopCheck::kUnitsPerNode + before - rest_.size())) return;
    }
    while (!open_.empty()) close();
  }

  const std::vector<Event>& events() const { return events_; }
  std::string_view text() const { return text_; }

 private:
  struct Open {
    std::string_view name;
    std::size_t event;
  };

  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  // Takes up to the end of `mark`, whose absence is remembered in `is_missing`. False if it is missing.
  bool take_through(std::string_view mark, bool& is_missing) {
    const std::size_t at = is_missing ? std::string_view::npos : rest_.find(mark);
    is_missing = at == std::string_view::npos;
    if (!is_missing) take(at + mark.size());
    return !is_missing;
  }

  // False if the '<' at the start of the rest starts nothing.
  bool scan_markup() {
    constexpr std::string_view kCdata = "<![CDATA[";
    if (rest_.starts_with(kCdata)) {
      take(kCdata.size());
      const std::size_t end = no_cdata_end_ ? std::string_view::npos : rest_.find("]]>");
      no_cdata_end_ = end == std::string_view::npos;
      add_text(take(end), false);
      take(3);
      return true;
    }
    if (rest_.starts_with("<!--")) return take_through("-->", no_comment_end_);
    if (rest_.starts_with("<?")) return take_through("?>", no_instruction_end_);
    if (rest_.starts_with("<!")) {
      const std::size_t size = no_doctype_ ? 0 : doctype_bytes(rest_);
      no_doctype_ = true;  // a document has one at most
      if (size == 0) return take_through(">", no_declaration_end_);
      take(size);
      return true;
    }
    const bool is_end = rest_.starts_with("</");
    const std::size_t name_at = is_end ? 2 : 1;
    if (rest_.size() <= name_at || !begins_name(rest_[name_at])) return false;
    const std::size_t size = tag_bytes();
    if (size == 0) {
      // The last one is that of a document that was cut off within it.
      const bool is_last = rest_.find('<', 1) == std::string_view::npos;
      if (is_last) take(rest_.size());
      return is_last;
    }
    const std::string_view tag = take(size);
    const std::string_view name = tag.substr(name_at, tag.find_first_of(" \t\r\n\f/>", name_at) - name_at);
    if (is_end) {
      close(name);
    } else {
      open(name);
      if (tag.ends_with("/>")) close();
    }
    return true;
  }

  // The length of the tag at the start of the rest; 0 if it has no end before the next '<'. A '>' in a quoted value
  // ends no tag, unless the closing quotation mark is missing.
  std::size_t tag_bytes() const {
    const std::string_view tag = rest_.substr(0, rest_.find('<', 1));
    for (std::size_t at = 0; (at = tag.find_first_of("\"'>", at)) != std::string_view::npos; ++at) {
      if (tag[at] == '>') return at + 1;
      at = tag.find(tag[at], at + 1);
      if (at == std::string_view::npos) break;
    }
    return tag.find('>') + 1;  // npos + 1 is 0
  }

  static bool is_hidden(std::string_view name) {
    const std::string_view local = local_name(name);
    return local == "script" || local == "style";
  }

  void open(std::string_view name) {
    const std::string_view local = local_name(name);
    const bool is_block = std::find(kBlockNames.begin(), kBlockNames.end(), local) != kBlockNames.end();
    open_.push_back({name, events_.size()});
    const auto kind = local == "title" ? Event::Kind::kBeginTitle : Event::Kind::kBegin;
    events_.push_back({static_cast<std::uint32_t>(text_.size()), kind, is_block, false});
    hidden_ += is_hidden(name);
  }

  void close() {
    const Open closed = open_.back();
    open_.pop_back();
    hidden_ -= is_hidden(closed.name);
    const Event begin = events_[closed.event];
    const auto kind = begin.kind == Event::Kind::kBeginTitle ? Event::Kind::kEndTitle : Event::Kind::kEnd;
    events_.push_back({static_cast<std::uint32_t>(text_.size()), kind, begin.is_block, false});
  }

  void close(std::string_view name) {
    const std::size_t searched = std::min(open_.size(), kUnclosedMaximum);
    for (std::size_t i = 1; i <= searched; ++i) {
      if (open_[open_.size() - i].name != name) continue;
      for (; i > 0; --i) close();
      return;
    }
  }

  void add_text(std::string_view text, bool has_references) {
    if (hidden_ > 0) return;
    if (!open_.empty() && !is_blank(text)) events_[open_.back().event].has_text = true;
    for (std::size_t at; has_references && (at = text.find('&')) != std::string_view::npos;) {
      text_.append(text.substr(0, at));
      text.remove_prefix(at);
      const std::size_t end = text.substr(0, kReferenceBytes).find(';');
      const char32_t character =
          end == std::string_view::npos ? kInvalidCharacter : referenced(text.substr(1, end - 1));
      const bool is_known = character != kInvalidCharacter;
      std::array<char, 4> bytes{};
      if (is_known) {
        text_.append(bytes.data(), encode_character(character, bytes.data()));
      } else {
        text_.push_back('&');
      }
      text.remove_prefix(is_known ? end + 1 : 1);
    }
    text_.append(text);
  }

  std::string_view rest_;
  std::string text_;
  std::vector<Event> events_;
  std::vector<Open> open_;
  std::size_t hidden_ = 0;  // open elements whose content is not text
  bool no_cdata_end_ = false;
  bool no_comment_end_ = false;
  bool no_instruction_end_ = false;
  bool no_doctype_ = false;
  bool no_declaration_end_ = false;
};

// The second pass.
void build_blocks(const XmlScanner& scanner, MainContent& content, StopCheck& stop) {
  BlockBuilder builder;
  builder.begin(content);
  const std::string_view text = scanner.text();
  std::vector<bool> has_text;  // of the open elements
  std::size_t written_bytes = 0;
  std::size_t title_begin_bytes = std::string_view::npos;
  for (const Event& event : scanner.events()) {
    builder.add_text(text.substr(written_bytes, event.text_bytes - written_bytes));
    if (stop.after(StopCheck::kUnitsPerNode + event.text_bytes - written_bytes)) break;
    written_bytes = event.text_bytes;
    const bool is_begin = event.kind == Event::Kind::kBegin || event.kind == Event::Kind::kBeginTitle;
    if (!is_begin) has_text.pop_back();
    if (event.is_block || has_text.empty() || !has_text.back()) builder.end_block();
    if (is_begin) has_text.push_back(event.has_text);
    if (event.kind == Event::Kind::kBeginTitle) title_begin_bytes = event.text_bytes;
    if (event.kind != Event::Kind::kEndTitle || title_begin_bytes == std::string_view::npos) continue;
    if (content.title.empty()) {
      assign_collapsed(text.substr(title_begin_bytes, event.text_bytes - title_begin_bytes), content.title);
    }
    title_begin_bytes = std::string_view::npos;
  }
  if (!stop.is_stopped()) builder.add_text(text.substr(written_bytes));
  builder.finish();
}

}  // namespace

void extract_xml_text(std::string_view text, MainContent& content, StopCheck& stop) {
  XmlScanner scanner(text.substr(0, kXmlBytesMaximum));
  scanner.scan(stop);
  build_blocks(scanner, content, stop);
}

}  // namespace paraprint::inline profile
