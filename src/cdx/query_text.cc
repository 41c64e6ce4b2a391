// Runs of ASCII are unescaped and decoded one by one, so that an escaped byte does not join a character behind it.
#include "cdx/query_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cdx/surt_text.h"
#include "text/utf8.h"

namespace paraprint::inline cdx {
namespace {

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

// -1 for what is not a hexadecimal digit.
int digit_value(char c) {
  if (is_ascii_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string unquote_run(std::string_view run) {
  std::string bytes;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const bool is_escape =
        run[i] == '%' && i + 2 < run.size() && digit_value(run[i + 1]) >= 0 && digit_value(run[i + 2]) >= 0;
    if (is_escape) {
      bytes += static_cast<char>(digit_value(run[i + 1]) * 16 + digit_value(run[i + 2]));
      i += 2;
    } else {
      bytes += run[i] == '+' ? ' ' : run[i];
    }
  }
  return bytes;
}

// How many of the bytes at `at`, which are not UTF-8, could begin a character: they are replaced together
// (Unicode, 3.9, "maximal subparts").
std::size_t broken_bytes(const char* at, const char* end) {
  const auto byte = [&](int i) { return static_cast<unsigned char>(at[i]); };
  const unsigned lead = byte(0);
  const std::ptrdiff_t wanted = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : 1;
  if (wanted == 1 || end - at < 2) return 1;
  const unsigned lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < lowest || byte(1) > highest) return 1;
  const bool has_third = wanted == 4 && end - at > 2 && (byte(2) & 0xC0U) == 0x80U;
  return has_third ? 3 : 2;
}

void append_replacing(std::string_view bytes, std::string& out) {
  constexpr char32_t kReplacement = 0xFFFD;
  const char* const end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end;) {
    const DecodedCharacter character = decode_character(at, end);
    const bool is_valid = character.code_point != kInvalidCharacter;
    append_character(is_valid ? character.code_point : kReplacement, out);
    at += is_valid ? character.size_bytes : broken_bytes(at, end);
  }
}

}  // namespace

void append_quoted(std::string_view bytes, std::string& out) {
  constexpr std::string_view kKept = "_.-~";
  for (const char c : bytes) {
    if (is_ascii_letter(c) || is_ascii_digit(c) || kKept.find(c) != std::string_view::npos) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

std::string unquote_plus(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_ascii);
    const auto length = static_cast<std::size_t>(end - text.begin());
    append_replacing(unquote_run(text.substr(0, length)), result);
    text.remove_prefix(length);
    const auto next = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_ascii) - text.begin());
    result.append(text.substr(0, next));
    text.remove_prefix(next);
  }
  return result;
}

}  // namespace paraprint::inline cdx
