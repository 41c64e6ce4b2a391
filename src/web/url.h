// URLs as defined by the WHATWG URL standard (https://url.spec.whatwg.org) and parsed by lexbor, in the canonical form
// that the crawler compares, stores and requests: http or https, without credentials and fragment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace paraprint::inline web {

// Maximum length after canonicalisation. Longer addresses are not meant for people, and many servers refuse them (414).
inline constexpr std::size_t kUrlBytesMaximum = 2048;

struct Url {
  std::string href;        // "https://example.org:8443/a?b": the complete URL
  std::string scheme;      // "http" or "https"
  std::string host;        // "example.org", "192.0.2.1", "[2001:db8::1]"; lower case, punycode
  std::uint16_t port = 0;  // effective port: 80 or 443 if the URL names none
  std::string target;      // "/a?b": path and query, which robots.txt rules apply to

  // "https://example.org:8443": the scope of a robots.txt.
  std::string origin() const { return href.substr(0, href.size() - target.size()); }
};

// Not thread-safe: one instance per thread. Reuses its memory from URL to URL.
class UrlParser {
 public:
  UrlParser();
  ~UrlParser();
  UrlParser(const UrlParser&) = delete;
  UrlParser& operator=(const UrlParser&) = delete;

  // Sets the base of relative references. If parse() would not accept `url`, returns false and there is no base. Throws
  // std::bad_alloc, like parse(); the parser can be used again then.
  bool set_base(std::string_view url);
  void clear_base();

  // Empty if `reference` is not a URL, has another scheme than http or https, is longer than kUrlBytesMaximum, or has a
  // host longer than a name can be, also if only its canonical form is.
  // `charset` (WHATWG name) is that of the page that contains the reference: queries are encoded in it, as browsers do.
  // Cost: O(size), and of the base's path if the reference is relative to it.
  std::optional<Url> parse(std::string_view reference, std::string_view charset = "utf-8");

  // Bytes that parse() has read so far, with the base's path for each reference. Its cost is in proportion to them.
  std::uint64_t bytes_read() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint::inline web
