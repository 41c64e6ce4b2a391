// The default extractor on pages written for these tests: the main content is kept, its surroundings are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "extract/extractor.h"

namespace paraprint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

MainContent extract(std::string_view html) {
  HtmlDocument document;
  EXPECT_TRUE(document.parse(html));
  MainContent content;
  make_learned_dom_extractor()->extract(document, content);
  return content;
}

std::string page(std::string_view title, std::string_view body) {
  return "<!DOCTYPE html><html><head><title>" + std::string(title) + "</title></head><body>" + std::string(body) +
         "</body></html>";
}

constexpr std::string_view kNavigation =
    "<header class=\"site-header\"><a href=\"/\">Harbour News</a><nav><ul><li><a href=\"/world\">World</a></li>"
    "<li><a href=\"/sport\">Sport</a></li><li><a href=\"/weather\">Weather</a></li></ul></nav></header>";
constexpr std::string_view kFooter =
    "<footer class=\"footer\"><p>Copyright 2024 Harbour News. All rights reserved.</p><ul><li><a href=\"/about\">About "
    "us"
    "</a></li><li><a href=\"/terms\">Terms of use</a></li><li><a href=\"/privacy\">Privacy</a></li></ul></footer>";
constexpr std::string_view kEnglishBody =
    "<p>The old ferry between the two islands will run again from Monday, the council said after a long meeting. It "
    "had "
    "been laid up since the storm of last winter, which tore away most of the landing stage.</p>"
    "<p>Repairs took longer than planned, because the yard had to wait for oak of the right length. \"We could have "
    "used "
    "pine,\" the master of the yard said, \"but pine would have lasted ten years, and oak will last fifty.\"</p>"
    "<p>Tickets cost the same as before. Children under six, bicycles and dogs travel free, and the first boat leaves "
    "at "
    "half past six in the morning, in time for the school bus on the other side.</p>";

TEST(LearnedDomExtractor, KeepsAnEnglishArticleWithoutItsSurroundings) {
  const MainContent content = extract(
      page("Ferry runs again - Harbour News",
           std::string(kNavigation) + "<div class=\"content\"><article><h1>Ferry runs again</h1>" +
               std::string(kEnglishBody) +
               "<div class=\"share\"><a href=\"#\">Share on Facebook</a> <a href=\"#\">Tweet</a></div></article></div>"
               "<aside class=\"sidebar\"><h3>Most popular</h3><ul><li><a href=\"/1\">Ten harbours to see before the "
               "summer ends"
               "</a></li><li><a href=\"/2\">Why gulls steal chips</a></li></ul></aside>" +
               std::string(kFooter)));
  EXPECT_THAT(content.text, HasSubstr("The old ferry between the two islands"));
  EXPECT_THAT(content.text, HasSubstr("oak will last fifty.\"\n"));
  EXPECT_THAT(content.text, HasSubstr("in time for the school bus"));
  EXPECT_THAT(content.text, Not(HasSubstr("Weather")));
  EXPECT_THAT(content.text, Not(HasSubstr("gulls steal chips")));
  EXPECT_THAT(content.text, Not(HasSubstr("All rights reserved")));
  EXPECT_EQ(content.title, "Ferry runs again - Harbour News");
}

TEST(LearnedDomExtractor, KeepsAChineseArticleWithoutItsSurroundings) {
  const MainContent content = extract(
      page("老渡船恢复通航_海港新闻",
           "<div class=\"nav\"><a href=\"/\">首页</a> | <a href=\"/gn\">国内</a> | <a href=\"/ty\">体育</a></div>"
           "<div class=\"main\"><h1>老渡船恢复通航</h1><div class=\"info\">2024年5月1日 来源：海港新闻</div><div "
           "class=\"text\">"
           "<p>"
           "两岛之间的老渡船将于下周一恢复通航，议会在长时间的会议之后宣布了这一消息。去年冬天的风暴摧毁了大部分码头，"
           "渡船一直停航至今。</p>"
           "<p>"
           "修缮工作比原计划更久，因为船厂必须等待长度合适的橡木。船厂师傅说：“用松木也可以，但松木只能用十年，橡木能用"
           "五十年。”</p>"
           "<p>票价与从前相同。六岁以下的儿童、自行车和狗都免费，第一班船在早上六点半出发，正好赶上对岸的校车。</p></"
           "div></div>"
           "<div class=\"related\"><h3>相关阅读</h3><ul><li><a href=\"/1\">夏天结束之前值得一看的十个海港</a></li>"
           "<li><a href=\"/2\">海鸥为什么偷薯条</a></li></ul></div><div class=\"footer\">版权所有 海港新闻 备案号 "
           "12345</div>"));
  EXPECT_THAT(content.text, HasSubstr("两岛之间的老渡船将于下周一恢复通航"));
  EXPECT_THAT(content.text, HasSubstr("正好赶上对岸的校车。\n"));
  EXPECT_THAT(content.text, Not(HasSubstr("海鸥为什么偷薯条")));
  EXPECT_THAT(content.text, Not(HasSubstr("版权所有")));
}

