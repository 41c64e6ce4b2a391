// Links and robots directives of pages.
#include "web/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paraprint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PageLinks links_of(std::string_view html, std::string_view charset = "utf-8") {
  LinkExtractor extractor;
  return extractor.extract(html, "http://example.org/dir/page", charset, "paraprint");
}

std::vector<std::string> hrefs(const PageLinks& links) {
  std::vector<std::string> out;
  for (const Url& url : links.urls) out.push_back(url.href);
  return out;
}

TEST(Links, FindsEveryKind) {
  EXPECT_THAT(hrefs(links_of("<a href=a>1</a><map><area href=/b></map><iframe src='../c'></iframe>"
                             "<a href='#top'>same page</a><a name=x>no link</a><a href=a#2>again</a>"
                             "<img src=picture.png><script src=x.js></script>")),
              ElementsAre("http://example.org/dir/a", "http://example.org/b", "http://example.org/c",
                          "http://example.org/dir/page"));
  EXPECT_THAT(hrefs(links_of("<frameset><frame src=left></frameset>")), ElementsAre("http://example.org/dir/left"));
}

TEST(Links, HeadLinks) {
  const PageLinks links = links_of(
      "<link rel='Canonical' href=/whole><link rel=stylesheet href=s.css><link rel=next href=2>"
      "<link rel=alternate type=application/rss+xml href=/feed><link rel=alternate hreflang=de href=/de>"
      "<meta http-equiv=Refresh content='5; URL=/moved'><a href=/feed>the feed</a>");
  EXPECT_EQ(links.canonical, "http://example.org/whole");
  EXPECT_THAT(hrefs(links), ElementsAre("http://example.org/whole", "http://example.org/dir/2", "http://example.org/de",
                                        "http://example.org/moved", "http://example.org/feed"));
  EXPECT_EQ(links.refresh, "http://example.org/moved");
  EXPECT_TRUE(links.is_paginated);
  ASSERT_EQ(links.alternates.size(), 1U);
  EXPECT_EQ(links.alternates[0].language, "de");
  EXPECT_EQ(links.alternates[0].url, "http://example.org/de");
}

TEST(Links, HeadLinksThatSayNothing) {
  const PageLinks links = links_of(
      "<link rel=alternate hreflang=de><link rel=alternate hreflang='' href=/fr><link hreflang=es href=/es>"
      "<link rel='alternate nofollow' hreflang=ZH-Hant href=/zh><link rel=alternate hreflang=it href='javascript:1'>");
  EXPECT_FALSE(links.is_paginated);
  EXPECT_EQ(links.refresh, "");
  ASSERT_EQ(links.alternates.size(), 1U);
  EXPECT_EQ(links.alternates[0].language, "zh-hant");
}

TEST(Links, Base) {
  EXPECT_THAT(hrefs(links_of("<base target=_top><base href='http://other.example/x/'><base href=/y/><a href=a>")),
              ElementsAre("http://other.example/x/a"));
  EXPECT_THAT(hrefs(links_of("<base href='javascript:1'><a href=a>")), ElementsAre("http://example.org/dir/a"));
}

TEST(Links, IgnoresNofollowLinks) {
  EXPECT_THAT(hrefs(links_of("<a rel='external nofollow' href=a></a><a rel=nofollower href=b></a>")),
              ElementsAre("http://example.org/dir/b"));
  const PageLinks none = links_of("<meta name=ROBOTS content='noindex, NoFollow'><a href=a></a>");
  EXPECT_TRUE(none.is_nofollow);
  EXPECT_TRUE(none.is_noindex);
  EXPECT_THAT(none.urls, IsEmpty());
  EXPECT_TRUE(links_of("<meta name=paraprint content=none>").is_nofollow);
  EXPECT_FALSE(links_of("<meta name=otherbot content=none>").is_nofollow);
}

TEST(Links, CountsUnusableReferences) {
  const PageLinks links = links_of("<a href='mailto:x@example.org'></a><a href='http://[bad/'></a><a href=ok></a>");
  EXPECT_EQ(links.unusable, 2u);
  EXPECT_THAT(hrefs(links), ElementsAre("http://example.org/dir/ok"));
}

TEST(Links, NumberOfLinksIsLimited) {
  std::string html;
  for (std::size_t i = 0; i < kLinksMaximum + 5; ++i) html += "<a href=" + std::to_string(i) + "></a>";
  const PageLinks links = links_of(html);
  EXPECT_EQ(links.urls.size(), kLinksMaximum);
  EXPECT_EQ(links.beyond_limit, 5u);
}

// A few bytes of a reference stand for a whole path of the base.
TEST(Links, BytesOfAddressesAreLimited) {
  std::string path;
  while (path.size() < 1900) path += "x/";
  const auto page = [&](std::size_t count) {
    std::string html = "<base href='http://a.example/" + path + "'>";
    for (std::size_t i = 0; i < count; ++i) html += "<a href=" + std::to_string(i) + "></a>";
    return html;
  };
  EXPECT_EQ(links_of(page(30)).beyond_limit, 0U);
  const std::string html = page(1000);
  const PageLinks links = links_of(html);
  EXPECT_EQ(links.urls.size() + links.beyond_limit, 1000U);
  EXPECT_GT(links.urls.size(), html.size() * kAddressBytesPerByte / 2 / path.size());
  EXPECT_LT(links.urls.size(), html.size() * kAddressBytesPerByte / path.size() + 1);
  // Without a base of such a length, nothing is left out.
  std::string plain;
  for (std::size_t i = 0; i < 5000; ++i) plain += "<a href=" + std::to_string(i) + "></a>";
  EXPECT_EQ(links_of(plain).urls.size(), 5000U);
}

TEST(Links, QueriesUseTheCharsetOfThePage) {
  EXPECT_THAT(hrefs(links_of("<a href='?q=中'></a>", "gbk")), ElementsAre("http://example.org/dir/page?q=%D6%D0"));
}

TEST(Links, RobotsDirectives) {
  EXPECT_TRUE(parse_robots_directives("noindex,nofollow", "paraprint").is_nofollow);
  EXPECT_TRUE(parse_robots_directives("none", "paraprint").is_noindex);
  EXPECT_FALSE(parse_robots_directives("all", "paraprint").is_nofollow);
  EXPECT_FALSE(parse_robots_directives("otherbot: nofollow", "paraprint").is_nofollow);
  EXPECT_TRUE(parse_robots_directives("Paraprint: nofollow", "paraprint").is_nofollow);
  EXPECT_TRUE(parse_robots_directives("nofollow, max-snippet: 5", "paraprint").is_nofollow);
  EXPECT_TRUE(parse_robots_directives("unavailable_after: 2030-01-01, nofollow", "paraprint").is_nofollow);
}

TEST(Links, RefreshTargets) {
  EXPECT_EQ(refresh_target("5; url=/a"), "/a");
  EXPECT_EQ(refresh_target("0;URL = '/a b' x"), "/a b");
  EXPECT_EQ(refresh_target("0, /a"), "/a");
  EXPECT_EQ(refresh_target("0; url=\"/a"), "/a");
  EXPECT_EQ(refresh_target("30"), "");
  EXPECT_EQ(refresh_target("0;"), "");
  EXPECT_EQ(refresh_target("0; urls/x"), "urls/x");
}

}  // namespace
}  // namespace paraprint
