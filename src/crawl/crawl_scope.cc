// Scope by host, then by patterns. Hosts outside are not queued at all; addresses excluded by a pattern are recorded
// with a reason, so that the log answers why a page is missing.
#include "crawl/crawl_scope.h"

#include <algorithm>
#include <array>

#include "web/url_cleaning.h"
#include "web/url_shape.h"

namespace paraprint::inline crawler {
namespace {

// Paths of real sites repeat a segment once ("/en/en/"); three times in a row indicates a crawler trap.
constexpr std::size_t kPathRepetitionsMaximum = 2;

// The "bad ports" of https://fetch.spec.whatwg.org/#port-blocking, of services that a request could do harm to: mail,
// chat, file systems. Sorted.
constexpr std::array<std::uint16_t, 83> kBadPorts = {
    0,    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,   23,   25,   37,   42,   43,
    53,   69,   77,   79,   87,   95,   101,  102,  103,  104,  109,  110,  111,  113,  115,  117,  119,
    123,  135,  137,  139,  143,  161,  179,  389,  427,  465,  512,  513,  514,  515,  526,  530,  531,
    532,  540,  548,  554,  556,  563,  587,  601,  636,  989,  990,  993,  995,  1719, 1720, 1723, 2049,
    3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};

std::string place_of(const Url& url) {
  return url.host + ":" + std::to_string(url.port);
}

bool matches_any(const std::vector<WildcardPattern>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const WildcardPattern& pattern) { return pattern.matches(text); });
}

}  // namespace

CrawlScope::CrawlScope(const CrawlOptions& options)
    : reach_(options.scope == HostScope::kAny      ? Reach::kAny
             : options.scope == HostScope::kDomain ? Reach::kDomain
                                                   : Reach::kHost),
      strip_tracking_(options.strip_tracking) {
  for (const std::string& pattern : options.include) includes_.emplace_back(pattern);
  for (const std::string& pattern : options.exclude) excludes_.emplace_back(pattern);
}

Url CrawlScope::canonical(const Url& url) const {
  return without_final_dot(strip_tracking_ ? without_tracking(url) : url);
}

// "www.example.org" as a seed means the domain example.org with scope "domain".
void CrawlScope::add_seed(const Url& url) {
  hosts_.emplace(reach_ == Reach::kDomain ? without_www(url.host) : std::string_view(url.host));
  if (!is_usual_port(url)) seed_places_.insert(place_of(url));
}

bool CrawlScope::contains(const Url& url) const {
  if (reach_ == Reach::kAny) return true;
  return reach_ == Reach::kDomain ? !domain_of(url.host).empty() : hosts_.contains(url.host);
}

// The host and each of its parents are looked up: "a.b.example.org", "b.example.org", "example.org".
std::string_view CrawlScope::domain_of(std::string_view host) const {
  if (reach_ != Reach::kDomain) return {};
  for (;;) {
    if (const auto found = hosts_.find(std::string(host)); found != hosts_.end()) return *found;
    const std::size_t dot = host.find('.');
    if (dot == std::string_view::npos) return {};
    host.remove_prefix(dot + 1);
  }
}

// Excludes win over includes.
CrawlReason CrawlScope::refusal(const Url& url) const {
  if (matches_any(excludes_, url.href)) return CrawlReason::kExcluded;
  if (!includes_.empty() && !matches_any(includes_, url.href)) return CrawlReason::kExcluded;
  if (repeated_path_segments(url) > kPathRepetitionsMaximum) return CrawlReason::kRepeatingPath;
  return CrawlReason::kNone;
}

bool CrawlScope::is_usual_port(const Url& url) const {
  constexpr std::uint16_t kHttp = 80;
  constexpr std::uint16_t kHttps = 443;
  return url.port == kHttp || url.port == kHttps || seed_places_.contains(place_of(url));
}

bool CrawlScope::is_bad_port(const Url& url) const {
  return std::binary_search(kBadPorts.begin(), kBadPorts.end(), url.port) && !is_usual_port(url);
}

}  // namespace paraprint::inline crawler
