#include "text/xml_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

XmlKind declared(std::string_view markup) {
  return xml_kind_of(markup, true);
}
XmlKind undeclared(std::string_view markup) {
  return xml_kind_of(markup, false);
}

TEST(XmlKind, TheRootElementDecides) {
  EXPECT_EQ(declared("<article><title/></article>"), XmlKind::kDocument);
  EXPECT_EQ(declared("<tei:TEI xmlns:tei='x'>"), XmlKind::kDocument);
  EXPECT_EQ(declared("\xEF\xBB\xBF \n<?xml-stylesheet?><!-- <rss> --><!DOCTYPE book [<!ENTITY a '>'> ] ><book/>"),
            XmlKind::kDocument);
  EXPECT_EQ(declared("<HTML>"), XmlKind::kHtml);
  EXPECT_EQ(declared("<h:html xmlns:h='http://www.w3.org/1999/xhtml'>"), XmlKind::kHtml);
  EXPECT_EQ(declared("<div>"), XmlKind::kHtml);
  for (const char* const root : {"<rss version='2.0'>", "<rdf:RDF>", "<feed>", "<urlset>", "<sitemapindex>", "<svg/>",
                                 "<xsl:stylesheet>", "<opml>", "<xml xmlns:o='x'>"}) {
    EXPECT_EQ(declared(root), XmlKind::kListing) << root;
  }
}

TEST(XmlKind, WithoutADeclarationItIsNotXml) {
  EXPECT_EQ(undeclared("<article>"), XmlKind::kNone);
  EXPECT_EQ(undeclared("<?xml version=\"1.0\" encoding=\"gb2312\"?>\n<article>"), XmlKind::kDocument);
  EXPECT_EQ(undeclared("<?xml-stylesheet href='x'?><article>"), XmlKind::kNone);
  EXPECT_EQ(undeclared("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x' 'y'><html>"), XmlKind::kHtml);
}

TEST(XmlKind, WithoutARootItIsNotXml) {
  for (const char* const text :
       {"", "plain text", "<", "< a>", "<1>", "<!-- <a>", "<?xml version='1.0'", "<!DOCTYPE a", "<!DOCTYPE a [ <a>"}) {
    EXPECT_EQ(declared(text), XmlKind::kNone) << text;
  }
}

TEST(XmlKind, ReadsUtf16) {
  const auto wide = [](std::string_view text, bool is_big) {
    std::string bytes;
    for (const char c : text) bytes += is_big ? std::string{'\0', c} : std::string{c, '\0'};
    return bytes;
  };
  EXPECT_EQ(undeclared("\xFF\xFE" + wide("<?xml version='1.0'?><note>", false)), XmlKind::kDocument);
  EXPECT_EQ(undeclared("\xFE\xFF" + wide("<?xml version='1.0'?><rss>", true)), XmlKind::kListing);
  EXPECT_EQ(undeclared(wide("<?xml version='1.0'?><html>", false)), XmlKind::kHtml);
}

}  // namespace
}  // namespace paraprint
