// Splits a request target. Splitting comes before decoding, so an id may contain encoded slashes, and paths are never
// normalised: no segment can lead out of the table of calls.
#include "serve/target.h"

#include "text/utf8.h"

namespace paraprint::inline service {
namespace {

int hexadecimal_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Removes the part up to and including the first `separator` from `rest` and returns it without the separator.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

// Ids and URLs are stored and written as JSON, so bytes that are not UTF-8 are refused here.
Answer<std::string> decoded_part(std::string_view text, bool plus_is_space) {
  std::string decoded;
  if (!percent_decode(text, plus_is_space, decoded)) {
    return refuse(Refusal::kBadTarget, "invalid percent-encoding in the request target");
  }
  if (!is_valid_utf8(decoded)) return refuse(Refusal::kBadTarget, "the request target is not valid UTF-8");
  return decoded;
}

}  // namespace

// A plus sign means a space in the query only (the form encoding of browsers), never in the path.
bool percent_decode(std::string_view text, bool plus_is_space, std::string& decoded) {
  decoded.clear();
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const int high = i + 1 < text.size() ? hexadecimal_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hexadecimal_value(text[i + 2]) : -1;
      if (high < 0 || low < 0) return false;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return true;
}

Answer<Target> parse_target(std::string_view target) {
  if (!target.starts_with('/')) return refuse(Refusal::kBadTarget, "the request target must begin with /");
  std::string_view query = target;
  std::string_view path = take_until(query, '?').substr(1);
  // A trailing slash gives an empty last segment, so "/v1/stats/" is not "/v1/stats".
  Target parsed;
  do {
    const bool is_last = path.find('/') == std::string_view::npos;
    Answer<std::string> segment = decoded_part(take_until(path, '/'), false);
    if (!segment) return tl::unexpected<Refused>(segment.error());
    parsed.segments.push_back(std::move(*segment));
    if (is_last) break;
  } while (true);
  // "a=1&&b" has the parameters a and b; a parameter without "=" has an empty value.
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    if (value.empty()) continue;
    Answer<std::string> name = decoded_part(take_until(value, '='), true);
    if (!name) return tl::unexpected<Refused>(name.error());
    Answer<std::string> decoded = decoded_part(value, true);
    if (!decoded) return tl::unexpected<Refused>(decoded.error());
    parsed.parameters.push_back({std::move(*name), std::move(*decoded)});
  }
  return parsed;
}

}  // namespace paraprint::inline service
