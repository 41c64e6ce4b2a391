// The text is first folded to one byte per character: letters in lower case, 年 月 日 and full-width digits to signs of
// their own, so that one small scanner reads both languages. Nothing here backtracks further than a date is long.
#include "corpus/written_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "text/utf8.h"

namespace paraprint::inline corpus {
namespace {

constexpr int kYearMinimum = 1990;
constexpr int kYearMaximum = 2100;

// Signs of folded text for characters outside ASCII.
constexpr char kYearSign = '\x11';
constexpr char kMonthSign = '\x12';
constexpr char kDaySign = '\x13';
constexpr char kOtherSign = '\x14';

char folded(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : static_cast<char>(c);
  if (c >= 0xFF10 && c <= 0xFF19) return static_cast<char>('0' + (c - 0xFF10));  // ０ to ９
  switch (c) {
    case U'年':
      return kYearSign;
    case U'月':
      return kMonthSign;
    case U'日':
    case U'号':
    case U'號':
      return kDaySign;
    case 0xA0:
    case 0x3000:
      return ' ';
    case U'：':
      return ':';
    case U'／':
      return '/';
    case U'－':
    case 0x2010:
    case 0x2011:
    case 0x2013:
      return '-';
    default:
      return kOtherSign;
  }
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};

// By a full name or its first three letters, "sept" included; 0 if it is none.
int month_of(std::string_view word) {
  if (word.size() < 3) return 0;
  if (word == "sept") return 9;
  for (std::size_t month = 0; month < kMonths.size(); ++month) {
    if (word == kMonths[month] || word == kMonths[month].substr(0, 3)) return static_cast<int>(month) + 1;
  }
  return 0;
}

int days_of(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap ? 1 : 0);
}

bool exists(int year, int month, int day) {
  return year >= kYearMinimum && year <= kYearMaximum && month >= 1 && month <= 12 && day >= 1 &&
         day <= days_of(year, month);
}

struct Number {
  int value = 0;
  int digits = 0;  // 0: none
};

// Reads parts of dates from a place on; all of them leave the place where it is if they fail.
class DateScanner {
 public:
  explicit DateScanner(std::string_view folded_text) : text_(folded_text) {}

  // The date that begins at `begin`, and where it ends.
  std::optional<WrittenDate> date_at(std::size_t begin, std::size_t& end) {
    at_ = begin;
    std::optional<WrittenDate> date;
    if (is_letter(text_[begin])) {
      date = after_month_name();
    } else {
      const Number first = number();
      if (first.digits == 4) {
        date = after_year(first.value);
      } else if (first.digits == 1 || first.digits == 2) {
        date = after_short_number(first);
      }
    }
    if (!date || !exists(date->year, date->month, date->day)) return std::nullopt;
    // More digits make it another number, or a version.
    const std::size_t next = at_ < text_.size() && text_[at_] == '.' ? at_ + 1 : at_;
    const bool is_ended = text_[at_ - 1] == kDaySign;
    if (!is_ended && next < text_.size() && is_digit(text_[next])) return std::nullopt;
    end = at_;
    return date;
  }

  // Whether a time of day stands within a few signs behind `end` or before `begin`.
  bool has_time_beside(std::size_t begin, std::size_t end) const {
    constexpr std::size_t kGapMaximum = 14;
    constexpr std::size_t kBeforeMaximum = 16;
    const std::size_t limit = std::min(text_.size(), end + kGapMaximum);
    for (std::size_t i = end; i < limit; ++i) {
      if (is_digit(text_[i])) return is_time_at(i);
    }
    for (std::size_t i = begin > kBeforeMaximum ? begin - kBeforeMaximum : 0; i < begin; ++i) {
      if (is_time_at(i)) return true;
    }
    return false;
  }

 private:
  bool is_time_at(std::size_t i) const {
    const std::size_t colon = text_.find_first_not_of("0123456789", i);
    return colon != std::string_view::npos && colon > i && colon <= i + 2 && text_[colon] == ':' &&
           colon + 2 < text_.size() && is_digit(text_[colon + 1]) && is_digit(text_[colon + 2]);
  }

