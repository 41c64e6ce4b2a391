// Sitemaps in all their formats, damaged ones and hostile ones.
#include "web/sitemap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../compressed.h"

namespace paraprint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Sitemap, UrlSet) {
  const Sitemap sitemap = parse_sitemap(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:image=\"urn:image\">\n"
      "<url><loc> http://example.org/a?x=1&amp;y=2 </loc><lastmod>2024-01-01</lastmod>"
      "<image:image><image:loc>http://example.org/a.png</image:loc></image:image></url>\n"
      "<url><loc><![CDATA[http://example.org/b]]></loc></url></urlset>");
  EXPECT_THAT(sitemap.pages, ElementsAre("http://example.org/a?x=1&y=2", "http://example.org/b"));
  EXPECT_THAT(sitemap.sitemaps, IsEmpty());
  EXPECT_FALSE(sitemap.is_damaged);
  EXPECT_FALSE(sitemap.is_cut);
}

// Whatever namespaces a sitemap declares, and whether or not it declares them for its extensions.
TEST(Sitemap, AddressesOfExtensionsAreNotPages) {
  EXPECT_THAT(parse_sitemap("<s:urlset xmlns:s='urn:s' xmlns='urn:i'><s:url><s:loc>http://example.org/a</s:loc>"
                            "<loc>http://example.org/b</loc><image><loc>http://example.org/c</loc></image></s:url>"
                            "<s:loc>http://example.org/d</s:loc></s:urlset>")
                  .pages,
              ElementsAre("http://example.org/a"));
  EXPECT_THAT(parse_sitemap("<urlset xmlns:v='urn:v'><url><v:loc>http://example.org/a</v:loc>"
                            "<video><loc>http://example.org/b</loc></video><loc>http://example.org/c</loc></url>"
                            "<url><loc>http://example.org/d</loc></url></urlset>")
                  .pages,
              ElementsAre("http://example.org/c", "http://example.org/d"));
  EXPECT_THAT(parse_sitemap("<loc>http://example.org/a</loc>").pages, IsEmpty());
}

// Elements of extensions may be called like entries.
TEST(Sitemap, ElementsOfExtensionsEndNoEntry) {
  const Sitemap sitemap = parse_sitemap(
      R"(<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:v="http://v.example/">)"
      R"(<url><v:video><v:url>http://v.example/1</v:url></v:video><loc>http://a.example/1</loc></url>)"
      R"(<url><v:sitemap><v:loc>http://v.example/2</v:loc></v:sitemap><loc>http://a.example/2</loc></url>)"
      R"(<url><loc>http://a.example/3</loc><v:url/></url></urlset>)");
  EXPECT_EQ(sitemap.pages,
            (std::vector<std::string>{"http://a.example/1", "http://a.example/2", "http://a.example/3"}));
}

// Other languages of a page.
TEST(Sitemap, AlternatesArePages) {
  EXPECT_THAT(parse_sitemap("<urlset xmlns:x='http://www.w3.org/1999/xhtml'><url><loc>http://example.org/en</loc>"
                            "<x:link rel='alternate' hreflang='de' href='http://example.org/de'/></url></urlset>")
                  .pages,
              ElementsAre("http://example.org/en", "http://example.org/de"));
}

TEST(Sitemap, Index) {
  const Sitemap sitemap = parse_sitemap(
      "<s:sitemapindex xmlns:s=\"urn:s\"><s:sitemap><s:loc>http://example.org/1.xml.gz</s:loc></s:sitemap>"
      "</s:sitemapindex>");
  EXPECT_THAT(sitemap.sitemaps, ElementsAre("http://example.org/1.xml.gz"));
  EXPECT_THAT(sitemap.pages, IsEmpty());
}

TEST(Sitemap, TextAndGzip) {
  constexpr std::string_view kText = "\xEF\xBB\xBFhttp://example.org/a\r\n\r\n  http://example.org/b\n";
  EXPECT_THAT(parse_sitemap(kText).pages, ElementsAre("http://example.org/a", "http://example.org/b"));
  EXPECT_THAT(parse_sitemap(gzip(kText)).pages, ElementsAre("http://example.org/a", "http://example.org/b"));
  const std::string member = gzip(kText);
  EXPECT_TRUE(parse_sitemap(std::string_view(member).substr(0, member.size() - 12)).is_damaged);
}

