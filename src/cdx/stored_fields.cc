// The same reading as in warcio 1.8, which cdxj-indexer and pywb use.
#include "cdx/stored_fields.h"

#include <algorithm>

#include "cdx/surt_text.h"
#include "http/header_block.h"
#include "text/utf8.h"

namespace paraprint::inline cdx {
namespace {

constexpr std::string_view kWhiteSpace = " \t\n\r\v\f";

// Takes the next line, decoded, without white space at its end.
std::string take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  line = line.substr(0, line.find_last_not_of(kWhiteSpace) + 1);  // npos + 1 is 0
  return is_valid_utf8(line) ? std::string(line) : from_latin_1(line);
}

}  // namespace

std::string from_latin_1(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) append_character(static_cast<unsigned char>(c), text);
  return text;
}

const std::string* StoredFields::find(std::string_view lower_name) const {
  for (const auto& [name, value] : fields) {
    if (equals_lower_ascii(name, lower_name)) return &value;
  }
  return nullptr;
}

StoredFields read_stored_fields(std::string_view bytes) {
  StoredFields found;
  std::string_view rest = bytes;
  found.first_line = take_line(rest);
  bool is_value = false;  // whether a line that starts with white space continues a value
  bool may_continue = false;
  while (!found.first_line.empty() && !rest.empty()) {
    const std::string line = take_line(rest);
    if (line.empty()) break;
    if (bytes.size() - rest.size() > kParsedHeaderBytesMaximum) continue;  // only its end is looked for
    if (may_continue && (line.front() == ' ' || line.front() == '\t')) {
      if (is_value) found.fields.back().second += line;
      continue;
    }
    const std::size_t colon = line.find(':');
    is_value = colon != std::string::npos;
    may_continue = true;
    if (!is_value) continue;
    const std::size_t value = std::min(line.find_first_not_of(kWhiteSpace, colon + 1), line.size());
    const std::string_view name = std::string_view(line).substr(0, colon);
    found.fields.emplace_back(name.substr(0, name.find_last_not_of(" \t") + 1), line.substr(value));
  }
  found.size_bytes = bytes.size() - rest.size();
  return found;
}

}  // namespace paraprint::inline cdx
