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

TEST(PublicationDate, IsIso8601) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2024-05-01", "2024-05-01"},
      {"2024/05/01", "2024-05-01"},
      {"20240501", "2024-05-01"},
      {" 2024-05-01T10:00:00Z ", "2024-05-01T10:00:00Z"},
      {"2024-05-01 10:00", "2024-05-01T10:00:00Z"},
      {"2024-05-01T01:30:00.123+0800", "2024-04-30T17:30:00Z"},
      {"2024", ""},
      {"2024-02-30", ""},
      {"2024-05-01T25:00:00Z", ""},
      {"1 May 2024", ""},
      {"", ""},
      {"today", ""},
  };
  for (const auto& [written, date] : cases) EXPECT_EQ(publication_date(written), date) << written;
}

RC_GTEST_PROP(PublicationDate, IsADateOrNothing, (const std::string& written)) {
  const std::string date = publication_date(written);
  RC_ASSERT(date.empty() || date.size() == 10 || date.size() == 20);
  RC_ASSERT(publication_date(date) == date);
}

}  // namespace
}  // namespace paraprint
