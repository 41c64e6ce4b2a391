#include "corpus/page_metadata.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/utf8.h"

namespace paraprint {
namespace {

PageMetadata metadata_of(std::string_view html, std::string_view url = "https://example.org/a/b") {
  HtmlDocument document;
  EXPECT_TRUE(document.parse(html).has_value());
  PageMetadata metadata;
  StopCheck never;
  PageMetadataReader().read(document, url, metadata, never);
  return metadata;
}

TEST(PageMetadata, IsEmptyForPagesThatSayNothing) {
  const PageMetadata metadata = metadata_of("<title>Page</title><p>Text");
  EXPECT_EQ(metadata.title, "");
  EXPECT_EQ(metadata.author, "");
  EXPECT_EQ(metadata.date_published, "");
  EXPECT_EQ(metadata.canonical_url, "");
  EXPECT_EQ(metadata.declared_language, "");
}

TEST(PageMetadata, SaysWhereTheDateWasRead) {
  PageMetadataReader reader;
  const auto place_of = [&](std::string_view html, std::string_view url = "https://example.org/a") {
    HtmlDocument document;
    EXPECT_TRUE(document.parse(html).has_value());
    PageMetadata metadata;
    StopCheck never;
    reader.read(document, url, metadata, never);
    EXPECT_EQ(metadata.date_published.empty(), reader.date_place() == DatePlace::kNone);
    return date_place_name(reader.date_place());
  };
  EXPECT_EQ(place_of(R"(<script type="application/ld+json">{"@type":"Article","datePublished":"2024-05-01"}</script>
                        <meta name="date" content="2023-01-01">)"),
            "json-ld");
  EXPECT_EQ(place_of("<meta property=article:published_time content=2024-05-01>"), "open-graph");
  EXPECT_EQ(place_of("<meta name=pubdate content=2024-05-01>"), "meta");
  EXPECT_EQ(place_of("<span itemprop=datePublished content=2024-05-01></span>"), "markup");
  EXPECT_EQ(place_of("<time datetime=2024-05-01></time>"), "time");
  EXPECT_EQ(place_of("<p>Text", "https://example.org/2024/05/01/a"), "address");
  EXPECT_EQ(place_of("<h1>Heading</h1><p>Posted on May 1, 2024"), "text");
  EXPECT_EQ(place_of("<p>Text"), "none");
}

TEST(PageMetadata, ReadsMeta) {
  const PageMetadata metadata = metadata_of(R"(<html lang="de-AT"><head>
      <meta property="og:title" content="  A &amp; B
      continued "><meta name="AUTHOR" content="Ada Example"><meta property="og:site_name" content="The Site">
      <meta property="article:published_time" content="2024-05-01T12:00:00+02:00">
      <link rel="nofollow canonical" href="../c#part"><link rel="license" href="https://licences.example/by/4.0/">)");
  EXPECT_EQ(metadata.title, "A & B continued");
  EXPECT_EQ(metadata.author, "Ada Example");
  EXPECT_EQ(metadata.site_name, "The Site");
  EXPECT_EQ(metadata.date_published, "2024-05-01T10:00:00Z");
  EXPECT_EQ(metadata.canonical_url, "https://example.org/c");
  EXPECT_EQ(metadata.licence_url, "https://licences.example/by/4.0/");
  EXPECT_EQ(metadata.declared_language, "de");
}

TEST(PageMetadata, ReadsJsonLd) {
  const PageMetadata metadata = metadata_of(R"(<meta name="author" content="webmaster">
      <body><script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
        {"@type": "Organization", "name": "Not the page"},
        {"@type": "WebPage", "name": "Site page", "datePublished": "2020-01-01", "license": "/terms"},
        {"@type": ["NewsArticle"], "headline": "Flood", "author": [{"name": "A"}, "B", {"name": 7}],
         "publisher": {"name": "Gazette"}, "datePublished": "2024-05-01"}]}</script>)");
  EXPECT_EQ(metadata.title, "Flood");
  EXPECT_EQ(metadata.author, "A, B");
  EXPECT_EQ(metadata.site_name, "Gazette");
  EXPECT_EQ(metadata.date_published, "2024-05-01");
  EXPECT_EQ(metadata.licence_url, "https://example.org/terms");
}

TEST(PageMetadata, IgnoresBrokenJsonLd) {
  for (const std::string_view json : {"", "{", "[1, 2]", "7", "{\"@type\": \"Article\", \"author\": }", "null",
                                      R"({"@type": "Article", "author": {"name": ["x"]}, "datePublished": 5})"}) {
    const PageMetadata metadata = metadata_of("<meta name=author content=Ada><script type='application/ld+json'>" +
                                              std::string(json) + "</script>");
    EXPECT_EQ(metadata.author, "Ada") << json;
  }
}

TEST(PageMetadata, ReadsMarkedElements) {
  const PageMetadata metadata = metadata_of(R"(<p>By <a rel="author" href="/ada">Ada <b>Example</b></a>
      <time datetime="2024-05-01">May</time><time datetime="2025-01-01">later</time>
      <a rel="license" href="/cc">licence</a>)");
  EXPECT_EQ(metadata.author, "Ada Example");
  EXPECT_EQ(metadata.date_published, "2024-05-01");
  EXPECT_EQ(metadata.licence_url, "https://example.org/cc");
  EXPECT_EQ(
      metadata_of("<time datetime=2020-01-01></time><span itemprop=datePublished content=2024-05-01>").date_published,
      "2024-05-01");
}

