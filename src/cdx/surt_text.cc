// Percent escapes and ASCII.
#include "cdx/surt_text.h"

#include <algorithm>

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
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c > ' ' && c <= '~' && c != '#' && c != '%') {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
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
