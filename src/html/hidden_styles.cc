// Declarations are read as far as hiding needs it.
#include "html/hidden_styles.h"

#include <algorithm>

namespace paraprint::inline html {
namespace {

bool is_style_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower_prefix) {
  if (text.size() < lower_prefix.size()) return false;
  for (std::size_t i = 0; i < lower_prefix.size(); ++i) {
    if (lower_ascii(text[i]) != lower_prefix[i]) return false;
  }
  return true;
}

std::string_view skip_style_space(std::string_view text) {
  while (!text.empty() && is_style_space(text.front())) text.remove_prefix(1);
  return text;
}

// Whether a declaration without white space before it is `property: value`. Accepts any value that begins with `value`,
// such as "none !important".
bool declares(std::string_view declaration, std::string_view property, std::string_view value) {
  if (!starts_with_ignoring_case(declaration, property)) return false;
  declaration = skip_style_space(declaration.substr(property.size()));
  if (declaration.empty() || declaration.front() != ':') return false;
  return starts_with_ignoring_case(skip_style_space(declaration.substr(1)), value);
}

}  // namespace

// Splits at ';' even within strings, which do not occur in the declarations tested here.
bool style_hides(std::string_view style) {
  while (!style.empty()) {
    const std::size_t end = std::min(style.find(';'), style.size());
    const std::string_view declaration = skip_style_space(style.substr(0, end));
    style.remove_prefix(std::min(end + 1, style.size()));
    if (declares(declaration, "display", "none") || declares(declaration, "visibility", "hidden")) return true;
  }
  return false;
}

}  // namespace paraprint::inline html
