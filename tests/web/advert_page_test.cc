// Which pages are advertising and nothing else.
#include "web/advert_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "web/links.h"

namespace paraprint {
namespace {

constexpr std::string_view kOwnText =
    "The ferry crosses the river every half hour, and the pilot knows every sandbank between the two landings by "
    "heart, "
    "as his father did before him.";

// The page with this body.
bool is_advertising(std::string_view body) {
  LinkExtractor extractor;
  return extractor
      .extract(fmt::format("<html><body class=no-ads>{}</body></html>", body), "http://www.site.test/dir/page", "utf-8",
               "paraprint")
      .is_advertising;
}

// `format` once per number.
std::string links(int count, std::string_view format) {
  std::string html;
  for (int i = 0; i < count; ++i) html += fmt::format(fmt::runtime(format), fmt::arg("n", i));
  return html;
}

const std::string kSponsored =
    links(60, "<a rel='nofollow sponsored' href=http://shop{n}.test/>Buy shoes no. {n} now</a> ");

TEST(AdvertPage, MarkedLinksAlone) {
  EXPECT_TRUE(is_advertising(kSponsored));
  EXPECT_TRUE(is_advertising("<h1>Offers</h1>" + kSponsored +
                             "<a href=/imprint>Imprint</a><a href='mailto:x@y.test'>Mail</a>"));
  EXPECT_TRUE(is_advertising("<ul class='AdList ad-list'>" +
                             links(12, "<li><a href=http://s{n}.test>Shoes</a> on sale today only") + "</ul>"));
  EXPECT_TRUE(is_advertising(links(12, "<p><a href='http://ads.network.test/?to={n}'>Shoes</a>")));
  EXPECT_TRUE(is_advertising(links(12, "<p><a href='https://x.test/adclick.php?to={n}'>Shoes</a>")));
  EXPECT_TRUE(is_advertising(links(12, "<p><a href='https://ad.doubleclick.net/c?to={n}'>Shoes</a>")));
}

TEST(AdvertPage, PagesWithTextOfTheirOwnAreNot) {
  EXPECT_FALSE(is_advertising(fmt::format("<p>{}</p>{}", kOwnText, kSponsored)));
  // Text of scripts and hidden elements is not that of the page.
  EXPECT_TRUE(is_advertising(fmt::format("<script>{}</script><p hidden>{}</p>{}", kOwnText, kOwnText, kSponsored)));
}

TEST(AdvertPage, ListsOfLinksAreNot) {
  EXPECT_FALSE(is_advertising(links(60, "<li><a href=http://blog{n}.test/>A blog that we like</a>")));
  EXPECT_FALSE(is_advertising(links(60, "<li><a href=/article/{n}>An article</a>")));
  // Classified advertisements are the site's own pages.
  EXPECT_FALSE(is_advertising(links(60, "<li class=ad><a href=http://site.test/ad/{n}>A bicycle</a>")));
  EXPECT_FALSE(is_advertising(links(60, "<li class=ad><a href=http://m.site.test/ad/{n}>A bicycle</a>")));
  // Names that only begin like one.
  EXPECT_FALSE(
      is_advertising(links(60, "<li class='address adventure'><a href=http://adelaide{n}.test/add>A town</a>")));
}

TEST(AdvertPage, EachLimitIsNeeded) {
  const std::string marked = "<a rel=sponsored href=http://shop{n}.test/>Shoes</a> ";
  EXPECT_FALSE(is_advertising(links(9, marked)));
  EXPECT_TRUE(is_advertising(links(10, marked)));
  EXPECT_TRUE(is_advertising(links(18, marked) + links(2, "<a href=/{n}>x</a>")));
  EXPECT_FALSE(is_advertising(links(18, marked) + links(3, "<a href=/{n}>x</a>")));
  const std::string own(kAdvertOwnCharactersMaximum, 'x');
  EXPECT_TRUE(is_advertising(own + links(10, marked)));
  EXPECT_FALSE(is_advertising(own + "x" + links(10, marked)));
  EXPECT_FALSE(is_advertising(""));
}

}  // namespace
}  // namespace paraprint
