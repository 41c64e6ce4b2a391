// A tolerant date parser: dates may end after any part, and separators and zones vary. The calendar arithmetic, and
// with it the check that a day exists, is std::chrono's.
#include "http/date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "http/header_block.h"

namespace paraprint::inline http {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes exactly `count` digits from the front.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count), is_digit)) {
    return std::nullopt;
  }
  int value = 0;
  for (const char c : text.substr(0, count)) value = value * 10 + (c - '0');
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// "Z", "+02:00", "-0230", "+02" or nothing; minutes east of Greenwich.
std::optional<int> zone_minutes(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const int sign = text.front() == '-' ? -1 : 1;
  if (!take(text, "+-")) return std::nullopt;
  const std::optional<int> hours = take_digits(text, 2);
  if (!hours) return std::nullopt;
  take(text, ":");
  const std::optional<int> minutes = text.empty() ? 0 : take_digits(text, 2);
  // Zones reach from -12 to +14.
  if (!minutes || !text.empty() || *hours > 14 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

struct Parts {
  // year, month, day, hour, minute, second
  std::array<int, 6> values = {0, 1, 1, 0, 0, 0};
  int zone = 0;
};

// ARC's form: digits only, from four to any number.
std::optional<Parts> parse_digits(std::string_view text) {
  Parts parts;
  const std::optional<int> year = take_digits(text, 4);
  if (!year) return std::nullopt;
  parts.values[0] = *year;
  for (std::size_t i = 1; i < parts.values.size() && !text.empty(); ++i) {
    const std::optional<int> value = take_digits(text, 2);
    if (!value) return std::nullopt;
    parts.values[i] = *value;
  }
  return std::all_of(text.begin(), text.end(), is_digit) ? std::optional(parts) : std::nullopt;
}

// The ISO form may end after any part. Fractions of a second are ignored.
std::optional<Parts> parse_iso(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kBefore = {"", "-", "-", "Tt ", ":", ":"};
  Parts parts;
  for (std::size_t i = 0; i < parts.values.size(); ++i) {
    if (i > 0 && (text.empty() || !take(text, kBefore[i]))) break;
    const std::optional<int> value = take_digits(text, i == 0 ? 4 : 2);
    if (!value) return std::nullopt;
    parts.values[i] = *value;
  }
  if (take(text, ".,")) {
    while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  }
  while (take(text, " ")) {
  }
  const std::optional<int> zone = zone_minutes(text);
  if (!zone) return std::nullopt;
  parts.zone = *zone;
  return parts;
}

}  // namespace

std::optional<std::string> normalise_date(std::string_view text) {
  text = trim(text);
  constexpr std::size_t kMaxDateBytes = 40;  // longer than any date in any of the forms
  if (text.size() > kMaxDateBytes) return std::nullopt;
  const bool only_digits = std::all_of(text.begin(), text.end(), is_digit);
  const std::optional<Parts> parts = only_digits ? parse_digits(text) : parse_iso(text);
  if (!parts) return std::nullopt;
  const auto [year, month, day, hour, minute, second] = parts->values;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  // Leap seconds are valid, but std::chrono has none: they become the second before.
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const std::chrono::sys_seconds moment = std::chrono::sys_days(date) + std::chrono::hours(hour) +
                                          std::chrono::minutes(minute - parts->zone) +
                                          std::chrono::seconds(std::min(second, 59));
  const auto day_part = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day utc{day_part};
  const std::chrono::hh_mm_ss time{moment - day_part};
  // A zone can move the first and the last year to one that has no four-digit form.
  constexpr int kYearMaximum = 9999;
  if (static_cast<int>(utc.year()) < 0 || static_cast<int>(utc.year()) > kYearMaximum) return std::nullopt;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(utc.year()),
                     static_cast<unsigned>(utc.month()), static_cast<unsigned>(utc.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

}  // namespace paraprint::inline http
