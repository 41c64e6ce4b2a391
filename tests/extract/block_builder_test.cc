// Blocks built from markup (white space, line breaks, roles, tables, <pre>) and from plain text.
#include "extract/block_builder.h"

#include <gtest/gtest.h>

#include <string>

#include "extract/extractor.h"
#include "extract/plain_text.h"

namespace paraprint {
namespace {

using namespace std::string_literals;

class BlockBuilderTest : public testing::Test {
 protected:
  const MainContent& build(std::string_view html) {
    EXPECT_TRUE(document_.parse(html));
    extractor_->extract(document_, content_);
    check_contract();
    return content_;
  }
  // Every block is trimmed and followed by one line end, and there is nothing else between blocks.
  void check_contract() {
    std::size_t position = 0;
    for (const TextBlock& block : content_.blocks) {
      ASSERT_EQ(block.span.begin_bytes, position);
      const std::string text = content_.text.substr(position, block.span.size_bytes());
      ASSERT_FALSE(text.empty());
      EXPECT_EQ(text.find_first_of(" \t\r\n"), text.find_first_of(" \t\r\n", text.find_first_not_of(" \t\r\n")));
      EXPECT_NE(text.back(), ' ');
      if (block.role != BlockRole::kCode) {
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        EXPECT_EQ(text.find("  "), std::string::npos) << text;
      }
      position = block.span.end_bytes;
      ASSERT_EQ(content_.text[position], '\n');
      ++position;
    }
    EXPECT_EQ(position, content_.text.size());
  }
  HtmlDocument document_;
  std::unique_ptr<Extractor> extractor_ = make_whole_page_extractor();
  MainContent content_;
};

TEST_F(BlockBuilderTest, CollapsesWhiteSpaceAcrossInlineElements) {
  EXPECT_EQ(build("<p>  one \n two<b> three</b>four <i> five</i>  </p>").text, "one two threefour five\n");
  EXPECT_EQ(build("<div>a<span>b</span>c</div>\n\n<div> </div><p>&nbsp;</p><p>\u3000\u3000d</p>").text, "abc\nd\n");
  EXPECT_EQ(build("a<!-- x -->b<script>x</script>c<style>y</style>").text, "abc\n");
  EXPECT_EQ(build("").text, "");
  EXPECT_EQ(build("x").text, "x\n");
}

TEST_F(BlockBuilderTest, EndsBlocksAtBlockElements) {
  EXPECT_EQ(build("a<div>b<p>c</p>d</div>e").text, "a\nb\nc\nd\ne\n");
  EXPECT_EQ(build("a<hr>b").text, "a\nb\n");
  EXPECT_EQ(build("a<unknown>b</unknown>c<svg><text>x</text></svg>").text, "abc\n");
}

TEST_F(BlockBuilderTest, OneBreakIsASpaceAndTwoEndTheBlock) {
  EXPECT_EQ(build("<p>a<br>b").text, "a b\n");
  EXPECT_EQ(build("<p>a<br><br>b").text, "a\nb\n");
  EXPECT_EQ(build("<p>a<br> \n <br/>b<br><br><br><br>c<br>").text, "a\nb\nc\n");
  EXPECT_EQ(build("<p>a <br> b").text, "a b\n");
  EXPECT_EQ(build("<p><br><br>a").text, "a\n");
  EXPECT_EQ(build("<p>a<br>\u3000\u3000b<br><b>c</b>").text, "a b c\n");
}

TEST_F(BlockBuilderTest, AssignsRolesAndLevels) {
  const MainContent& content = build(
      "<h2>Head</h2><p>text</p><ul><li>one<ul><li>two</ul><li>three</ul><blockquote>quote<p>more</blockquote>"
      "<dl><dt>term<dd>meaning</dl><p>end");
  ASSERT_EQ(content.text, "Head\ntext\none\ntwo\nthree\nquote\nmore\nterm\nmeaning\nend\n");
  const BlockRole roles[] = {BlockRole::kHeading,  BlockRole::kParagraph, BlockRole::kListItem, BlockRole::kListItem,
                             BlockRole::kListItem, BlockRole::kQuote,     BlockRole::kQuote,    BlockRole::kListItem,
                             BlockRole::kListItem, BlockRole::kParagraph};
  const int levels[] = {0, 0, 1, 2, 1, 0, 0, 1, 1, 0};
  for (std::size_t i = 0; i < content.blocks.size(); ++i) {
    EXPECT_EQ(content.blocks[i].role, roles[i]) << i;
    EXPECT_EQ(content.blocks[i].list_level, levels[i]) << i;
  }
  EXPECT_EQ(content.blocks[0].heading_level, 2);
  EXPECT_EQ(content.blocks[1].heading_level, 0);
}

TEST_F(BlockBuilderTest, KeepsLinesOfPreformattedText) {
  const MainContent& content = build("<pre>\nint x;\r\n\n  if (x)  y;<br>z;\n\n</pre>after");
  ASSERT_EQ(content.text, "int x;\n\n  if (x)  y;\nz;\nafter\n");
  EXPECT_EQ(content.blocks[0].role, BlockRole::kCode);
  EXPECT_EQ(content.blocks[1].role, BlockRole::kParagraph);
  EXPECT_EQ(build("<pre> \n </pre>x").text, "x\n");
  EXPECT_EQ(build("<pre><div>a</div><div>b</div></pre>").text, "a\nb\n");
}

TEST_F(BlockBuilderTest, JoinsOnlyCellsOfDataRows) {
  const MainContent& content =
      build("<table><tr><th>Name<th>Size<tr><td><p>a</p><td> 1 <b>kB</b></tr><tr><td>only</table>");
  ASSERT_EQ(content.text, "Name | Size\na | 1 kB\nonly\n");
  EXPECT_EQ(content.blocks[0].role, BlockRole::kTableRow);
  EXPECT_EQ(content.blocks[2].role, BlockRole::kParagraph);
  const MainContent& layout = build("<table><tr><td><p>one<p>two<td><ul><li>menu</ul></table>");
  EXPECT_EQ(layout.text, "one\ntwo\nmenu\n");
  EXPECT_EQ(layout.blocks[0].role, BlockRole::kParagraph);
  EXPECT_EQ(build("<table><tr><td></td><td>x</td><td></td><td>y</td></table>").text, "x | y\n");
}

// In a cell, such blocks were not seen when it was decided that the row has data, and their texts were one word.
TEST_F(BlockBuilderTest, DividesBlocksInsideInlineElementsOfCells) {
  EXPECT_EQ(build("<table><tr><td>a<td><x-cell><div>one</div><div>two</div>three</x-cell></table>").text,
            "a | one two three\n");
  EXPECT_EQ(build("<table><tr><td>a<td><x-cell>b <table><tr><td>c<td>d</table>e</x-cell><td>f</table>").text,
            "a | b | c | d | e | f\n");
  EXPECT_EQ(build("<table><tr><td><p>a</p><td><div> b </div></table>c").text, "a | b\nc\n");
}

TEST_F(BlockBuilderTest, SkipsHiddenElements) {
  EXPECT_EQ(build("a<p hidden>b</p><p style='color:red; DISPLAY : none'>c</p><p style='visibility:hidden'>d</p>e").text,
            "ae\n");
  EXPECT_EQ(build("<p style='display:block'>a</p>").text, "a\n");
  EXPECT_EQ(build("<select><option>x</select><textarea>y</textarea><noscript>z</noscript>").text, "z\n");
}

TEST_F(BlockBuilderTest, HandlesUnclosedElements) {
  EXPECT_EQ(build("<table><tr><td><ul><li><pre><blockquote><h1>deep").text, "deep\n");
  EXPECT_EQ(build("</p></td></ul></pre>x</h1></blockquote>").text, "x\n");
}

TEST_F(BlockBuilderTest, CollapsesTitles) {
  EXPECT_EQ(build("<title>\n  A \t title </title>x").title, "A title");
  EXPECT_EQ(build("x").title, "");
}

TEST(PlainText, LinesAreBlocksUnlessWrappedByHand) {
  MainContent content;
  extract_plain_text("first line\nsecond  line\r\n\n  third\n", content);
  EXPECT_EQ(content.text, "first line\nsecond line\nthird\n");
  extract_plain_text("one\ntwo\nthree\n\nfour\nfive\nsix", content);
  EXPECT_EQ(content.text, "one two three\nfour five six\n");
  extract_plain_text("", content);
  EXPECT_TRUE(content.blocks.empty());
}

TEST(PlainText, ReadsMarkdownHeadings) {
  MainContent content;
  extract_plain_text("# Title\ntext\n### Part #\n#no heading\n#######  seven", content);
  ASSERT_EQ(content.text, "Title\ntext\nPart #\n#no heading\n####### seven\n");
  EXPECT_EQ(content.title, "Title");
  EXPECT_EQ(content.blocks[0].role, BlockRole::kHeading);
  EXPECT_EQ(content.blocks[0].heading_level, 1);
  EXPECT_EQ(content.blocks[2].heading_level, 3);
  EXPECT_EQ(content.blocks[3].role, BlockRole::kParagraph);
  extract_plain_text("# Title", content, {.markdown_headings = false});
  EXPECT_EQ(content.text, "# Title\n");
}

}  // namespace
}  // namespace paraprint
