// Encodes one character at a time with lexbor's single-character encoders. Characters that the charset lacks are
// written as numeric character references, as browsers and content management systems do, so no text is lost.
#include "lab/simulate/charset_encode.h"

#include <fmt/format.h>
#include <lexbor/encoding/encoding.h>

#include "base/assert.h"
#include "text/utf8.h"

namespace paraprint::inline lab::inline simulate {
namespace {

// Excluded: "replacement", which has no encoder; ISO-2022-JP, whose escape sequences carry state from one character to
// the next; x-user-defined, which maps bytes to private-use characters.
const lxb_encoding_data_t* find_encoding(std::string_view label) {
  const lxb_encoding_data_t* data =
      lxb_encoding_data_by_pre_name(reinterpret_cast<const lxb_char_t*>(label.data()), label.size());
  const bool is_usable = data != nullptr && data->encode_single != nullptr &&
                         data->encoding != LXB_ENCODING_REPLACEMENT && data->encoding != LXB_ENCODING_ISO_2022_JP &&
                         data->encoding != LXB_ENCODING_X_USER_DEFINED;
  return is_usable ? data : nullptr;
}

}  // namespace

bool can_encode(std::string_view label) {
  return find_encoding(label) != nullptr;
}

EncodedPage encode_page(std::string_view html, std::string_view label) {
  const lxb_encoding_data_t* data = find_encoding(label);
  PARAPRINT_ASSERT(data != nullptr);
  EncodedPage page;
  if (data->encoding == LXB_ENCODING_UTF_8) {
    page.bytes = html;
    return page;
  }
  // The byte-order mark identifies UTF-16; a <meta> that declares UTF-16 is read as UTF-8 by the HTML standard.
  if (data->encoding == LXB_ENCODING_UTF_16LE) page.bytes = "\xFF\xFE";
  if (data->encoding == LXB_ENCODING_UTF_16BE) page.bytes = "\xFE\xFF";
  lxb_encoding_encode_t context;
  // No encoder writes more than four bytes per character.
  lxb_char_t buffer[16];
  lxb_encoding_encode_init_single(&context, data);
  const auto encode = [&](lxb_codepoint_t code_point) {
    lxb_char_t* position = buffer;
    if (data->encode_single(&context, &position, buffer + sizeof buffer, code_point) < 0) return false;
    page.bytes.append(reinterpret_cast<const char*>(buffer), static_cast<std::size_t>(position - buffer));
    return true;
  };
  const char* end = html.data() + html.size();
  for (const char* p = html.data(); p < end;) {
    const DecodedCharacter c = decode_character(p, end);
    p += c.size_bytes;
    if (c.code_point == kInvalidCharacter) continue;
    page.characters += c.code_point >= 0x80 ? 1 : 0;
    if (encode(c.code_point)) continue;
    ++page.references;
    // The reference is ASCII, which every supported charset can encode.
    for (const char digit : fmt::format("&#{};", static_cast<std::uint32_t>(c.code_point))) {
      encode(static_cast<lxb_codepoint_t>(static_cast<unsigned char>(digit)));
    }
  }
  return page;
}

}  // namespace paraprint::inline lab::inline simulate
