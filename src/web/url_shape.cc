// Shapes only group addresses for counting: two pages of one shape are never treated as the same page, so a shape that
// is too coarse or too fine merely makes a trap noticed later or a section given up earlier.
#include "web/url_shape.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace paraprint::inline web {
namespace {

// Shorter runs of letters and digits are usually words with a number ("page2", "mp3").
constexpr std::size_t kIdentifierCharacters = 8;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Four cases: a word stays, a number becomes '#', an identifier becomes '*', and in anything else ("page12") only the
// digits are replaced.
void append_run(std::string& out, std::string_view run) {
  const bool has_digit = std::any_of(run.begin(), run.end(), is_digit);
  const bool has_letter = !std::all_of(run.begin(), run.end(), is_digit);
  if (!has_digit) {
    out += run;
  } else if (!has_letter) {
    out += '#';
  } else if (run.size() >= kIdentifierCharacters &&
             (std::all_of(run.begin(), run.end(), is_hexadecimal) ||
              2 * std::count_if(run.begin(), run.end(), is_digit) >= static_cast<std::ptrdiff_t>(run.size()) / 2)) {
    out += '*';
  } else {
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (!is_digit(run[i])) {
        out += run[i];
      } else if (i == 0 || !is_digit(run[i - 1])) {
        out += '#';
      }
    }
  }
}

void append_shape(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) {
      append_run(out, text.substr(i, end - i));
      i = end;
    } else {
      out += text[i++];
    }
  }
}

// Each segment with its leading slash.
std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    segments.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return segments;
}

// Equal segments have equal numbers.
std::vector<std::uint32_t> numbered(const std::vector<std::string_view>& segments) {
  std::vector<std::string_view> distinct = segments;
  std::sort(distinct.begin(), distinct.end());
  std::vector<std::uint32_t> numbers;
  numbers.reserve(segments.size());
  for (const std::string_view segment : segments) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), segment);
    numbers.push_back(static_cast<std::uint32_t>(place - distinct.begin()));
  }
  return numbers;
}

}  // namespace

// Scheme and port are left out: a site reachable over http and https has one shape. Values of parameters are dropped,
// their names kept.
std::string url_shape(const Url& url) {
  const std::string_view target = url.target;
  const std::size_t question = target.find('?');
  std::string shape = url.host;
  append_shape(shape, target.substr(0, question));
  if (question == std::string_view::npos) return shape;
  std::string_view query = target.substr(question + 1);
  char separator = '?';
  while (true) {
    const std::size_t end = query.find('&');
    shape += separator;
    append_shape(shape, query.substr(0, std::min(end, query.find('='))));
    separator = '&';
    if (end == std::string_view::npos) return shape;
    query.remove_prefix(end + 1);
  }
}

// A run of repetitions of `length` segments is a run of positions whose segment equals the one `length` before. It has
// at least `length` of them if there are two repetitions, so it includes a multiple of `length`, and only these
// positions are looked at: n log n of them, and few lead to a comparison of more. Numbers replace the segments, because
// each is compared many times.
std::size_t repeated_path_segments(const Url& url) {
  const std::string_view target = url.target;
  const std::vector<std::uint32_t> segments = numbered(segments_of(target.substr(0, target.find('?'))));
  const std::size_t count = segments.size();
  std::size_t most = 1;
  // Longer runs of segments cannot be repeated more often any more.
  for (std::size_t length = 1; (most + 1) * length <= count; ++length) {
    const auto is_repeated = [&](std::size_t i) { return segments[i] == segments[i - length]; };
    for (std::size_t i = length; i < count; i += length) {
      if (!is_repeated(i)) continue;
      std::size_t begin = i;
      while (begin > length && is_repeated(begin - 1)) --begin;
      std::size_t end = i + 1;
      while (end < count && is_repeated(end)) ++end;
      most = std::max(most, (end - begin) / length + 1);
      i += (end - i - 1) / length * length;  // the last multiple within this run
    }
  }
  return most;
}

}  // namespace paraprint::inline web