TEST(Sitemap, Feeds) {
  EXPECT_THAT(parse_sitemap("<rss><channel><item><link>http://example.org/a</link></item></channel></rss>").pages,
              ElementsAre("http://example.org/a"));
  EXPECT_THAT(parse_sitemap("<feed xmlns='urn:a'><entry><link href='http://example.org/b'/></entry></feed>").pages,
              ElementsAre("http://example.org/b"));
}

// Both are copied for each element.
TEST(Sitemap, RefusesDeclaredAttributesAndLongNamespaces) {
  const Sitemap declared =
      parse_sitemap("<!DOCTYPE a [<!ATTLIST loc b CDATA 'c'>]><a><url><loc>http://a.example/</loc></url></a>");
  EXPECT_TRUE(declared.is_damaged);
  EXPECT_THAT(declared.pages, IsEmpty());
  for (const char* const prefix : {"xmlns", "xmlns:b"}) {
    for (const std::size_t size : {256, 257}) {
      const Sitemap sitemap = parse_sitemap("<a " + std::string(prefix) + "='" + std::string(size, 'c') +
                                            "'><url><loc>http://a.example/</loc></url></a>");
      EXPECT_EQ(sitemap.is_damaged, size > 256) << prefix;
      EXPECT_EQ(sitemap.pages.empty(), size > 256) << prefix;
    }
  }
}

TEST(Sitemap, DamageKeepsEarlierEntries) {
  const Sitemap cut = parse_sitemap("<urlset><url><loc>http://example.org/a</loc></url><url><loc>http://exam");
  EXPECT_THAT(cut.pages, ElementsAre("http://example.org/a"));
  EXPECT_TRUE(cut.is_damaged);
  const Sitemap broken =
      parse_sitemap("<urlset><url><loc>http://example.org/a</loc></url><url><loc>b & c</loc></url></urlset>");
  EXPECT_THAT(broken.pages, ElementsAre("http://example.org/a"));
  EXPECT_TRUE(broken.is_damaged);
  EXPECT_THAT(parse_sitemap("").pages, IsEmpty());
}

TEST(Sitemap, EntitiesAreNotExpanded) {
  const Sitemap sitemap = parse_sitemap(
      "<!DOCTYPE u [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b "
      "\"&a;&a;&a;&a;\">]><urlset><url><loc>&b;</loc></url></urlset>");
  EXPECT_THAT(sitemap.pages, IsEmpty());
  EXPECT_TRUE(sitemap.is_damaged);
}

TEST(Sitemap, HasLimits) {
  std::string many = "<urlset>";
  for (std::size_t i = 0; i <= kSitemapUrlsMaximum; ++i)
    many += "<url><loc>http://example.org/" + std::to_string(i) + "</loc></url>";
  const Sitemap cut = parse_sitemap(many + "</urlset>");
  EXPECT_EQ(cut.pages.size(), kSitemapUrlsMaximum);
  EXPECT_TRUE(cut.is_cut);
  EXPECT_FALSE(cut.is_damaged);

  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_TRUE(parse_sitemap(deep).is_damaged);

  // What is within the limit is read, also of a compressed file.
  std::string long_file = "<urlset><url><loc>http://example.org/first</loc></url>";
  long_file.append(kSitemapBytesMaximum, ' ');
  for (const std::string& file : {long_file, gzip(long_file)}) {
    const Sitemap sitemap = parse_sitemap(file);
    EXPECT_TRUE(sitemap.is_cut);
    EXPECT_THAT(sitemap.pages, ElementsAre("http://example.org/first"));
  }
}

// Half an address is none.
TEST(Sitemap, LastLinesOfBeginningsAreDropped) {
  constexpr std::string_view kText = "http://example.org/a\nhttp://example.org/b";
  EXPECT_THAT(parse_sitemap(kText).pages, ElementsAre("http://example.org/a", "http://example.org/b"));
  EXPECT_THAT(parse_sitemap(kText, false).pages, ElementsAre("http://example.org/a"));
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "http://example.org/" + std::to_string(100'000 + i) + "\n";
  const std::string packed = gzip(lines);
  const Sitemap half = parse_sitemap(std::string_view(packed).substr(0, packed.size() / 2));
  ASSERT_FALSE(half.pages.empty());
  EXPECT_EQ(half.pages.back().size(), half.pages.front().size());
}

}  // namespace
}  // namespace paraprint
