#include "html/document.h"

#include <gtest/gtest.h>

#include <string>

#include "html/walker.h"

namespace paraprint {
namespace {

std::string text_of_page(const HtmlDocument& document) {
  std::string text;
  for (const HtmlNode* node = document.root(); node != nullptr; node = next_in_document_order(node, document.root())) {
    if (is_text(node)) text.append(text_of(node));
  }
  return text;
}

TEST(HtmlDocument, ParsesAndIsReusable) {
  HtmlDocument document;
  ASSERT_TRUE(document.parse("<title>One</title><p class='a b' id=x role=main>Hello <b>world</b>"));
  EXPECT_EQ(document.title(), "One");
  const HtmlNode* paragraph = document.body()->first_child;
  ASSERT_TRUE(has_tag(paragraph, LXB_TAG_P));
  EXPECT_EQ(class_of(paragraph), "a b");
  EXPECT_EQ(id_of(paragraph), "x");
  EXPECT_EQ(document.attribute(paragraph, HtmlAttribute::kRole), "main");
  EXPECT_FALSE(document.has_attribute(paragraph, HtmlAttribute::kHidden));
  ASSERT_TRUE(document.parse("<p>Second"));
  EXPECT_EQ(document.title(), "");
  EXPECT_EQ(text_of_page(document), "Second");
  EXPECT_FALSE(document.limits_passed().any());
}

TEST(HtmlDocument, NestsHundredThousandTags) {
  std::string page;
  for (int i = 0; i < 100'000; ++i) page += "<div>";
  page += "deep";
  HtmlDocument document;
  ASSERT_TRUE(document.parse(page));
  EXPECT_TRUE(document.limits_passed().depth);
  EXPECT_EQ(text_of_page(document), "deep");
}

}  // namespace
}  // namespace paraprint
