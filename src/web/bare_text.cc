// The address is removed in all forms in which servers repeat it, the longest first, since shorter ones are part of it.
#include "web/bare_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "base/hash.h"
#include "web/linear_search.h"

namespace paraprint::inline web {
namespace {

// Without its slash, a shorter path would be removed from words.
constexpr std::size_t kNameBytesMinimum = 4;

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* const digits = text.data() + i + 1;
    const bool has_digits = text[i] == '%' && text.size() - i > 2;
    if (has_digits && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      decoded += static_cast<char>(value);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

void erase_all(std::string& text, std::string_view part) {
  std::size_t at = find_in_linear_time(text, part);
  if (at == std::string::npos) return;
  std::string kept;
  std::size_t begin = 0;
  for (; at != std::string::npos; at = find_in_linear_time(text, part, begin)) {
    kept.append(text, begin, at - begin);
    begin = at + part.size();
  }
  kept.append(text, begin);
  text = std::move(kept);
}

bool is_space(char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

// Bytes of other scripts than ASCII count as letters.
bool is_content(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  const unsigned letter = value | 0x20U;
  return value >= 0x80 || (value >= '0' && value <= '9') || (letter >= 'a' && letter <= 'z');
}

}  // namespace

std::uint64_t bare_text_hash(std::string_view text, std::string_view url) {
  std::string bare(text);
  const std::size_t host = std::min(url.find("://") + 3, url.size());
  const std::size_t path = std::min(url.find('/', host), url.size());
  const std::string_view target = url.substr(path);
  for (const std::string_view form :
       {url, url.substr(host), target, target.substr(std::min<std::size_t>(1, target.size()))}) {
    const bool has_slash = form.find('/') < form.size() && form.size() > 1;
    if (!has_slash && form.size() < kNameBytesMinimum) continue;
    const std::string decoded = percent_decoded(form);
    erase_all(bare, form);
    if (!decoded.empty() && decoded != form) erase_all(bare, decoded);
  }
  std::erase_if(bare, is_space);
  return std::any_of(bare.begin(), bare.end(), is_content) ? hash64(bare) : 0;
}

}  // namespace paraprint::inline web
