// Addresses made comparable: the form in which two links to one page are usually equal.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline web {

// The address without scheme, "www.", fragment and slashes at the end, its host in lower case:
// "https://WWW.News.example/a/#top" -> "news.example/a". Empty for an address without a host. Nothing is decoded or
// resolved. Cost: O(size).
std::string address_key(std::string_view url);

// The host in the same form: "news.example". Empty if there is none.
std::string host_key(std::string_view url);

}  // namespace paraprint::inline web
