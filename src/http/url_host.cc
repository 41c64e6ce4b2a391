// Addresses in archives need not be valid: everything between "://" and the path is taken as it is.
#include "http/url_host.h"

#include "http/header_block.h"

namespace paraprint::inline http {

std::string url_host(std::string_view url) {
  // Browsers treat \ like / in http URLs.
  constexpr std::string_view kEndsOfHost = "/?#\\";
  const std::size_t scheme = url.find("://");
  // What follows a path or a query is part of it: "/login?next=http://a.example/" has no host.
  if (scheme == std::string_view::npos || url.find_first_of(kEndsOfHost) < scheme) return {};
  std::string_view authority = url.substr(scheme + 3);
  authority = authority.substr(0, authority.find_first_of(kEndsOfHost));
  if (const std::size_t user = authority.rfind('@'); user != std::string_view::npos) authority.remove_prefix(user + 1);
  const std::size_t bracket = authority.rfind(']');  // IPv6: [2001:db8::1]:8080
  const std::size_t port = authority.rfind(':');
  if (port != std::string_view::npos && (bracket == std::string_view::npos || port > bracket)) {
    authority = authority.substr(0, port);
  }
  return to_lower(authority);
}

}  // namespace paraprint::inline http
