// Parameters that name a visitor or the way that led here and not a page: with them one page has as many addresses as
// visitors. Taking them out is an option: a few sites give a page only for a session.
#pragma once

#include <string_view>

#include "web/url.h"

namespace paraprint {

// True for "utm_source", "gclid", "PHPSESSID", "jsessionid", ...; without case.
bool is_tracking_parameter(std::string_view name);

// `url` without such parameters in its query, and without ";jsessionid=..." in its path. A query that is then empty
// goes with its question mark. The order of what remains stays. Cost: O(size), and one more parse where something goes.
Url without_tracking(const Url& url);

}  // namespace paraprint
