// Decides from the form of an address whether it belongs to the crawl.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "crawl/crawl_reason.h"
#include "paraprint/crawl.h"
#include "web/url.h"
#include "web/wildcard.h"

namespace paraprint::inline crawler {

// Sites have one host by two names.
inline std::string_view without_www(std::string_view host) {
  return host.starts_with("www.") ? host.substr(4) : host;
}

class CrawlScope {
 public:
  explicit CrawlScope(const CrawlOptions& options);

  // The form in which the address of a page is compared and requested: without the dot at the end of a host, and
  // without tracking parameters, if the options say so.
  Url canonical(const Url& url) const;

  void add_seed(const Url& url);

  // Whether the host is within the scope of the seeds.
  bool contains(const Url& url) const;

  // With scope "domain", the domain of a seed that the host belongs to, the longest if there are several; else empty.
  // Valid until the next add_seed().
  std::string_view domain_of(std::string_view host) const;

  // kExcluded, kRepeatingPath or kNone.
  CrawlReason refusal(const Url& url) const;

  // Whether the port is 80, 443, or that of a seed on the same host.
  bool is_usual_port(const Url& url) const;
  // Whether the port is one that browsers block as well, and of no seed.
  bool is_bad_port(const Url& url) const;

 private:
  enum class Reach : std::uint8_t { kHost, kDomain, kAny };
  Reach reach_;
  bool strip_tracking_;
  std::unordered_set<std::string> hosts_;        // or domains
  std::unordered_set<std::string> seed_places_;  // hosts with ports other than 80 and 443
  std::vector<WildcardPattern> includes_;
  std::vector<WildcardPattern> excludes_;
};

}  // namespace paraprint::inline crawler
