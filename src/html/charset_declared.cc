// <meta> is found by lexbor's implementation of the standard's prescan. Content-Type headers and XML declarations are
// parsed leniently, because both are often malformed.
#include "html/charset_declared.h"

#include <lexbor/html/encoding.h>

#include <algorithm>
#include <cctype>

namespace paraprint::inline html {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f";

// Finds `lower_key` in `text`, ignoring case, at or after `offset`.
std::size_t find_ignoring_case(std::string_view text, std::string_view lower_key, std::size_t offset) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), text.end(),
                                 lower_key.begin(), lower_key.end(), same);
  return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

// The value after `lower_key` and '=' in `text`: quoted, or up to white space, ';', '>' or ','. Occurrences of the key
// without '=' are skipped.
std::string_view value_after(std::string_view text, std::string_view lower_key) {
  for (std::size_t at = find_ignoring_case(text, lower_key, 0); at != std::string_view::npos;
       at = find_ignoring_case(text, lower_key, at + 1)) {
    std::string_view rest = text.substr(at + lower_key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
    if (rest.starts_with('"') || rest.starts_with('\'')) {
      const std::size_t end = rest.find(rest.front(), 1);
      return end == std::string_view::npos ? rest.substr(1) : rest.substr(1, end - 1);
    }
    return rest.substr(0, rest.find_first_of(" \t\r\n\f;>,"));
  }
  return {};
}

// Replaces charsets in which the declaration could not have been read as ASCII, following the standard.
Charset ascii_compatible(Charset charset) {
  switch (charset) {
    case LXB_ENCODING_UTF_16BE:
    case LXB_ENCODING_UTF_16LE:
    case kCharsetUtf32Be:
    case kCharsetUtf32Le:
      return LXB_ENCODING_UTF_8;
    case LXB_ENCODING_X_USER_DEFINED:
      return LXB_ENCODING_WINDOWS_1252;
    default:
      return charset;
  }
}

// Unknown labels are skipped, so a later valid <meta> counts. Out of memory is treated as no declaration.
Charset charset_of_meta(std::string_view head) {
  lxb_html_encoding_t scan;
  Charset charset = kCharsetUnknown;
  if (lxb_html_encoding_init(&scan) == LXB_STATUS_OK) {
    const auto* begin = reinterpret_cast<const lxb_char_t*>(head.data());
    if (lxb_html_encoding_determine(&scan, begin, begin + head.size()) == LXB_STATUS_OK) {
      for (std::size_t i = 0; i < lxb_html_encoding_meta_length(&scan) && charset == kCharsetUnknown; ++i) {
        const lxb_html_encoding_entry_t* entry = lxb_html_encoding_meta_entry(&scan, i);
        const auto size = static_cast<std::size_t>(entry->end - entry->name);
        charset = charset_of_label({reinterpret_cast<const char*>(entry->name), size});
      }
    }
  }
  lxb_html_encoding_destroy(&scan, false);
  return charset;
}

Charset charset_of_xml_declaration(std::string_view head) {
  if (!head.starts_with("<?xml")) return kCharsetUnknown;
  return charset_of_label(value_after(head.substr(0, head.find("?>")), "encoding"));
}

}  // namespace

ByteOrderMark find_byte_order_mark(std::string_view body) {
  using namespace std::string_view_literals;
  if (body.starts_with("\xEF\xBB\xBF"sv)) return {LXB_ENCODING_UTF_8, 3};
  // The longer marks first: the UTF-32LE mark begins with the UTF-16LE mark.
  if (body.starts_with("\xFF\xFE\0\0"sv)) return {kCharsetUtf32Le, 4};
  if (body.starts_with("\0\0\xFE\xFF"sv)) return {kCharsetUtf32Be, 4};
  if (body.starts_with("\xFF\xFE"sv)) return {LXB_ENCODING_UTF_16LE, 2};
  if (body.starts_with("\xFE\xFF"sv)) return {LXB_ENCODING_UTF_16BE, 2};
  return {};
}

Charset charset_of_content_type(std::string_view content_type) {
  return charset_of_label(value_after(content_type, "charset"));
}

Charset charset_of_markup(std::string_view body) {
  const std::string_view head = body.substr(0, kPrescanBytes);
  Charset charset = charset_of_meta(head);
  if (charset == kCharsetUnknown) charset = charset_of_xml_declaration(head);
  return ascii_compatible(charset);
}

}  // namespace paraprint::inline html
