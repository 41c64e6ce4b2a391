// The host of an address, for counts by host. Not for requests: src/web parses addresses for those.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline http {

// The host without user and port, ASCII letters in lower case: "http://me@News.Example:80/a" -> "news.example". Empty
// if there is none ("dns:a.example", "/a", "/?to=http://a.example/"). Other bytes are unchanged, whether they may be in
// a host or not. Linear.
std::string url_host(std::string_view url);

}  // namespace paraprint::inline http
