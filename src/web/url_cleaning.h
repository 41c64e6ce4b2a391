// Gives a page one address. Removes parameters that identify a visitor or a campaign rather than a page: with them, one
// page has as many addresses as visitors. Removing them is optional, because a few sites serve pages only within a
// session. And removes the dot at the end of a host.
#pragma once

#include <string_view>

#include "web/url.h"

namespace paraprint::inline web {

// Whether a parameter, "name=value", identifies a visitor or a campaign: "utm_source", "gclid", "PHPSESSID",
// "jsessionid", ..., case-insensitive, whatever the value is; "sid", "sessionid", "session_id" and "sessid" only if the
// value looks like a session id. Others have numbers of pages in them.
bool is_tracking_parameter(std::string_view parameter);

// `url` without such parameters in its query and, as ";jsessionid=...", in its path. The other parameters keep their
// order; the question mark of an empty query is removed. Cost: O(size), plus one parse if anything was removed.
Url without_tracking(const Url& url);

// `url` with the host "example.org" for "example.org.", which is the same one. Names of one part are left: with the
// dot, they are never completed to that of a host in the own network.
Url without_final_dot(Url url);

}  // namespace paraprint::inline web
