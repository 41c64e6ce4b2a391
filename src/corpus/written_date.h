// Dates as people write them in English and Chinese: "Jan 7th, 2008", "7 January 2008", "2008年1月7日", "2008-01-07",
// "1/7/2008".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::inline corpus {

// Which of two numbers is the day.
enum class DayOrder : std::uint8_t {
  kByForm,      // "2008-01-07", "7.1.2008", or the month has a name
  kMonthFirst,  // "5/30/2024"
  kDayFirst,    // "30/5/2024"
  kEither,      // "8/5/2024"; read as month and day
};

struct WrittenDate {
  std::size_t begin_bytes = 0;  // of the text that was searched
  std::size_t end_bytes = 0;
  int year = 0;
  int month = 0;
  int day = 0;
  DayOrder order = DayOrder::kByForm;
  bool has_time = false;  // a time of day stands beside it

  std::string iso() const;  // "2008-01-07"
  // The same with day and month exchanged. Only of one whose order is kEither.
  WrittenDate exchanged() const;
};

// Appends the dates of the text, in order. A date has a year from 1990 to 2100, a month and a day that exists in it.
// Full-width digits count as digits. Cost: O(size).
void find_written_dates(std::string_view text, std::vector<WrittenDate>& dates);

// The date in the path of an address, such as "/2008/01/07/", "/2008-01/07/" or "/20080107/", as "2008-01-07". Empty if
// there is none or there are several.
std::string date_in_address(std::string_view url);

}  // namespace paraprint::inline corpus
