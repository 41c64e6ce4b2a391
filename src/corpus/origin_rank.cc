// A number instead of a comparison, so that it can be stored with the page like the scores of records.
#include "corpus/origin_rank.h"

#include <charconv>
#include <chrono>

#include "http/url_host.h"
#include "web/address_key.h"

namespace paraprint::inline corpus {
namespace {

constexpr double kUndated = 1e6;  // days; beyond every date of four digits
constexpr double kSourced = 1e7;

bool is_elsewhere(std::string_view url, std::string_view page_url) {
  return !url.empty() && !page_url.empty() && url_host(url) != url_host(page_url);
}

// Of "2008-01-07", also with a time behind it.
double days_since_1970(std::string_view date) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  std::from_chars(date.data(), date.data() + 4, year);
  std::from_chars(date.data() + 5, date.data() + 7, month);
  std::from_chars(date.data() + 8, date.data() + 10, day);
  const std::chrono::year_month_day written(std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day});
  return static_cast<double>(std::chrono::sys_days{written}.time_since_epoch().count());
}

}  // namespace

double origin_rank(const PageMetadata& metadata, std::string_view page_url) {
  constexpr std::size_t kDateBytes = 10;
  const std::string& date = metadata.date_published;
  const double rank = date.size() < kDateBytes ? kUndated : days_since_1970(date);
  const bool is_sourced = !metadata.source_name.empty() || is_elsewhere(metadata.source_url, page_url) ||
                          is_elsewhere(metadata.canonical_url, page_url);
  return is_sourced ? rank + kSourced : rank;
}

double canonical_rank(const PageMetadata& metadata, std::string_view page_url) {
  if (metadata.canonical_url.empty()) return 1;
  if (metadata.canonical_url == page_url) return 0;
  return address_key(metadata.canonical_url) == address_key(page_url) ? 2 : 3;
}

}  // namespace paraprint::inline corpus
