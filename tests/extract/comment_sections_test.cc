// Weights of comment sections: lowered below articles, unchanged in threads and forums.
#include "extract/comment_sections.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

constexpr BlockWeight kCommentedProse = 200;
constexpr BlockWeight kLowered = 200 - 32;

// A paragraph of `count` words.
std::string prose(int count) {
  std::string text = "<p>";
  for (int i = 0; i < count; ++i) text += "word ";
  return text + "</p>";
}

// The weights of a page's units, all prose at first.
std::vector<BlockWeight> lowered(const std::string& body, const std::string& head = "") {
  HtmlDocument document;
  EXPECT_TRUE(document.parse("<html><head>" + head + "</head><body>" + body + "</body></html>"));
  PageTreeReader reader;
  PageTree tree;
  reader.read(document, tree);
  std::vector<BlockWeight> weights(tree.units.size(), kCommentedProse);
  CommentSections().lower(tree, weights);
  return weights;
}

TEST(CommentSections, LowersCommentsBelowAnArticle) {
  for (const char* name : {"class=\"site-comments\"", "id=\"Comments\"", "class=\"list blogCommentBox\"",
                           "id=\"disqus_thread\"", "class=pinglun"}) {
    std::string body = prose(100);
    body.append("<div ").append(name).append("><div class=comment>").append(prose(9)).append("</div>");
    body.append(prose(9)).append("</div>").append(prose(5));
    EXPECT_EQ(lowered(body), (std::vector<BlockWeight>{kCommentedProse, kLowered, kLowered, kCommentedProse})) << name;
  }
}

TEST(CommentSections, LowersEachSectionOnce) {
  const std::string section = "<div class=comments>" + prose(50) + "</div>";
  EXPECT_EQ(lowered(prose(100) + section + section), (std::vector<BlockWeight>{kCommentedProse, kLowered, kLowered}));
}

TEST(CommentSections, KeepsCommentsWithoutAnArticle) {
  const std::string section = "<div class=comments>" + prose(50) + "</div>";
  EXPECT_EQ(lowered(prose(20) + section + section), std::vector<BlockWeight>(3, kCommentedProse));
  EXPECT_EQ(lowered(section + prose(100)), std::vector<BlockWeight>(2, kCommentedProse));
}

TEST(CommentSections, KeepsRepliesAndReviews) {
  for (const char* name : {"replies", "reviews", "discussion", "content"}) {
    std::string body = prose(100);
    body.append("<div class=").append(name).append(">").append(prose(50)).append("</div>");
    EXPECT_EQ(lowered(body), std::vector<BlockWeight>(2, kCommentedProse));
  }
}

TEST(CommentSections, KeepsCommentsInForums) {
  const std::string body = prose(100) + "<div class=comments>" + prose(50) + "</div>";
  const std::string head = R"(<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>)";
  EXPECT_EQ(lowered(body, head), std::vector<BlockWeight>(2, kCommentedProse));
}

TEST(CommentSections, WeightsDoNotWrapAround) {
  HtmlDocument document;
  ASSERT_TRUE(
      document.parse("<html><body>" + prose(100) + "<div class=comments>" + prose(50) + "</div></body></html>"));
  PageTreeReader reader;
  PageTree tree;
  reader.read(document, tree);
  std::vector<BlockWeight> weights = {kCommentedProse, 3};
  CommentSections().lower(tree, weights);
  EXPECT_EQ(weights, (std::vector<BlockWeight>{kCommentedProse, 0}));
}

}  // namespace
}  // namespace paraprint
