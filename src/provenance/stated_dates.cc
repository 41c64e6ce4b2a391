// Sites of different time zones state different days for one moment, and copies often keep the date of the original, so
// only a difference of a day counts in full, and equal dates say nothing.
#include "provenance/stated_dates.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

namespace paraprint::inline provenance {
namespace {

constexpr std::int64_t kHourSeconds = 3600;
constexpr std::int64_t kDaySeconds = 24 * kHourSeconds;
constexpr std::int64_t kWebBeginSeconds = 681436800;  // 6 August 1991, when the first page was announced

// Log odds of a difference of days, by the place of the less certain date (docs/provenance.md#dates).
double place_weight(DatePlace place) {
  switch (place) {
    case DatePlace::kJsonLd:
    case DatePlace::kOpenGraph:
    case DatePlace::kMeta:
    case DatePlace::kMarkup:
      return 5;
    case DatePlace::kAddress:
    case DatePlace::kTime:
      return 4.5;
    case DatePlace::kText:
      return 4;
    case DatePlace::kNone:
      break;
  }
  return 0;
}

std::optional<int> number_at(std::string_view text, std::size_t begin, std::size_t size) {
  int number = 0;
  if (text.size() < begin + size) return std::nullopt;
  const char* const end = text.data() + begin + size;
  const auto [read_end, error] = std::from_chars(text.data() + begin, end, number);
  return error == std::errc() && read_end == end ? std::optional<int>(number) : std::nullopt;
}

// Of "2024-05-01" or "2024-05-01T10:00:00Z".
std::optional<std::int64_t> seconds_of(std::string_view date) {
  const std::optional<int> year = number_at(date, 0, 4);
  const std::optional<int> month = number_at(date, 5, 2);
  const std::optional<int> day = number_at(date, 8, 2);
  if (!year || !month || !day || *month < 1 || *day < 1) return std::nullopt;
  const std::chrono::year_month_day written(std::chrono::year{*year}, std::chrono::month(static_cast<unsigned>(*month)),
                                            std::chrono::day(static_cast<unsigned>(*day)));
  if (!written.ok()) return std::nullopt;
  std::int64_t seconds = std::chrono::sys_days{written}.time_since_epoch().count() * kDaySeconds;
  for (const auto& [begin, unit] :
       {std::pair(11, kHourSeconds), std::pair(14, std::int64_t{60}), std::pair(17, std::int64_t{1})}) {
    seconds += number_at(date, static_cast<std::size_t>(begin), 2).value_or(0) * unit;
  }
  return seconds;
}

bool has_time_of_day(std::string_view date) {
  return date.size() > 10;
}

// The seconds of a date that can be one of this page. A day is allowed for zones.
std::optional<std::int64_t> usable_seconds(const std::string& date, std::optional<std::int64_t> captured,
                                           std::vector<StatementProblem>& problems) {
  const std::optional<std::int64_t> seconds = seconds_of(date);
  if (!seconds) return std::nullopt;
  if (*seconds < kWebBeginSeconds) {
    problems.push_back(StatementProblem::kDateBeforeWeb);
    return std::nullopt;
  }
  if (captured && *seconds > *captured + kDaySeconds) {
    problems.push_back(StatementProblem::kDateInFuture);
    return std::nullopt;
  }
  return seconds;
}

}  // namespace

// Usable dates are after 1970.
std::optional<std::int64_t> UsableDates::published_day() const {
  return published_seconds ? std::optional<std::int64_t>(*published_seconds / kDaySeconds) : std::nullopt;
}

UsableDates usable_dates(const TracedPage& page, std::vector<StatementProblem>& problems) {
  UsableDates dates;
  const PageMetadata& stated = page.stated.metadata;
  const std::optional<std::int64_t> captured = seconds_of(page.capture_date);
  dates.published_seconds = usable_seconds(stated.date_published, captured, problems);
  dates.modified_seconds = usable_seconds(stated.date_modified, captured, problems);
  dates.has_time = has_time_of_day(stated.date_published);
  dates.weight = dates.published_seconds ? place_weight(page.stated.date_place) : 0;
  if (dates.published_seconds && dates.modified_seconds &&
      *dates.modified_seconds + kDaySeconds < *dates.published_seconds) {
    problems.push_back(StatementProblem::kModifiedBeforePublished);
    dates.weight /= 2;
  }
  if (dates.published_seconds) dates.modified_seconds.reset();
  return dates;
}

double date_lean(const UsableDates& source, const UsableDates& copy) {
  constexpr double kSameDayWeight = 1.5;
  constexpr double kModifiedWeight = 2.5;
  if (source.published_seconds && copy.published_seconds) {
    const std::int64_t later_by = *copy.published_seconds - *source.published_seconds;
    const std::int64_t apart = later_by < 0 ? -later_by : later_by;
    const double sign = later_by < 0 ? -1 : 1;
    const bool have_times = source.has_time && copy.has_time;
    // Days are compared as days: one of the two may have no time.
    const std::int64_t days = *copy.published_day() - *source.published_day();
    if (days != 0 && (!have_times || apart >= kDaySeconds / 2)) return sign * std::min(source.weight, copy.weight);
    return have_times && apart >= kHourSeconds ? sign * kSameDayWeight : 0;
  }
  // Who was changed before the other one was published was there first.
  if (source.modified_seconds && copy.published_seconds && *source.modified_seconds < *copy.published_seconds) {
    return kModifiedWeight;
  }
  if (copy.modified_seconds && source.published_seconds && *copy.modified_seconds < *source.published_seconds) {
    return -kModifiedWeight;
  }
  return 0;
}

}  // namespace paraprint::inline provenance
