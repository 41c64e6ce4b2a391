// Fuzzes the keys of indexes: a key is the address itself or ASCII, without spaces and control characters, and not
// longer than escaping makes it. A name as a field of an index is the same again when it is read. Undoing escapes ends,
// and reverses escaping.
#include "cdx/surt.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cdx/surt_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view url(reinterpret_cast<const char*>(data), size);
  const std::string key = paraprint::surt_key(url);
  if (key.empty() || key != paraprint::surt_key(url)) std::abort();
  // Escapes have three bytes, and a host of IDNA is longer than its UTF-8 by no more than the limit of labels.
  if (key.size() > 3 * size + paraprint::kInternationalHostBytesMaximum + 64) std::abort();
  const auto is_break = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; };
  if (std::any_of(key.begin(), key.end(), is_break)) std::abort();
  const std::string field = paraprint::field_of_name(url);
  if (std::any_of(field.begin(), field.end(), is_break) || paraprint::name_of_field(field) != url) std::abort();
  const bool is_its_own = key == paraprint::escape_breaks(url);
  const auto is_plain = [](char c) { return c > ' ' && c <= '~' && c != '#'; };
  if (!is_its_own && !std::all_of(key.begin(), key.end(), is_plain)) std::abort();
  const std::string plain = paraprint::unescape_repeatedly(url);
  if (plain.size() > size || paraprint::unescape_repeatedly(plain) != plain) std::abort();
  if (paraprint::unescape_repeatedly(paraprint::escape_once(plain)) != plain) std::abort();
  return 0;
}
