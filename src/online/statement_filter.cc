// Dates are compared as text, over the length of the shorter one: a day includes its moments, a month its days.
#include "online/statement_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "corpus/page_metadata.h"
#include "http/header_block.h"
#include "web/address_key.h"

namespace paraprint::inline online {
namespace {

constexpr std::size_t kYearBytes = 4;
constexpr std::size_t kMonthBytes = 7;

bool is_year_or_month(std::string_view text) {
  if (text.size() != kYearBytes && text.size() != kMonthBytes) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (i == kYearBytes ? text[i] != '-' : !is_digit) return false;
  }
  return text.size() == kYearBytes || (text.substr(kYearBytes + 1) >= "01" && text.substr(kYearBytes + 1) <= "12");
}

// "2024", "2024-05", "2024-05-01" or "2024-05-01T10:00:00Z"; empty for an empty text.
Result<std::string> read_date(std::string_view name, std::string_view text) {
  if (text.empty() || is_year_or_month(text)) return std::string(text);
  std::string date = stated_date(text);
  if (!date.empty()) return date;
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{} '{}' is not a date; expected ISO 8601, such as 2024-05-01, 2024-05 or "
                             "2024-05-01T10:00:00Z",
                             name, text.substr(0, 40)));
}

int compare_dates(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  return a.substr(0, size).compare(b.substr(0, size));
}

// As names are compared in tracing: without spaces, ASCII in lower case.
std::string name_form(std::string_view name) {
  std::string form = to_lower(name);
  std::erase(form, ' ');
  return form;
}

}  // namespace

Result<KnownPageFilter> KnownPageFilter::create(const StatementFilter& filter) {
  KnownPageFilter read;
  if (filter.is_empty()) return read;
  PARAPRINT_ASSIGN(read.from_, read_date("published_from", filter.published_from));
  PARAPRINT_ASSIGN(read.until_, read_date("published_until", filter.published_until));
  read.source_ = name_of(filter.source);
  read.site_ = name_of(filter.site);
  read.is_empty_ = false;
  return read;
}

// "https://www.example.org/a", "www.example.org" and "example.org" are one host.
KnownPageFilter::Name KnownPageFilter::name_of(std::string_view text) {
  Name name;
  name.text = name_form(text);
  name.host = host_key(text.find("//") == std::string_view::npos ? fmt::format("http://{}/", text) : std::string(text));
  return name;
}

bool KnownPageFilter::Name::matches(std::string_view host_of_page, std::string_view name) const {
  if (!name.empty() && name_form(name) == text) return true;
  if (host.empty() || !host_of_page.ends_with(host)) return false;
  return host_of_page.size() == host.size() || host_of_page[host_of_page.size() - host.size() - 1] == '.';
}

bool KnownPageFilter::passes(const IndexedPage& page) const {
  static const PageMetadata kNothing;
  const PageMetadata& stated = page.stated ? page.stated->metadata : kNothing;
  if (!from_.empty() && (stated.date_published.empty() || compare_dates(stated.date_published, from_) < 0))
    return false;
  if (!until_.empty() && (stated.date_published.empty() || compare_dates(stated.date_published, until_) > 0)) {
    return false;
  }
  if (!source_.is_empty() && !source_.matches(host_key(stated.source_url), stated.source_name)) return false;
  return site_.is_empty() || site_.matches(host_key(page.url), stated.site_name);
}

}  // namespace paraprint::inline online

namespace paraprint {

Status StatementFilter::validate() const {
  PARAPRINT_TRY(KnownPageFilter::create(*this));
  return {};
}

}  // namespace paraprint
