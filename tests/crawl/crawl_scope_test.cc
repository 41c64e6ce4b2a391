// The scope of a crawl by host, domain, patterns and form of the path.
#include "crawl/crawl_scope.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

Url url(std::string_view text) {
  UrlParser parser;
  return parser.parse(text).value();
}

CrawlScope scope_of(HostScope kind, std::string_view seed) {
  CrawlOptions options;
  options.scope = kind;
  CrawlScope scope(options);
  scope.add_seed(url(seed));
  return scope;
}

TEST(CrawlScope, Hosts) {
  const CrawlScope scope = scope_of(HostScope::kHost, "https://www.example.org/");
  EXPECT_TRUE(scope.contains(url("http://www.example.org:8080/x")));
  EXPECT_FALSE(scope.contains(url("https://example.org/")));
  EXPECT_FALSE(scope.contains(url("https://a.www.example.org/")));
}

TEST(CrawlScope, Domains) {
  const CrawlScope scope = scope_of(HostScope::kDomain, "https://www.example.org/");
  EXPECT_TRUE(scope.contains(url("https://example.org/")));
  EXPECT_TRUE(scope.contains(url("https://a.b.example.org/")));
  EXPECT_FALSE(scope.contains(url("https://notexample.org/")));
  EXPECT_FALSE(scope.contains(url("https://example.org.evil.example/")));
  EXPECT_TRUE(scope_of(HostScope::kAny, "https://example.org/").contains(url("https://other.example/")));
}

TEST(CrawlScope, HostsBelongToTheLongestDomain) {
  CrawlOptions options;
  options.scope = HostScope::kDomain;
  CrawlScope scope(options);
  scope.add_seed(url("https://www.example.org/"));
  scope.add_seed(url("https://news.example.org/"));
  EXPECT_EQ(scope.domain_of("example.org"), "example.org");
  EXPECT_EQ(scope.domain_of("a.b.example.org"), "example.org");
  EXPECT_EQ(scope.domain_of("a.news.example.org"), "news.example.org");
  EXPECT_EQ(scope.domain_of("notexample.org"), "");
  EXPECT_EQ(scope_of(HostScope::kHost, "https://example.org/").domain_of("example.org"), "");
}

TEST(CrawlScope, Refusals) {
  CrawlOptions options;
  options.include = {"*/news/", "*/$"};
  options.exclude = {"*?print=1"};
  const CrawlScope scope(options);
  EXPECT_EQ(scope.refusal(url("http://a.example/news/1")), CrawlReason::kNone);
  EXPECT_EQ(scope.refusal(url("http://a.example/")), CrawlReason::kNone);
  EXPECT_EQ(scope.refusal(url("http://a.example/other")), CrawlReason::kExcluded);
  EXPECT_EQ(scope.refusal(url("http://a.example/news/1?print=1")), CrawlReason::kExcluded);
  EXPECT_EQ(scope.refusal(url("http://a.example/news/x/x/")), CrawlReason::kNone);
  EXPECT_EQ(scope.refusal(url("http://a.example/news/x/x/x/")), CrawlReason::kRepeatingPath);
}

TEST(CrawlScope, StripsTrackingParametersIfEnabled) {
  CrawlOptions options;
  EXPECT_EQ(CrawlScope(options).canonical(url("http://a.example/?gclid=1")).href, "http://a.example/");
  options.strip_tracking = false;
  EXPECT_EQ(CrawlScope(options).canonical(url("http://a.example./?gclid=1")).href, "http://a.example/?gclid=1");
}

TEST(CrawlScope, Ports) {
  const CrawlScope scope = scope_of(HostScope::kAny, "http://a.example:6667/");
  for (const char* const usual :
       {"http://b.example/", "https://b.example/", "https://b.example:80/", "https://a.example:6667/"}) {
    EXPECT_TRUE(scope.is_usual_port(url(usual))) << usual;
    EXPECT_FALSE(scope.is_bad_port(url(usual))) << usual;
  }
  for (const int bad : {1, 22, 25, 143, 993, 2049, 5060, 6667, 10080}) {
    EXPECT_TRUE(scope.is_bad_port(url("http://b.example:" + std::to_string(bad) + "/"))) << bad;
  }
  for (const int other : {2, 81, 3128, 8080, 8443, 65535}) {
    const Url address = url("http://b.example:" + std::to_string(other) + "/");
    EXPECT_FALSE(scope.is_usual_port(address) || scope.is_bad_port(address)) << other;
  }
}

}  // namespace
}  // namespace paraprint
