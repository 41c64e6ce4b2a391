// The text of XML documents: blocks, CDATA, references, and what is not well-formed.
#include "profile/xml_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace paraprint {
namespace {

std::vector<std::string> blocks_of(std::string_view xml) {
  MainContent content;
  extract_xml_text(xml, content);
  std::vector<std::string> blocks;
  for (const TextBlock& block : content.blocks) {
    blocks.push_back(content.text.substr(block.span.begin_bytes, block.span.size_bytes()));
  }
  return blocks;
}

using Blocks = std::vector<std::string>;

TEST(XmlText, ElementsAreBlocksExceptNextToText) {
  EXPECT_EQ(blocks_of("<?xml version='1.0'?><a><b>one</b><c>two\n  three</c></a>"), (Blocks{"one", "two three"}));
  EXPECT_EQ(blocks_of("<doc><line><hi>Many</hi> a <em>brave</em> s<em>ou</em>l</line><line>sleeps</line></doc>"),
            (Blocks{"Many a brave soul", "sleeps"}));
  EXPECT_EQ(blocks_of("<t:body>First.<t:p>Second.</t:p><t:p>Third.</t:p></t:body>"),
            (Blocks{"First.", "Second.", "Third."}));
}

TEST(XmlText, CdataIsTextAndItsMarkupIsNot) {
  EXPECT_EQ(blocks_of("<a><b><![CDATA[if a < b && c > d]]></b><c>x<![CDATA[<y>]]>&lt;z></c></a>"),
            (Blocks{"if a < b && c > d", "x<y><z>"}));
  EXPECT_EQ(blocks_of("<a><![CDATA[&amp; ]] > ]]>end</a>"), (Blocks{"&amp; ]] > end"}));
}

TEST(XmlText, ResolvesReferencesOfXmlAlone) {
  EXPECT_EQ(blocks_of("<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x4E2D;&#X1F600;</a>"), (Blocks{"<>&\"'A\u4E2D\U0001F600"}));
  EXPECT_EQ(blocks_of("<!DOCTYPE a [<!ENTITY b '1'> <!ELEMENT a ANY>]><a>&b;&eacute;&;&#0;&#xD800;&#1114112;&amp</a>"),
            (Blocks{"&b;&eacute;&;&#0;&#xD800;&#1114112;&amp"}));
}

TEST(XmlText, LeavesOutWhatIsNotText) {
  EXPECT_EQ(blocks_of("<a x='no > text'><!-- no <b>text</b> --><?no text?><script>no</script><style>no</style>"
                      "<s:script/>yes</a>"),
            Blocks{"yes"});
}

TEST(XmlText, TitleIsTheFirstAndInTheText) {
  MainContent content;
  extract_xml_text(
      "<d><title/><info><title>The  <b>Old</b> Ferry</title></info><title>Other</title><p>It left.</p></d>", content);
  EXPECT_EQ(content.title, "The Old Ferry");
  EXPECT_EQ(content.text, "The Old Ferry\nOther\nIt left.\n");
}

TEST(XmlText, ReadsWhatIsNotWellFormedAsFarAsPossible) {
  EXPECT_EQ(blocks_of("<a><b>one</b><c d='e"), (Blocks{"one"}));
  EXPECT_EQ(blocks_of("<a><b>one</b><c>two"), (Blocks{"one", "two"}));
  EXPECT_EQ(blocks_of("<a><b>one</x></b></b><c>two</a></a>three"), (Blocks{"one", "two", "three"}));
  EXPECT_EQ(blocks_of("<a><b>1 < 2 <3</b><b>AT&T</b></a>"), (Blocks{"1 < 2 <3", "AT&T"}));
  EXPECT_EQ(blocks_of("<a><b><![CDATA[one <p>"), (Blocks{"one <p>"}));
  EXPECT_EQ(blocks_of("<a><b c=\"d>one</b><b>two \"three\"</b></a>"), (Blocks{"one", "two \"three\""}));
  EXPECT_EQ(blocks_of("<a>one<!-- two</a>"), (Blocks{"one<!-- two"}));
  EXPECT_EQ(blocks_of(""), Blocks{});
}

// The text of a document that was cut off is the start of the text of the whole one.
TEST(XmlText, EveryStartOfADocumentHasTheStartOfItsText) {
  const std::string_view xml =
      "<a><p>Some text.</p><p>A <![CDATA[section]]> &#65; letter.</p><q r='s'>The end.</q></a>";
  MainContent whole;
  extract_xml_text(xml, whole);
  for (std::size_t size = 0; size < xml.size(); ++size) {
    MainContent part;
    extract_xml_text(xml.substr(0, size), part);
    std::string text = part.text;
    if (!text.empty()) text.pop_back();
    const std::string begun = text.substr(0, text.find_first_of("&<]"));
    EXPECT_EQ(begun, whole.text.substr(0, begun.size())) << size;
  }
}

TEST(XmlText, HostileDocumentsTakeLinearTime) {
  const auto repeated = [](std::string_view piece) {
    std::string all;
    while (all.size() < (std::size_t{4} << 20)) all += piece;
    return all;
  };
  for (const std::string_view piece : {"<a>", "<", "<a \"", "<!--", "<![CDATA[", "<?", "<!", "</a>", "&", "<a b='",
                                       "<!DOCTYPE a [", "]", "<title>", "<a><b>x</a>", "<script>"}) {
    MainContent content;
    extract_xml_text(repeated(piece), content);
    extract_xml_text("<!DOCTYPE a [" + repeated(piece), content);
  }
}

TEST(XmlText, StopsInBetween) {
  const std::atomic<bool> is_stopped = true;
  StopCheck stop(&is_stopped);
  std::string xml = "<a>";
  for (int i = 0; i < 100'000; ++i) xml += "<b>text</b>";
  MainContent content;
  extract_xml_text(xml, content, stop);
  EXPECT_TRUE(stop.is_stopped());
  EXPECT_LT(content.blocks.size(), 100'000U);
}

}  // namespace
}  // namespace paraprint