TEST(LearnedDomExtractor, LongCommentsDoNotReplaceTheArticle) {
  std::string comments = "<div id=\"comments\" class=\"comments\"><h3>12 comments</h3><ol>";
  for (int i = 0; i < 12; ++i) {
    comments +=
        "<li class=\"comment\"><div class=\"comment-author\">reader" + std::to_string(i) +
        "</div><div class=\"comment-body\"><p>I have taken that boat every summer since I was a child, and I must "
        "say, the crew always waited for us. What a good thing, number " +
        std::to_string(i) + ".</p></div><a href=\"#\">Reply</a></li>";
  }
  const MainContent content = extract(page("Ferry runs again", std::string(kNavigation) +
                                                                   "<article class=\"post\"><h1>Ferry runs again</h1>"
                                                                   "<div class=\"entry-content\">" +
                                                                   std::string(kEnglishBody) + "</div></article>" +
                                                                   comments + "</ol></div>" + std::string(kFooter)));
  EXPECT_THAT(content.text, HasSubstr("Repairs took longer than planned"));
  EXPECT_THAT(content.text, Not(HasSubstr("the crew always waited")));
}

TEST(LearnedDomExtractor, CookieBannerIsNotTheArticle) {
  const MainContent content = extract(page(
      "Ferry runs again",
      "<div id=\"cookie-banner\" class=\"cookie-consent\" role=\"dialog\"><p>We value your privacy. We and our "
      "partners use "
      "cookies to store and access information on a device, to measure ads, and to improve our products. You may "
      "accept "
      "all cookies, or refuse them, at any time.</p><button>Accept all</button></div><main><h1>Ferry runs again</h1>" +
          std::string(kEnglishBody) + "</main>" + std::string(kFooter)));
  EXPECT_THAT(content.text, HasSubstr("The old ferry"));
  EXPECT_THAT(content.text, Not(HasSubstr("our partners use")));
}

TEST(LearnedDomExtractor, DocumentationKeepsHeadingsListsAndCode) {
  const MainContent content = extract(page(
      "Install the tool | Guide",
      "<nav class=\"navbar\"><a href=\"/\">Guide</a><a href=\"/api\">API</a></nav><div class=\"sidebar "
      "menu\"><ul><li><a "
      "href=\"/a\">Getting started</a></li><li><a href=\"/b\">Configuration</a></li></ul></div><main><article>"
      "<div class=\"markdown\"><h1>Install the tool</h1><p>The tool runs on any machine with a C++ compiler, and it "
      "needs "
      "no other library to be present.</p><h2>From source</h2><p>Fetch the source, then run these commands in its "
      "folder:"
      "</p><pre><code>cmake -B build\ncmake --build build</code></pre><ul><li>The program is build/tool, and it may be "
      "moved anywhere.</li><li>Tests run with ctest, which comes with CMake.</li></ul></div></article></main>" +
          std::string(kFooter)));
  EXPECT_THAT(content.text, HasSubstr("From source\n"));
  EXPECT_THAT(content.text, HasSubstr("cmake -B build\ncmake --build build\n"));
  EXPECT_THAT(content.text, HasSubstr("Tests run with ctest"));
  EXPECT_THAT(content.text, Not(HasSubstr("Configuration")));
  bool has_code = false;
  for (const TextBlock& block : content.blocks) has_code |= block.role == BlockRole::kCode;
  EXPECT_TRUE(has_code);
}

