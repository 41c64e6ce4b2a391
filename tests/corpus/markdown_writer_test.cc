#include "corpus/markdown_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../markdown_text.h"
#include "extract/extractor.h"

namespace paraprint {
namespace {

using paraprint::testing::text_of_markdown;
using paraprint::testing::without_white_space;

struct Rendered {
  std::string text;
  std::string markdown;
};

Rendered render(std::string_view html, Extractor& extractor, std::string_view url = "https://example.org/a/b") {
  HtmlDocument document;
  EXPECT_TRUE(document.parse(html).has_value());
  MainContent content;
  std::vector<ContentRun> runs;
  StopCheck never;
  extractor.extract(document, content, never, &runs);
  MarkdownWriter writer;
  Rendered rendered{content.text, ""};
  writer.write(document, content, runs, url, rendered.markdown, never);
  return rendered;
}

std::string markdown_of(std::string_view html, std::string_view url = "https://example.org/a/b") {
  return render(html, *make_whole_page_extractor(), url).markdown;
}

TEST(MarkdownWriter, WritesBlocks) {
  EXPECT_EQ(markdown_of(""), "");
  EXPECT_EQ(markdown_of("<p>One.<p>Two\n  lines."), "One.\n\nTwo lines.\n");
  EXPECT_EQ(markdown_of("<h1>Title</h1><p>Text<h3><b>Part</b> one</h3>"), "# Title\n\nText\n\n### Part one\n");
  EXPECT_EQ(markdown_of("<blockquote><p>One<p>Two</blockquote><p>Three"), "> One\n>\n> Two\n\nThree\n");
  EXPECT_EQ(markdown_of("<blockquote>A<blockquote>B</blockquote></blockquote><blockquote>C</blockquote>"),
            "> A\n>\n> > B\n\n> C\n");
}

TEST(MarkdownWriter, WritesLists) {
  EXPECT_EQ(markdown_of("<ul><li>One<li>Two</ul><p>Text"), "- One\n- Two\n\nText\n");
  EXPECT_EQ(markdown_of("<ol start=9><li>Nine<li><p>Ten</p><p>more</p><li>Eleven</ol>"),
            "9. Nine\n10. Ten\n\n    more\n11. Eleven\n");
  EXPECT_EQ(markdown_of("<ul><li>One<ol><li>Inner<li>Second</ol><li>Two</ul>"),
            "- One\n  1. Inner\n  2. Second\n- Two\n");
  // Two lists next to each other stay two.
  EXPECT_EQ(markdown_of("<ul><li>One</ul><ul><li>Two<li>Three</ul>"), "- One\n\n* Two\n* Three\n");
  EXPECT_EQ(markdown_of("<ol><li>One</ol><ol><li>Two</ol>"), "1. One\n\n1) Two\n");
  EXPECT_EQ(markdown_of("<dl><div><dt>Term<dd>Meaning</div><div><dt>Other</div></dl>"), "- Term\n- Meaning\n- Other\n");
  // A number that cannot interrupt the text before it.
  EXPECT_EQ(markdown_of("<ul><li>One<ol start=3><li>Three</ol></ul>"), "- One\n\n  3. Three\n");
  EXPECT_EQ(markdown_of("<ol start=99999999999999><li>One<li>Two</ol>"), "999999999. One\n999999999. Two\n");
}

// With <div> around some of them: a number each, in their order, whatever has no text.
TEST(MarkdownWriter, NumbersItems) {
  EXPECT_EQ(markdown_of("<ol><li>a</li><div><li>b</li></div><li>c</li><div><li>d</li></div></ol>"),
            "1. a\n2. b\n3. c\n4. d\n");
  EXPECT_EQ(markdown_of("<ol><div><li>a<li>b</div><li></li><div><li>d</div><div>text</div><li>e<li>f</ol>"),
            "1. a\n2. b\n4. d\n\ntext\n\n5. e\n6. f\n");
  EXPECT_EQ(markdown_of("<ol start=3><li>a<p>more</p><ol><div><li>x<p>y</p></div><li>z</ol></ol>"),
            "3. a\n\n   more\n   1. x\n\n      y\n   2. z\n");
}

TEST(MarkdownWriter, WritesCode) {
  EXPECT_EQ(markdown_of("<pre><code class='language-cpp'>int a;\n\n  b(*c);\n</code></pre>"),
            "```cpp\nint a;\n\n  b(*c);\n```\n");
  EXPECT_EQ(markdown_of("<div class='highlight-source-go'><pre>x</pre></div>"), "```go\nx\n```\n");
  EXPECT_EQ(markdown_of("<pre class='language-a`b'>```\n````</pre>"), "`````\n```\n````\n`````\n");
  EXPECT_EQ(markdown_of("<ul><li>Do<pre>one\ntwo</pre></ul>"), "- Do\n\n  ```\n  one\n  two\n  ```\n");
  // Of what is around the code, the innermost name counts; beyond the element around <pre>, none does.
  EXPECT_EQ(markdown_of("<div class=lang-a><pre class=lang-b>x</pre><pre>y</pre><div><pre>z</pre></div></div>"),
            "```b\nx\n```\n\n```a\ny\n```\n\n```\nz\n```\n");
  EXPECT_EQ(markdown_of("<pre><code class=lang-a>x</code></pre><pre><b><i>y</i></b></pre>"),
            "```a\nx\n```\n\n```\ny\n```\n");
  // Empty lines have no spaces at their end.
  EXPECT_EQ(markdown_of("<blockquote><ul><li>Do<pre>one\n\ntwo</pre></ul></blockquote>"),
            "> - Do\n>\n>   ```\n>   one\n>\n>   two\n>   ```\n");
  EXPECT_EQ(markdown_of("<p>Call <code>f(`x`)</code> or <code>`y`</code>."), "Call ``f(`x`)`` or `` `y` ``.\n");
}

TEST(MarkdownWriter, WritesTables) {
  EXPECT_EQ(markdown_of("<table><tr><th>A<th>B<tr><td>1<td>a|b</table>"), "| A | B |\n| --- | --- |\n| 1 | a\\|b |\n");
  EXPECT_EQ(markdown_of("<table><tr><td>1<td>2<tr><td>3<td><b>4</b><td>5</table>"),
            "|  |  |  |\n| --- | --- | --- |\n| 1 | 2 |\n| 3 | **4** | 5 |\n");
  EXPECT_EQ(markdown_of("<table><tr><td>1<td><td>3</table>"), "|  |  |  |\n| --- | --- | --- |\n| 1 |  | 3 |\n");
  EXPECT_EQ(markdown_of("<ul><li>See<table><tr><td>1<td><code>a|b</code></table></ul>"),
            "- See\n\n  |  |  |\n  | --- | --- |\n  | 1 | `a\\|b` |\n");
  // A table within a line of a cell: its cells are columns like others.
  EXPECT_EQ(markdown_of("<table><tr><td>x<td><span><table><tr><td>a<td><td></table></span><td>b<td>c</table>"),
            "|  |  |  |  |\n| --- | --- | --- | --- |\n| x | a | b | c |\n");
  // Two tables stay two.
  EXPECT_EQ(markdown_of("<table><tr><th>1<th>2</table><table><tr><th>3<th>4</table>"),
            "| 1 | 2 |\n| --- | --- |\n\n| 3 | 4 |\n| --- | --- |\n");
}

TEST(MarkdownWriter, WritesEmphasis) {
  EXPECT_EQ(markdown_of("<p>An <em>even <strong>louder</strong></em> word"), "An *even* ***louder*** word\n");
  EXPECT_EQ(markdown_of("<p><b>All </b>of <del>them</del> it"), "**All** of ~~them~~ it\n");
  EXPECT_EQ(markdown_of("<p>intra<b>word</b>s"), "intra**word**s\n");
  // Where delimiters would not be recognised, there are none.
  EXPECT_EQ(markdown_of("<p>这是<b>“重要”</b>的"), "这是“重要”的\n");
  EXPECT_EQ(markdown_of("<p>这是<b>重要</b>的"), "这是**重要**的\n");
  EXPECT_EQ(markdown_of("<p><b>a</b><i>b</i>c"), "**a**bc\n");
  EXPECT_EQ(markdown_of("<p><i><b>a</b>. b</i>"), "***a***. b\n");
  EXPECT_EQ(markdown_of("<p><del>a <b>b <i>c</i> <s>d</s></b> <b>e</b> f</del> g<p><b>h</b> i"),
            "~~a~~ **~~b~~ *~~c~~* ~~d e~~** ~~f~~ g\n\n**h** i\n");
}

TEST(MarkdownWriter, WritesLinks) {
  EXPECT_EQ(markdown_of("<p>See <a href='../c?x=1&y=(2)'>the <b>page</b></a>!"),
            "See [the **page**](https://example.org/c?x=1&y=%282%29)!\n");
  EXPECT_EQ(markdown_of("<base href='https://other.example/'><p><a href=c>c</a>"), "[c](https://other.example/c)\n");
  EXPECT_EQ(markdown_of("<p>wow!<a href=c>c</a>"), "wow\\![c](https://example.org/a/c)\n");
  EXPECT_EQ(markdown_of("<p><a href='/a|b&copy;'>x</a>"), "[x](https://example.org/a%7Cb%C2%A9)\n");
  for (const std::string_view target :
       {"javascript:alert(1)", " JaVaScRiPt:alert(1)", "java\tscript:x", "data:text/html,x", "#part", "", "vbscript:x",
        "mailto:a@example.org", "http://[", "file:///etc/passwd"}) {
    EXPECT_EQ(markdown_of("<p><a href='" + std::string(target) + "'>x</a>"), "x\n") << target;
  }
  EXPECT_EQ(markdown_of("<p><a href=c>x</a>", ""), "x\n");  // relative to nothing
  EXPECT_EQ(markdown_of("<p><a href=c><b>x</b> <i>y</i></a> <b>z</b>"), "[**x** *y*](https://example.org/a/c) **z**\n");
}

// Each short link stands for a long address here.
TEST(MarkdownWriter, BoundsWhatAddressesAdd) {
  std::string page = "<base href='https://example.org/" + std::string(2000, 'b') + "/'><p>";
  for (int link = 0; link < 20'000; ++link) page += "<a href=c>d</a> ";
  const std::string markdown = markdown_of(page);
  EXPECT_LT(markdown.size(), 12 * page.size());
  EXPECT_EQ(without_white_space(text_of_markdown(markdown)), std::string(20'000, 'd'));
  EXPECT_TRUE(markdown.starts_with("[d](https://example.org/bbb")) << "the first ones are links";
}

TEST(MarkdownWriter, EscapesWhatWouldBeMarkup) {
  EXPECT_EQ(markdown_of("<p>*a* _b_ snake_case `c` [d](e) &lt;b> \\ ~f~"),
            "\\*a\\* \\_b\\_ snake_case \\`c\\` \\[d\\](e) \\<b> \\\\ \\~f\\~\n");
  EXPECT_EQ(markdown_of("<p># a<p>- b<p>+ c<p>1. d<p>2) e<p>&gt; f<p>---<p>1.5<p>-1<p>= g"),
            "\\# a\n\n\\- b\n\n\\+ c\n\n1\\. d\n\n2\\) e\n\n\\> f\n\n\\---\n\n1.5\n\n-1\n\n\\= g\n");
  EXPECT_EQ(markdown_of("<p>&amp;lt; &amp;#38; R&amp;D"), "\\&lt; \\&#38; R&D\n");
  EXPECT_EQ(markdown_of("<h2>C # ##</h2>"), "## C \\# \\#\\#\n");
  EXPECT_EQ(markdown_of("<p>&lt;script>alert(1)&lt;/script>"), "\\<script>alert(1)\\</script>\n");
}

TEST(MarkdownWriter, BoundsNesting) {
  std::string html;
  for (int i = 0; i < 200; ++i) html += "<blockquote><ul><li>";
  html += "deep";
  const std::string markdown = markdown_of(html);
  EXPECT_TRUE(markdown.ends_with("deep\n"));
  EXPECT_LE(markdown.size(), 2 * kMarkdownNestingMaximum + 5);
}

// Long numbers count for more than one level: a page of short lines would grow by all of them on each line.
TEST(MarkdownWriter, BoundsIndentation) {
  constexpr std::size_t kLongestMarkerBytes = 11;
  std::string html;
  for (int i = 0; i < 200; ++i) html += "<ol start=999999999><li>";
  html += "<pre>";
  for (int i = 0; i < 1000; ++i) html += "a\n\n";
  const std::string markdown = markdown_of(html);
  std::size_t longest_line_bytes = 0;
  for (std::size_t begin = 0, end = 0; begin < markdown.size(); begin = end + 1) {
    end = markdown.find('\n', begin);
    longest_line_bytes = std::max(longest_line_bytes, end - begin);
    EXPECT_FALSE(end > begin && markdown[end - 1] == ' ');
  }
  EXPECT_LT(longest_line_bytes, kMarkerBytesMaximum + kLongestMarkerBytes + 4);
  EXPECT_GT(longest_line_bytes, kMarkerBytesMaximum);
}

TEST(MarkdownWriter, WritesPagesWithoutATree) {
  MainContent content;
  content.text = "A *title*\nText\n";
  content.blocks = {{{0, 9}, BlockRole::kHeading, 2, 0}, {{10, 14}, BlockRole::kTableRow, 0, 0}};
  HtmlDocument document;
  StopCheck never;
  std::string markdown;
  MarkdownWriter().write(document, content, {}, "", markdown, never);
  EXPECT_EQ(markdown, "## A \\*title\\*\n\nText\n");
}

// Any tree of these elements and texts, unclosed and misplaced tags included.
rc::Gen<std::string> html_pages() {
  static const std::vector<std::string> kPieces = {"<p>",
                                                   "</p>",
                                                   "<b>",
                                                   "</b>",
                                                   "<i>",
                                                   "</i>",
                                                   "<em>",
                                                   "<strong>",
                                                   "</strong>",
                                                   "<del>",
                                                   "</del>",
                                                   "<code>",
                                                   "</code>",
                                                   "<a href='x(y)'>",
                                                   "<a href='javascript:1'>",
                                                   "</a>",
                                                   "<ul>",
                                                   "</ul>",
                                                   "<ol start=8>",
                                                   "</ol>",
                                                   "<li>",
                                                   "</li>",
                                                   "<blockquote>",
                                                   "</blockquote>",
                                                   "<pre>",
                                                   "</pre>",
                                                   "<h2>",
                                                   "</h2>",
                                                   "<table><tr>",
                                                   "</table>",
                                                   "<td>",
                                                   "<th>",
                                                   "<tr>",
                                                   "<div>",
                                                   "</div>",
                                                   "<br>",
                                                   "<dl>",
                                                   "<dt>",
                                                   "<dd>",
                                                   "</dl>",
                                                   " ",
                                                   "\n",
                                                   "word",
                                                   "two words",
                                                   "。",
                                                   "“引”",
                                                   "汉字",
                                                   "*",
                                                   "_",
                                                   "`",
                                                   "``",
                                                   "[",
                                                   "](u)",
                                                   "!",
                                                   "#",
                                                   "# a",
                                                   "- ",
                                                   "1. ",
                                                   "12) ",
                                                   "&gt; ",
                                                   "&lt;b>",
                                                   "\\",
                                                   "|",
                                                   " | ",
                                                   "~~",
                                                   "&amp;amp;",
                                                   "&nbsp;",
                                                   "---",
                                                   "=",
                                                   "+ ",
                                                   "a_b",
                                                   "http://e.example/_x_",
                                                   "é",
                                                   "😀"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)),
                      [](const std::vector<std::string>& pieces) {
                        std::string html;
                        for (const std::string& piece : pieces) html += piece;
                        return html;
                      });
}

RC_GTEST_PROP(MarkdownWriter, ShowsTheTextThatWasExtracted, ()) {
  const std::string html = *html_pages();
  for (const auto& extractor :
       {make_whole_page_extractor(), make_learned_dom_extractor(), make_weighted_dom_extractor()}) {
    const Rendered rendered = render(html, *extractor);
    RC_LOG() << extractor->name() << "\n" << html << "\n" << rendered.markdown;
    RC_ASSERT(without_white_space(text_of_markdown(rendered.markdown)) == without_white_space(rendered.text));
  }
}

}  // namespace
}  // namespace paraprint
