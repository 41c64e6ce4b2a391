// URLs by the WHATWG URL standard (https://url.spec.whatwg.org), as lexbor parses them, in the one form that the
// crawler compares, stores and asks for: http or https, without credentials, without fragment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace paraprint {

// Longer addresses are no addresses that people follow; servers refuse them too (414). After canonicalisation.
inline constexpr std::size_t kUrlBytesMaximum = 2048;

struct Url {
  std::string href;        // "https://example.org:8443/a?b": the whole of it
  std::string scheme;      // "http" or "https"
  std::string host;        // "example.org", "192.0.2.1", "[2001:db8::1]"; lower case, punycode
  std::uint16_t port = 0;  // in force: 80 and 443 where the URL names none
  std::string target;      // "/a?b": path and query, what robots.txt speaks of

  // "https://example.org:8443": what a robots.txt is valid for.
  std::string origin() const { return href.substr(0, href.size() - target.size()); }
};

// Not thread-safe: one a thread, its memory serves URL after URL.
class UrlParser {
 public:
  UrlParser();
  ~UrlParser();
  UrlParser(const UrlParser&) = delete;
  UrlParser& operator=(const UrlParser&) = delete;

  // What relative references are relative to from now on. False, and no base, if `url` is none that
  // parse() would take.
  bool set_base(std::string_view url);
  void clear_base();

  // Nothing for what is no URL, has another scheme than http and https, or is longer than kUrlBytesMaximum. `charset`
  // is that of the page in which the reference stands (WHATWG name): queries are encoded in it, as browsers do.
  // Cost: O(size).
  std::optional<Url> parse(std::string_view reference, std::string_view charset = "utf-8");

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
