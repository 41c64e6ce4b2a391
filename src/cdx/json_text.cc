// JsonWriter (report/json_writer.h) writes UTF-8 as it is; indexes have it escaped.
#include "cdx/json_text.h"

#include <fmt/format.h>

#include "text/utf8.h"

namespace paraprint::inline cdx {
namespace {

void append_unit(unsigned unit, std::string& out) {
  fmt::format_to(std::back_inserter(out), "\\u{:04x}", unit);
}

void append_escaped(char32_t code_point, std::string& out) {
  constexpr std::string_view kPlain = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  if (const std::size_t at = code_point < 0x80 ? kPlain.find(static_cast<char>(code_point)) : std::string_view::npos;
      at != std::string_view::npos) {
    out += '\\';
    out += kLetters[at];
  } else if (code_point < 0x10000) {
    append_unit(code_point, out);
  } else {
    append_unit(0xD800 + ((code_point - 0x10000) >> 10), out);
    append_unit(0xDC00 + ((code_point - 0x10000) & 0x3FF), out);
  }
}

}  // namespace

void append_json_text(std::string_view utf8, std::string& out) {
  constexpr char32_t kReplacement = 0xFFFD;
  out += '"';
  const char* end = utf8.data() + utf8.size();
  for (const char* at = utf8.data(); at < end;) {
    const DecodedCharacter character = decode_character(at, end);
    if (character.code_point >= ' ' && character.code_point <= '~' && *at != '"' && *at != '\\') {
      out += *at;
    } else {
      append_escaped(character.code_point == kInvalidCharacter ? kReplacement : character.code_point, out);
    }
    at += character.size_bytes;
  }
  out += '"';
}

}  // namespace paraprint::inline cdx
