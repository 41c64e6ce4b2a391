// Scope by host, then by patterns. Hosts outside are not queued at all; addresses excluded by a pattern are recorded
// with a reason, so that the log answers why a page is missing.
#include "crawl/crawl_scope.h"

#include <algorithm>

#include "web/url_cleaning.h"
#include "web/url_shape.h"

namespace paraprint::inline crawler {
namespace {

// Paths of real sites repeat a segment once ("/en/en/"); three times in a row indicates a crawler trap.
constexpr std::size_t kPathRepetitionsMaximum = 2;

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

}  // namespace paraprint::inline crawler
