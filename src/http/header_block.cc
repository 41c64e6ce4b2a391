// A lenient header parser shared by WARC and HTTP. Unparsable lines are counted and dropped instead of rejecting the
// block: real servers send them, and the fields that matter here are usually intact.
#include "http/header_block.h"

#include <charconv>

namespace paraprint::inline http {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Removes the first line from `text` and returns it without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  while (line.ends_with('\r')) line.remove_suffix(1);  // text-mode output turns CR LF into CR CR LF
  return line;
}

}  // namespace

const std::string* HeaderBlock::find(std::string_view name) const {
  for (const auto& [field, value] : fields) {
    if (equals_ignoring_case(field, name)) return &value;
  }
  return nullptr;
}

std::size_t header_block_bytes(std::string_view bytes) {
  std::size_t at = 0;
  while (true) {
    const std::size_t end = bytes.find('\n', at);
    if (end == std::string_view::npos) return std::string_view::npos;
    const std::string_view line = bytes.substr(at, end - at);
    if (line.find_first_not_of('\r') == std::string_view::npos) return end + 1;
    at = end + 1;
  }
}

HeaderBlock parse_header_block(std::string_view block, bool has_first_line) {
  HeaderBlock result;
  if (has_first_line) result.first_line = std::string(take_line(block));
  while (!block.empty()) {
    const std::string_view line = take_line(block);
    if (line.empty()) break;
    // Obsolete line folding (RFC 9112, 5.2): the line continues the previous value.
    if ((line.front() == ' ' || line.front() == '\t') && !result.fields.empty()) {
      std::string& value = result.fields.back().second;
      const std::string_view more = trim(line);
      if (!value.empty() && !more.empty()) value += ' ';
      value += more;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      ++result.unreadable_lines;
      continue;
    }
    result.fields.emplace_back(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  return result;
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::optional<std::uint64_t> parse_number(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

std::optional<int> parse_status_line(std::string_view line) {
  if (!line.starts_with("HTTP/")) return std::nullopt;
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trim(line.substr(space));
  const std::optional<std::uint64_t> status = parse_number(rest.substr(0, rest.find(' ')));
  if (!status || *status < 100 || *status > 999) return std::nullopt;
  return static_cast<int>(*status);
}

// A comma ends the type too: joined duplicate headers look like "text/html, text/html".
std::string media_type(std::string_view content_type) {
  return to_lower(trim(content_type.substr(0, content_type.find_first_of(";,"))));
}

}  // namespace paraprint::inline http
