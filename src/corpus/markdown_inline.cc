// Escapes every character that could begin markup at its place, and no others, so that ordinary text stays legible.
// Delimiters of emphasis are only written where CommonMark recognises them: its rules on flanking look at the
// characters on both sides, and Chinese text, which has no spaces between words, often breaks them.
#include "corpus/markdown_inline.h"

#include <algorithm>

#include "text/utf8.h"

namespace paraprint::inline corpus {
namespace {

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_ascii_punctuation(char32_t c) {
  return c > 0x20 && c < 0x7F &&
         !(c < 0x7F && (is_ascii_digit(static_cast<char>(c)) || is_ascii_letter(static_cast<char>(c))));
}

// White space that Markdown knows, not only that of HTML.
bool is_markdown_space(char32_t c) {
  return c <= 0x20 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

enum class Neighbour : std::uint8_t { kSpace, kPunctuation, kDoubtful, kWord };

// kDoubtful: symbols and marks, which versions of CommonMark class differently.
Neighbour neighbour_of(char32_t c) {
  if (is_markdown_space(c)) return Neighbour::kSpace;
  if (is_ascii_punctuation(c)) return Neighbour::kPunctuation;
  const bool is_wide_punctuation = (c >= 0x3001 && c <= 0x3003) || (c >= 0x3008 && c <= 0x3011) ||
                                   (c >= 0x2010 && c <= 0x2027) || (c >= 0xFF08 && c <= 0xFF0C) || c == 0xFF01 ||
                                   c == 0xFF1A || c == 0xFF1B || c == 0xFF1F;
  if (is_wide_punctuation) return Neighbour::kPunctuation;
  return is_content_character(c) ? Neighbour::kWord : Neighbour::kDoubtful;
}

Neighbour first_of(std::string_view text) {
  if (text.empty()) return Neighbour::kSpace;
  return neighbour_of(decode_character(text.data(), text.data() + text.size()).code_point);
}

Neighbour last_of(std::string_view text) {
  if (text.empty()) return Neighbour::kSpace;
  std::size_t begin = text.size() - 1;
  while (begin > 0 && text.size() - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  return neighbour_of(decode_character(text.data() + begin, text.data() + text.size()).code_point);
}

// Whether a delimiter may be between these two, the second of which is inside.
bool is_flanking(Neighbour outside, Neighbour inside) {
  if (inside == Neighbour::kSpace) return false;
  return inside == Neighbour::kWord || outside == Neighbour::kSpace || outside == Neighbour::kPunctuation;
}

// An entity reference, which readers of Markdown decode: "&amp;", "&#38;".
bool is_entity(std::string_view text) {
  constexpr std::size_t kLongestEntity = 40;
  std::size_t end = 1;
  while (end < text.size() && end < kLongestEntity &&
         (is_ascii_digit(text[end]) || is_ascii_letter(text[end]) || text[end] == '#')) {
    ++end;
  }
  return end > 1 && end < text.size() && text[end] == ';';
}

// The address is in the form of the URL standard, which leaves few characters that mean something here.
void append_address(std::string_view address, std::string& out) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (std::size_t at = 0; at < address.size(); ++at) {
    const char c = address[at];
    if (c == '&' && is_entity(address.substr(at))) {
      out += "\\&";
    } else if (c == '(' || c == ')' || c == '<' || c == '>' || c == '|' || c == '\\' || c == '"' || c == '`' ||
               static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) {
      out += '%';
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      out += c;
    }
  }
}

}  // namespace

std::size_t longest_run_of(char c, std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char each : text) {
    run = each == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// Innermost first; an outer part that ends takes the inner ones with it.
void InlineMarkdown::close_to(const InlineStyle& style) {
  const bool closes_link = style_.link != style.link;
  const bool closes_strong = style_.is_strong && (closes_link || !style.is_strong);
  // What is inside of a part that opens ends, too.
  const bool opens_strong = !style_.is_strong && style.is_strong;
  const bool outer = closes_link || closes_strong || opens_strong;
  const bool closes_emphasis = style_.is_emphasis && (outer || !style.is_emphasis);
  const bool opens_emphasis = !style_.is_emphasis && style.is_emphasis;
  if (style_.is_deleted && (outer || closes_emphasis || opens_emphasis || !style.is_deleted)) {
    out_ += "~~";
    style_.is_deleted = false;
  }
  if (closes_emphasis || (style_.is_emphasis && outer)) {
    out_ += '*';
    style_.is_emphasis = false;
  }
  if (closes_strong) {
    out_ += "**";
    style_.is_strong = false;
  }
  if (closes_link && style_.link != nullptr) {
    out_ += "](";
    append_address(*style_.link, out_);
    out_ += ')';
    style_.link = nullptr;
  }
}

void InlineMarkdown::open(const InlineStyle& style) {
  if (style.link != nullptr && style_.link == nullptr) {
    if (!is_at_start() && out_.back() == '!') out_.insert(out_.size() - 1, 1, '\\');  // else an image
    out_ += '[';
  }
  if (style.is_strong && !style_.is_strong) out_ += "**";
  if (style.is_emphasis && !style_.is_emphasis) out_ += '*';
  if (style.is_deleted && !style_.is_deleted) out_ += "~~";
  style_ = style;
  style_.is_code = false;
}

void InlineMarkdown::add(std::string_view text, InlineStyle style, std::string_view following) {
  const std::size_t blank = std::min(text.find_first_not_of(' '), text.size());
  const std::string_view words = text.substr(blank);
  if (words.empty()) style = style_;  // spaces alone are in whatever is open
  const auto has_marks = [](const InlineStyle& s) { return s.is_strong || s.is_emphasis || s.is_deleted; };
  if (has_marks(style)) {
    const bool is_inner = style.link == style_.link;
    // What is inside of a part that begins or ends here begins anew.
    const bool outer_changes = !is_inner || style.is_strong != style_.is_strong;
    const bool any_changes = outer_changes || style.is_emphasis != style_.is_emphasis;
    const bool opens = (style.is_strong && (!is_inner || !style_.is_strong)) ||
                       (style.is_emphasis && (outer_changes || !style_.is_emphasis)) ||
                       (style.is_deleted && (any_changes || !style_.is_deleted));
    const Neighbour before = blank > 0 || is_at_start() ? Neighbour::kSpace
                             : is_inner                 ? last_of(out_)
                                                        : Neighbour::kPunctuation;
    const Neighbour first = style.is_code ? Neighbour::kPunctuation : first_of(words);
    const Neighbour last = style.is_code ? Neighbour::kPunctuation : last_of(words);
    // Two runs of delimiters that touch would be read as one. Whatever is open may end after any stretch.
    const bool is_opened = !opens || (is_flanking(before, first) && (blank > 0 || !has_marks(style_)));
    if (!is_opened || !is_flanking(first_of(following), last)) {
      style.is_strong = style.is_emphasis = style.is_deleted = false;
    }
  }
  close_to(style);
  if (blank > 0 && !is_at_start()) out_ += ' ';
  if (words.empty()) return;
  open(style);
  // Behind other code it would be read as one with that.
  if (style.is_code && !out_.ends_with('`')) {
    add_code(words);
  } else {
    add_escaped(words);
  }
}

void InlineMarkdown::finish() {
  close_to(InlineStyle{});
}

bool InlineMarkdown::needs_escape(std::string_view text, std::size_t at) const {
  const auto next = [&](std::size_t steps) { return at + steps < text.size() ? text[at + steps] : ' '; };
  const bool is_first = place_ == Place::kLine && is_at_start();
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '<':
    case '~':
      return true;
    case '_': {
      const auto is_word = [](char c) {
        return is_ascii_digit(c) || is_ascii_letter(c) || static_cast<unsigned char>(c) >= 0x80;
      };
      return !(at > 0 && is_word(text[at - 1]) && is_word(next(1)));
    }
    case '|':
      return is_first || place_ == Place::kCell;
    case '&':
      return is_entity(text.substr(at));
    case '#':
      // Also the signs that may close a heading.
      if (place_ == Place::kHeading) return is_at_start() || out_.back() == ' ' || out_.back() == '#';
      return is_first;
    case '>':
    case '=':
      return is_first;
    case '+':
    case '-':
      return is_first && (next(1) == ' ' || next(1) == text[at]);
    case '.':
    case ')': {
      // The number of a list at the beginning of the line.
      constexpr std::size_t kDigitsMaximum = 9;
      const std::string_view line = std::string_view(out_).substr(begin_bytes_);
      return place_ == Place::kLine && !line.empty() && line.size() <= kDigitsMaximum &&
             std::all_of(line.begin(), line.end(), is_ascii_digit) && next(1) == ' ';
    }
    default:
      return false;
  }
}

void InlineMarkdown::add_escaped(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') {
      out_ += ' ';
      continue;
    }
    if (needs_escape(text, at)) out_ += '\\';
    out_ += text[at];
  }
}

// Backslashes are not escapes in code, except before the border of a cell.
void InlineMarkdown::add_code(std::string_view text) {
  const std::string fence(longest_run_of('`', text) + 1, '`');
  const bool is_padded = text.starts_with('`') || text.ends_with('`') || (text.starts_with(' ') && text.ends_with(' '));
  out_ += fence;
  if (is_padded) out_ += ' ';
  for (const char c : text) {
    if (c == '|' && place_ == Place::kCell) out_ += '\\';
    out_ += c == '\n' ? ' ' : c;
  }
  if (is_padded) out_ += ' ';
  out_ += fence;
}

}  // namespace paraprint::inline corpus
