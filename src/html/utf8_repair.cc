// Like append_sanitised() (text/utf8.h), but counts multi-byte characters, too. Copies whole valid runs.
#include "html/utf8_repair.h"

#include "text/utf8.h"

namespace paraprint::inline html {

Utf8Repair repair_utf8(std::string_view bytes, std::string* out) {
  Utf8Repair repair;
  const char* const end = bytes.data() + bytes.size();
  const char* position = bytes.data();
  const char* valid_begin = position;  // start of the run not yet copied
  while (position != end) {
    const DecodedCharacter character = decode_character(position, end);
    if (character.code_point == kInvalidCharacter) {
      ++repair.dropped_bytes;
      if (out != nullptr) out->append(valid_begin, static_cast<std::size_t>(position - valid_begin));
      valid_begin = position + character.size_bytes;
    } else if (character.size_bytes > 1) {
      ++repair.multibyte_characters;
    }
    position += character.size_bytes;
  }
  if (out != nullptr) out->append(valid_begin, static_cast<std::size_t>(end - valid_begin));
  return repair;
}

}  // namespace paraprint::inline html