TEST(PageMetadata, ReadsDatesOfAddressAndText) {
  const std::string page =
      "<title>A flood - Gazette</title><h1>A flood</h1><p>January 7, 2008, updated on January 9, 2008</p>";
  EXPECT_EQ(metadata_of(page).date_published, "2008-01-07");
  EXPECT_EQ(metadata_of(page).date_modified, "2008-01-09");
  EXPECT_EQ(metadata_of(page, "http://a.example/2008/01/06/flood").date_published, "2008-01-06");
  EXPECT_EQ(metadata_of(page + "<time datetime=2008-01-05>").date_published, "2008-01-05");
  const PageMetadata declared = metadata_of(R"(<meta name=pubdate content="January 4, 2008">
      <meta property="article:modified_time" content="2008-01-08T10:00:00Z">)" +
                                                page,
                                            "http://a.example/2008/01/06/flood");
  EXPECT_EQ(declared.date_published, "2008-01-04");
  EXPECT_EQ(declared.date_modified, "2008-01-08T10:00:00Z");
}

TEST(PageMetadata, ReadsStatedSources) {
  PageMetadata metadata =
      metadata_of("<h1>标题</h1><p>2008-01-07 来源：<a href='http://xinhua.example/1'>新华网</a></p>");
  EXPECT_EQ(metadata.source_name, "新华网");
  EXPECT_EQ(metadata.source_url, "http://xinhua.example/1");
  metadata = metadata_of("<p>原文链接：https://v8.example/blog</p>");
  EXPECT_EQ(metadata.source_url, "https://v8.example/blog");
  metadata = metadata_of("<meta name=source content='来源：新华日报'><p>来源：别的</p>");
  EXPECT_EQ(metadata.source_name, "新华日报");
  metadata = metadata_of(R"(<script type="application/ld+json">{"@type": "Article", "headline": "x",
      "isBasedOn": {"@id": "https://a.example/original"}}</script>)");
  EXPECT_EQ(metadata.source_url, "https://a.example/original");
  // A page that states its own address.
  metadata = metadata_of("<p>原文: https://example.org/a/b</p>");
  EXPECT_EQ(metadata.source_name, "");
  EXPECT_EQ(metadata.source_url, "");
}

// The first usable value of the most trusted source.
TEST(PageMetadata, PassesOverUnusableValues) {
  EXPECT_EQ(metadata_of("<meta name=date content=yesterday><meta name=date content=2024-05-01>"
                        "<meta name=date content=2023-05-01>")
                .date_published,
            "2024-05-01");
  EXPECT_EQ(metadata_of("<meta property=article:author content='https://example.org/ada'>"
                        "<meta name=author content=Ada>")
                .author,
            "Ada");
  EXPECT_EQ(metadata_of("<link rel=canonical href='javascript:alert(1)'>").canonical_url, "");
  EXPECT_EQ(metadata_of("<link rel=canonical href='/c'>", "").canonical_url, "");
  EXPECT_EQ(metadata_of("<html lang='x-klingon'>").declared_language, "");
}

TEST(PageMetadata, ValuesAreCleanAndShort) {
  const PageMetadata metadata =
      metadata_of("<meta name=author content='A\x1b[31m&#x202E;B\xC2\x85 C'><meta property=og:site_name content='" +
                  std::string(2000, 'x') + "'>");
  EXPECT_EQ(metadata.author, "A[31mB C");
  EXPECT_LE(metadata.site_name.size(), kMetadataBytesMaximum);
  EXPECT_FALSE(metadata.site_name.empty());
}

TEST(StatedDate, IsIso8601) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2024-05-01", "2024-05-01"},
      {"2024/05/01", "2024-05-01"},
      {"20240501", "2024-05-01"},
      {" 2024-05-01T10:00:00Z ", "2024-05-01T10:00:00Z"},
      {"2024-05-01 10:00", "2024-05-01T10:00:00Z"},
      {"2024-05-01T01:30:00.123+0800", "2024-04-30T17:30:00Z"},
      {"2024", ""},
      {"2024-02-30", ""},
      {"2024-05-01T25:00:00Z", "2024-05-01"},
      {"1 May 2024", "2024-05-01"},
      {"Monday, November 18, 2019, 08:19 PM", "2019-11-18"},
      {"Tue Nov 19 2019 03:05:46 GMT+0000", "2019-11-19"},
      {"05/30/2024 10:46:12", "2024-05-30"},
      {"0001-01-01T00:00:00Z", ""},
      {"", ""},
      {"today", ""},
  };
  for (const auto& [written, date] : cases) EXPECT_EQ(stated_date(written), date) << written;
}

RC_GTEST_PROP(StatedDate, IsADateOrNothing, (const std::string& written)) {
  const std::string date = stated_date(written);
  RC_ASSERT(date.empty() || date.size() == 10 || date.size() == 20);
  RC_ASSERT(stated_date(date) == date);
}

}  // namespace
}  // namespace paraprint
