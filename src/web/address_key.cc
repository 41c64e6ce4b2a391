// Sites answer for one page under http and https, with and without "www." and a slash at the end, and link to it in any
// of these forms.
#include "web/address_key.h"

#include "http/url_host.h"

namespace paraprint::inline web {

std::string host_key(std::string_view url) {
  constexpr std::string_view kCommonLabel = "www.";
  std::string host = url_host(url);
  if (host.starts_with(kCommonLabel)) host.erase(0, kCommonLabel.size());
  return host;
}

std::string address_key(std::string_view url) {
  std::string key = host_key(url);
  const std::size_t host_begin = url.find("//");
  if (key.empty() || host_begin == std::string_view::npos) return {};
  url = url.substr(0, url.find('#'));
  const std::size_t rest = url.find_first_of("/?\\", host_begin + 2);
  if (rest != std::string_view::npos) key.append(url.substr(rest));
  while (key.ends_with('/')) key.pop_back();
  return key;
}

}  // namespace paraprint::inline web
