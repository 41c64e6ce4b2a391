// http/date.h says what is a date of WARC files. The dates of ARC files are never refused.
#include "cdx/cdx_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cdx/surt_text.h"
#include "http/date.h"

namespace paraprint::inline cdx {
namespace {

// The digits from `at` on as a number between the two; `maximum` if there are not `count` digits.
int part(std::string_view digits, std::size_t at, std::size_t count, int minimum, int maximum) {
  if (digits.size() < at + count) return maximum;
  int value = 0;
  for (const char c : digits.substr(at, count)) value = value * 10 + (c - '0');
  return std::clamp(value, minimum, maximum);
}

int days_of(int year, int month) {
  const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (month == 2) return is_leap ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

}  // namespace

std::string cdx_timestamp(std::string_view warc_date) {
  const std::optional<std::string> date = normalise_date(warc_date);
  if (!date) return "";
  std::string digits;
  for (const char c : *date) {
    if (is_ascii_digit(c)) digits += c;
  }
  return digits;
}

// The date is the last word of digits behind an address of the internet.
std::string arc_timestamp(std::string_view header_line) {
  constexpr std::size_t kDigitsMinimum = 12;
  std::string_view date;
  std::string_view before;
  for (std::size_t begin = 0; begin < header_line.size();) {
    const std::size_t end = std::min(header_line.find(' ', begin), header_line.size());
    const std::string_view word = header_line.substr(begin, end - begin);
    if (word.size() >= kDigitsMinimum && std::all_of(word.begin(), word.end(), is_ascii_digit) &&
        before.find_first_of(".:") != std::string_view::npos) {
      date = word;
    }
    if (!word.empty()) before = word;
    begin = end + 1;
  }
  if (date.empty()) return "";
  const int year = part(date, 0, 4, 1900, 2999);
  const int month = part(date, 4, 2, 1, 12);
  return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}", year, month, part(date, 6, 2, 1, days_of(year, month)),
                     part(date, 8, 2, 0, 23), part(date, 10, 2, 0, 59), part(date, 12, 2, 0, 59));
}

}  // namespace paraprint::inline cdx
