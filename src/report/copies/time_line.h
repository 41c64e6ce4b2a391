// Pages on an axis of days, as a picture that needs no script.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/copies/cluster_copies.h"

namespace paraprint::inline report::inline copies {

// The number of a day written as "2010-03-01", since 1970. Empty for another form and for a day that does not exist.
std::optional<std::int64_t> day_number(std::string_view day);

// An SVG element with a dot per page, in columns over an axis; each dot has the page's name and day as its title. Empty
// if no page has a day.
std::string time_line_html(const std::vector<DatedPage>& pages);

}  // namespace paraprint::inline report::inline copies
