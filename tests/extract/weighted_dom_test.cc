// The worked examples of the published formula (docs/algorithms/extraction.md). An extractor only keeps or drops, so a
// weight is tested from both sides: the carrier is kept with tau just below it and dropped with tau just above it, next
// to a carrier that is always kept.
#include <gtest/gtest.h>

#include <string>

#include "extract/extractor.h"

namespace paraprint {
namespace {

std::string extract_weighted(std::string_view html, const WeightedDomOptions& options = {}) {
  HtmlDocument document;
  EXPECT_TRUE(document.parse(html));
  MainContent content;
  make_weighted_dom_extractor(options)->extract(document, content);
  return content.text;
}

// Whether the carrier with `mark` has the given weight.
void expect_weight(const std::string& html, const std::string& mark, double weight) {
  constexpr double kStep = 1e-6;
  WeightedDomOptions options;
  options.maximum_link_share = 1;
  options.minimum_weight = weight - kStep;
  EXPECT_NE(extract_weighted(html, options).find(mark), std::string::npos) << "lighter than " << weight;
  options.minimum_weight = weight + kStep;
  EXPECT_EQ(extract_weighted(html, options).find(mark), std::string::npos) << "heavier than " << weight;
}

// A long <p> without attributes that every tau below 1 keeps, at the depth that makes x_ref `depth`.
std::string anchor(int depth) {
  std::string html;
  for (int i = 1; i < depth; ++i) html += "<div>";
  html += "<p>" + std::string(100'000, 'z') + "</p>";
  for (int i = 1; i < depth; ++i) html += "</div>";
  return html;
}

TEST(WeightedDom, DeepDenseParagraphWeighsNineTenths) {
  // <p title="..."></p>: 7 characters of tags, 9 of the attribute and its value, then text: D = text / (text + markup).
  const std::string text = "mark" + std::string(76, 'a');  // 80 characters
  const std::string html =
      anchor(4) + "<div><div><div>" + "<p id=\"" + std::string(7, 'i') + "\">" + text + "</p></div></div></div>";
  expect_weight(html, "mark", 0.5 * 0.8 + 0.3 + 0.2);
}

TEST(WeightedDom, SparseTopLevelListWeighsOneTenth) {
  // <ul>..</ul> of 100 characters, 20 of them text owned by the list.
  const std::string html =
      anchor(4) + "<ul id=\"" + std::string(65, 'i') + "\">" + "mark" + std::string(16, 'a') + "</ul>";
  expect_weight(html, "mark", 0.5 * 0.2);
}

TEST(WeightedDom, KeepsAFlatPage) {
  // De = 0 for children of <body>, so W = 0.5*D + 0.3, and x_ref is at least 2.
  const std::string text = "mark" + std::string(76, 'a');
  expect_weight("<p id=\"" + std::string(7, 'i') + "\">" + text + "</p><p>" + std::string(10'000, 'z') + "</p>", "mark",
                0.7);
  EXPECT_EQ(extract_weighted("<p>One paragraph.</p><p>Another paragraph.</p>"), "One paragraph.\nAnother paragraph.\n");
}

TEST(WeightedDom, DropsLinkListsAndClutter) {
  EXPECT_EQ(
      extract_weighted("<nav><p>navigation</p></nav><div><p>The text of the page, with <a href=x>a link</a> in it.</p>"
                       "<p><a href=y>only a long link here</a> x</p></div><aside><p>aside</p></aside>"
                       "<footer><p>footer</p></footer><form><p>form</p></form>"),
      "The text of the page, with a link in it.\n");
}

TEST(WeightedDom, DropsCarriersButNeverContainers) {
  // The <div> is mostly markup and therefore light; its <p> is kept.
  std::string html =
      "<div class=\"" + std::string(5000, 'c') + "\"><p>The text that a reader wants to have stays here.</p></div>";
  EXPECT_EQ(extract_weighted(html), "The text that a reader wants to have stays here.\n");
}

TEST(WeightedDom, WritesOnlyTextOwnedByACarrier) {
  const std::string text(100, 't');
  // The list items are light (links); the text around them belongs to the <div>.
  EXPECT_EQ(extract_weighted("<section><div>" + text + "<ul><li><a href=1>link one</a><li><a href=2>link two</a></ul>" +
                             text + "</div></section>"),
            text + "\n" + text + "\n");
}

TEST(WeightedDom, FallsBackToTheCarrierWithMostText) {
  EXPECT_EQ(extract_weighted("<ul><li><a href=1>one</a></li><li>the longest item of all <a href=2>two</a></li></ul>"),
            "the longest item of all two\n");
  EXPECT_EQ(extract_weighted("<a href=1>x</a>"), "x\n");
}

TEST(WeightedDom, HandlesEmptyPages) {
  EXPECT_EQ(extract_weighted(""), "");
  EXPECT_EQ(extract_weighted("<p></p><div> </div>"), "");
  EXPECT_EQ(extract_weighted("x"), "x\n");
  EXPECT_EQ(extract_weighted("<frameset><frame></frameset>"), "");
}

TEST(WeightedDom, TitleIsTitleElementOrFirstHeading) {
  HtmlDocument document;
  MainContent content;
  const auto extractor = make_weighted_dom_extractor();
  EXPECT_EQ(extractor->name(), "weighted-dom");
  ASSERT_TRUE(document.parse("<title> The\n title </title><h1>Heading</h1><p>Text of this page.</p>"));
  extractor->extract(document, content);
  EXPECT_EQ(content.title, "The title");
  ASSERT_TRUE(document.parse("<h1>Heading of it</h1><p>Text of this page.</p>"));
  extractor->extract(document, content);
  EXPECT_EQ(content.title, "Heading of it");
}

TEST(WeightedDom, ResultsDoNotDependOnEarlierPages) {
  HtmlDocument document;
  MainContent first;
  MainContent again;
  const auto extractor = make_weighted_dom_extractor();
  const std::string page = "<div><p>One paragraph of text.</p><ul><li>item</ul></div>";
  ASSERT_TRUE(document.parse(page));
  extractor->extract(document, first);
  ASSERT_TRUE(document.parse(std::string(100, '<') + "<table><td><p>other<pre>x"));
  extractor->extract(document, again);
  ASSERT_TRUE(document.parse(page));
  extractor->extract(document, again);
  EXPECT_EQ(first.text, again.text);
  EXPECT_EQ(first.blocks.size(), again.blocks.size());
}

}  // namespace
}  // namespace paraprint