  void skip_spaces() {
    constexpr std::size_t kSpacesMaximum = 3;
    for (std::size_t n = 0; n < kSpacesMaximum && at_ < text_.size(); ++n) {
      if (text_[at_] != ' ' && text_[at_] != '\n' && text_[at_] != '\t' && text_[at_] != '\r') return;
      ++at_;
    }
  }
  bool skip(char sign) {
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }
  Number number() {
    constexpr int kDigitsMaximum = 5;
    Number result;
    while (at_ < text_.size() && is_digit(text_[at_]) && result.digits < kDigitsMaximum) {
      result.value = result.value * 10 + (text_[at_++] - '0');
      ++result.digits;
    }
    return result;
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void skip_ordinal() {
    const std::string_view next = text_.substr(at_, 2);
    const bool is_ordinal = next == "st" || next == "nd" || next == "rd" || next == "th";
    if (is_ordinal && (at_ + 2 == text_.size() || !is_letter(text_[at_ + 2]))) at_ += 2;
  }
  std::optional<int> year() {
    const Number read = number();
    if (read.digits != 4) return std::nullopt;
    return read.value;
  }
  std::optional<int> day_or_month() {
    const Number read = number();
    if (read.digits != 1 && read.digits != 2) return std::nullopt;
    return read.value;
  }

  static WrittenDate made_of(int year, int month, int day) {
    WrittenDate date;
    date.year = year;
    date.month = month;
    date.day = day;
    return date;
  }

  // "January 7th, 2008", "Jan. 7 2008".
  std::optional<WrittenDate> after_month_name() {
    const int month = month_of(word());
    if (month == 0) return std::nullopt;
    skip('.');
    skip_spaces();
    const std::optional<int> day = day_or_month();
    if (!day) return std::nullopt;
    skip_ordinal();
    skip(',');
    skip_spaces();
    const std::optional<int> written_year = year();
    if (!written_year) return std::nullopt;
    return made_of(*written_year, month, *day);
  }

  // "2008-01-07", "2008年 1月 7日", "2008 Jan 7".
  std::optional<WrittenDate> after_year(int written_year) {
    skip_spaces();
    if (at_ < text_.size() && is_letter(text_[at_])) {
      const int month = month_of(word());
      skip_spaces();
      const std::optional<int> day = month == 0 ? std::nullopt : day_or_month();
      if (!day) return std::nullopt;
      return made_of(written_year, month, *day);
    }
    if (at_ == text_.size()) return std::nullopt;
    const char separator = text_[at_++];
    const bool is_chinese = separator == kYearSign;
    if (!is_chinese && separator != '-' && separator != '/' && separator != '.') return std::nullopt;
    skip_spaces();
    const std::optional<int> month = day_or_month();
    skip_spaces();
    if (!month || !skip(is_chinese ? kMonthSign : separator)) return std::nullopt;
    skip_spaces();
    const std::optional<int> day = day_or_month();
    if (!day) return std::nullopt;
    if (is_chinese) skip(kDaySign);
    return made_of(written_year, *month, *day);
  }

  // "7 January 2008", "7th of January, 2008", "1/7/2008", "7.1.2008", "1/7/08".
  std::optional<WrittenDate> after_short_number(const Number& first) {
    if (at_ < text_.size() && (text_[at_] == '/' || text_[at_] == '-' || text_[at_] == '.')) {
      return after_number_and_separator(first.value);
    }
    skip_ordinal();
    skip_spaces();
    std::string_view name = word();
    if (name == "of") {
      skip_spaces();
      name = word();
    }
    const int month = month_of(name);
    if (month == 0) return std::nullopt;
    skip('.');
    skip(',');
    skip_spaces();
    const Number written_year = number();
    // "7 Jan 08 10:25": without a time, two digits may be anything.
    const bool is_short_year =
        written_year.digits == 2 && at_ < text_.size() && text_[at_] == ' ' && is_time_at(at_ + 1);
    if (written_year.digits != 4 && !is_short_year) return std::nullopt;
    return made_of(is_short_year ? 2000 + written_year.value : written_year.value, month, first.value);
  }

  std::optional<WrittenDate> after_number_and_separator(int first) {
    const char separator = text_[at_++];
    const std::optional<int> second = day_or_month();
    if (!second || !skip(separator)) return std::nullopt;
    const Number third = number();
    // With two digits and points or hyphens it may as well be a version, or begin with the year.
    const bool is_short_year = third.digits == 2 && separator == '/';
    if (third.digits != 4 && !is_short_year) return std::nullopt;
    const int written_year = is_short_year ? third.value + (third.value < 90 ? 2000 : 1900) : third.value;
    const bool is_day_first = separator == '.' || first > 12;
    WrittenDate date = is_day_first ? made_of(written_year, *second, first) : made_of(written_year, first, *second);
    if (separator != '.' && first != *second) {
      date.order = first > 12 ? DayOrder::kDayFirst : *second > 12 ? DayOrder::kMonthFirst : DayOrder::kEither;
    }
    return date;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

struct FoldedText {
  std::string signs;                 // one per character
  std::vector<std::uint32_t> begin;  // of each character in the text, and the text's size
};

FoldedText fold(std::string_view text) {
  FoldedText result;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const DecodedCharacter character = decode_character(at, end);
    result.begin.push_back(static_cast<std::uint32_t>(at - text.data()));
    result.signs.push_back(folded(character.code_point));
    at += character.size_bytes;
  }
  result.begin.push_back(static_cast<std::uint32_t>(text.size()));
  return result;
}

}  // namespace

std::string WrittenDate::iso() const {
  return fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

WrittenDate WrittenDate::exchanged() const {
  WrittenDate other = *this;
  std::swap(other.month, other.day);
  return other;
}

void find_written_dates(std::string_view text, std::vector<WrittenDate>& dates) {
  const FoldedText folded_text = fold(text);
  const std::string& signs = folded_text.signs;
  DateScanner scanner(signs);
  for (std::size_t begin = 0; begin < signs.size();) {
    const bool starts_number = is_digit(signs[begin]);
    const bool starts_word = is_letter(signs[begin]);
    std::size_t end = begin + 1;
    if (starts_number || starts_word) {
      if (std::optional<WrittenDate> date = scanner.date_at(begin, end)) {
        date->begin_bytes = folded_text.begin[begin];
        date->end_bytes = folded_text.begin[end];
        date->has_time = scanner.has_time_beside(begin, end);
        dates.push_back(*date);
      } else {
        // A date begins with a whole number or word.
        while (end < signs.size() && (starts_number ? is_digit(signs[end]) : is_letter(signs[end]))) ++end;
      }
    }
    begin = end;
  }
}

std::string date_in_address(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t slash = scheme == std::string_view::npos ? std::string_view::npos : url.find('/', scheme + 3);
  if (slash == std::string_view::npos) return {};
  const std::string_view path = url.substr(slash, std::min(url.find_first_of("?#"), url.size()) - slash);
  std::string found;
  for (std::size_t begin = 1; begin < path.size(); ++begin) {
    const bool is_start = is_digit(path[begin]) && !is_digit(path[begin - 1]);
    if (!is_start) continue;
    // Digits, with single separators after the year and the month or none.
    std::string digits;
    std::size_t at = begin;
    for (; at < path.size() && digits.size() < 9; ++at) {
      if (is_digit(path[at])) {
        digits += path[at];
      } else if ((digits.size() != 4 && digits.size() != 6) || (path[at] != '/' && path[at] != '-') ||
                 !is_digit(path[at - 1])) {
        break;
      }
    }
    if (digits.size() != 8) continue;
    const auto value = [&](std::size_t from, std::size_t count) { return std::stoi(digits.substr(from, count)); };
    const int year = value(0, 4);
    const int month = value(4, 2);
    const int day = value(6, 2);
    if (!exists(year, month, day)) continue;
    const std::string date = fmt::format("{:04}-{:02}-{:02}", year, month, day);
    if (!found.empty() && found != date) return {};
    found = date;
  }
  return found;
}

}  // namespace paraprint::inline corpus
