// Percent escapes and ASCII.
#include "cdx/surt_text.h"

#include <algorithm>
#include <optional>

namespace paraprint::inline cdx {
namespace {

// 16: not a hexadecimal digit.
unsigned hexadecimal(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return 16;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_break(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

void append_escape(char c, std::string& out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

template <class IsEscaped>
std::string escape_where(std::string_view text, IsEscaped is_escaped) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) is_escaped(c) ? append_escape(c, out) : out.push_back(c);
  return out;
}

// What the escape at `at` stands for, if field_of_name() writes that as an escape.
std::optional<char> escaped_in_field(std::string_view text, std::size_t at) {
  if (text[at] != '%' || text.size() - at < 3) return std::nullopt;
  const unsigned high = hexadecimal(text[at + 1]);
  const unsigned low = hexadecimal(text[at + 2]);
  if (high > 15 || low > 15) return std::nullopt;
  const auto c = static_cast<char>(high << 4 | low);
  return is_break(c) || c == '%' ? std::optional(c) : std::nullopt;
}

}  // namespace

// Escapes do not overlap, so their order does not matter: each is replaced as soon as its last digit is there, and what
// it gives may complete the one before it.
std::string unescape_repeatedly(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    out += c;
    while (out.size() >= 3) {
      const std::size_t at = out.size() - 3;
      const unsigned high = hexadecimal(out[at + 1]);
      const unsigned low = hexadecimal(out[at + 2]);
      if (out[at] != '%' || high > 15 || low > 15) break;
      out.resize(at);
      out += static_cast<char>(high << 4 | low);
    }
  }
  return out;
}

std::string escape_once(std::string_view text) {
  return escape_where(text, [](char c) { return c <= ' ' || c > '~' || c == '#' || c == '%'; });
}

std::string escape_breaks(std::string_view text) {
  return escape_where(text, is_break);
}

std::string field_of_name(std::string_view name) {
  std::string field;
  for (std::size_t at = 0; at < name.size(); ++at) {
    is_break(name[at]) || escaped_in_field(name, at) ? append_escape(name[at], field) : field.push_back(name[at]);
  }
  return field;
}

std::string name_of_field(std::string_view field) {
  std::string name;
  for (std::size_t at = 0; at < field.size(); ++at) {
    const std::optional<char> escaped = escaped_in_field(field, at);
    name += escaped.value_or(field[at]);
    if (escaped) at += 2;
  }
  return name;
}

std::string lower_ascii(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return text;
}

bool equals_lower_ascii(std::string_view text, std::string_view lower_text) {
  return std::equal(text.begin(), text.end(), lower_text.begin(), lower_text.end(),
                    [](char a, char b) { return lower(a) == b; });
}

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace paraprint::inline cdx