TEST(LearnedDomExtractor, ForumThreadKeepsItsPosts) {
  std::string posts;
  for (int i = 0; i < 5; ++i) {
    posts +=
        "<div class=\"post\"><div class=\"postprofile\"><a href=\"/u\">sailor" + std::to_string(i) +
        "</a> Posts: 12</div><div class=\"postbody\"><div class=\"content\">My engine will not start when it is cold, "
        "and I have cleaned the filter already. Answer " +
        std::to_string(i) + " was to look at the glow plugs, but they are fine.</div></div></div>";
  }
  const MainContent content = extract(
      page("Engine will not start - Boat forum",
           std::string(kNavigation) + "<div id=\"page-body\"><h2 class=\"topic-title\">Engine will not start</h2>" +
               posts + "</div>" + std::string(kFooter)));
  EXPECT_THAT(content.text, HasSubstr("Answer 0 was"));
  EXPECT_THAT(content.text, HasSubstr("Answer 4 was"));
  EXPECT_THAT(content.text, Not(HasSubstr("All rights reserved")));
}

TEST(LearnedDomExtractor, ProductAndListingPagesKeepDescriptions) {
  const MainContent product = extract(
      page("Oak oar, 2.4 m - Boat shop", std::string(kNavigation) +
                                             "<main><div class=\"product\"><h1>Oak oar, 2.4 m</h1><div "
                                             "class=\"price\">49.00</div><div class=\"description\">"
                                             "<p>A sturdy oar of seasoned oak, oiled three times by hand, for boats of "
                                             "up to five metres. The blade is copper "
                                             "tipped, and the leather collar can be replaced.</p></div></div></main>" +
                                             std::string(kFooter)));
  EXPECT_THAT(product.text, HasSubstr("A sturdy oar of seasoned oak"));
  EXPECT_THAT(product.text, Not(HasSubstr("All rights reserved")));
}

TEST(LearnedDomExtractor, LineBreaksJoinAndSeparate) {
  const MainContent content = extract(
      page("Ferry",
           "<div>The old ferry between the two islands will run again from Monday,<br>the council said after a long "
           "meeting.<br><br>Repairs took longer than planned, because the yard had to wait for oak of the right "
           "length, which is rare.</div>"));
  EXPECT_THAT(content.text, HasSubstr("from Monday, the council said after a long meeting.\nRepairs took"));
}

TEST(LearnedDomExtractor, HandlesExtremePages) {
  EXPECT_EQ(extract("").text, "");
  EXPECT_EQ(extract("<html><body></body></html>").text, "");
  EXPECT_EQ(extract("<frameset><frame src=a></frameset>").text, "");
  EXPECT_EQ(extract("x").text, "x\n");
  EXPECT_EQ(extract("<p>中</p>").text, "中\n");
  std::string farm = "<ul>";
  for (int i = 0; i < 5'000; ++i) farm += "<li><a href=\"/" + std::to_string(i) + "\">cheap tickets</a></li>";
  EXPECT_FALSE(extract(farm + "</ul>").blocks.empty());
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "<div><b>";
  EXPECT_THAT(extract(nested + "deep text").text, HasSubstr("deep text"));
}

TEST(LearnedDomExtractor, ResultsDoNotDependOnEarlierPages) {
  const std::string first = page("Ferry", std::string(kNavigation) + std::string(kEnglishBody) + std::string(kFooter));
  const std::string second =
      page("Oars", "<table><tr><td>Oak</td><td>49</td></tr><tr><td>Pine</td><td>20</td></tr></table>");
  const auto extractor = make_learned_dom_extractor();
  HtmlDocument document;
  MainContent content;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(document.parse(first));
    extractor->extract(document, content);
    EXPECT_EQ(content.text, extract(first).text);
    ASSERT_TRUE(document.parse(second));
    extractor->extract(document, content);
    EXPECT_EQ(content.text, extract(second).text);
  }
}

TEST(LearnedDomExtractor, BlocksCoverTheText) {
  const MainContent content = extract(page("Ferry", std::string(kNavigation) + std::string(kEnglishBody)));
  std::size_t end = 0;
  for (const TextBlock& block : content.blocks) {
    EXPECT_EQ(block.span.begin_bytes, end);
    EXPECT_EQ(content.text[block.span.end_bytes], '\n');
    end = block.span.end_bytes + 1;
  }
  EXPECT_EQ(end, content.text.size());
}

}  // namespace
}  // namespace paraprint
