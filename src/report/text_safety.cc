// Makes untrusted bytes safe to print. All functions decode character by character with text/utf8.h, so what counts as
// invalid is the same everywhere. Unsafe characters are replaced rather than removed: text around them must not close
// up to something new, such as a tag or an escape sequence.
#include "report/text_safety.h"

#include <algorithm>

#include "text/utf8.h"

namespace paraprint::inline report {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// C0, DEL and C1: in some terminals C1 characters start escape sequences, too.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

// Embeddings, overrides and isolates, which reorder the text that follows them. (The marks U+200E and U+200F do not.)
bool is_bidi_control(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// Characters that must not be printed as they are: invalid ones, terminal controls and bidirectional controls. Callers
// exempt line feeds and tabs where these are harmless.
bool is_unprintable(char32_t c) {
  return c == kInvalidCharacter || is_control(c) || is_bidi_control(c);
}

constexpr std::string_view kUnchanged;

std::string_view html_replacement(char32_t c) {
  switch (c) {
    case U'&':
      return "&amp;";
    case U'<':
      return "&lt;";
    case U'>':
      return "&gt;";
    case U'"':
      return "&quot;";
    case U'\'':
      return "&#39;";
    case U'\n':  // white space to HTML, and harmless
    case U'\t':
      return kUnchanged;
    default:
      return is_unprintable(c) ? kReplacement : kUnchanged;
  }
}

// Appends `bytes` with replacement(character) for each character for which it isn't kUnchanged. Almost none is
// replaced, so what lies between replacements is copied at once.
template <typename Replacement>
void append_replacing(std::string& out, std::string_view bytes, const Replacement& replacement) {
  std::size_t copied = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const DecodedCharacter step = decode_character(bytes.data() + at, bytes.data() + bytes.size());
    if (const std::string_view replaced = replacement(step.code_point); !replaced.empty()) {
      out.append(bytes, copied, at - copied).append(replaced);
      copied = at + step.size_bytes;
    }
    at += step.size_bytes;
  }
  out.append(bytes, copied);
}

}  // namespace

void append_valid_utf8(std::string& out, std::string_view bytes) {
  append_replacing(out, bytes, [](char32_t c) { return c == kInvalidCharacter ? kReplacement : kUnchanged; });
}

void append_html_text(std::string& out, std::string_view bytes) {
  append_replacing(out, bytes, html_replacement);
}

std::string html_text(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  append_html_text(out, bytes);
  return out;
}

// Outside strings JSON has none of the three, and inside it allows the escape.
std::string json_without_markup(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size());
  for (const char character : json) {
    switch (character) {
      case '<':
        escaped += "\\u003c";
        break;
      case '>':
        escaped += "\\u003e";
        break;
      case '&':
        escaped += "\\u0026";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

void append_terminal_text(std::string& out, std::string_view bytes) {
  append_replacing(out, bytes, [](char32_t c) { return is_unprintable(c) && c != U'\n' ? kReplacement : kUnchanged; });
}

// Escapes instead of replacing: ids are keys, which other programs must be able to recover.
void append_tsv_field(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
}

std::string_view utf8_prefix(std::string_view text, std::size_t size_bytes) {
  if (text.size() <= size_bytes) return text;
  // Back to the first byte of the character at the cut.
  while (size_bytes > 0 && is_continuation(text[size_bytes])) --size_bytes;
  return text.substr(0, size_bytes);
}

TextSpan clamp_to_characters(std::string_view text, TextSpan span) {
  const auto end_of_text = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), UINT32_MAX));
  span.begin_bytes = std::min(span.begin_bytes, end_of_text);
  span.end_bytes = std::clamp(span.end_bytes, span.begin_bytes, end_of_text);
  // An empty span within a character must not grow to that character.
  if (span.size_bytes() == 0) return span;
  while (span.begin_bytes > 0 && is_continuation(text[span.begin_bytes])) --span.begin_bytes;
  while (span.end_bytes < end_of_text && is_continuation(text[span.end_bytes])) ++span.end_bytes;
  return span;
}

bool is_linkable_url(std::string_view url) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) return false;
  // Browsers drop tabs and line ends from URLs, so what is shown would not be what is opened.
  return std::none_of(url.begin(), url.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7F;
  });
}

}  // namespace paraprint::inline report
