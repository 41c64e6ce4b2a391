// Which of a page's dates is that of its publication.
#include "corpus/byline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace paraprint {
namespace {

Byline dates_of(const std::string& body, const std::string& title = "A flood in the valley - Gazette") {
  HtmlDocument document;
  EXPECT_TRUE(document.parse("<html><head><title>" + title + "</title></head><body>" + body + "</body></html>"));
  StopCheck never;
  return BylineReader().read(document, document.title(), true, never);
}

const std::string kHeading = "<h1>A flood in the valley</h1>";
const std::string kText = "<p>" + std::string(300, 'x') + " The dam was finished on March 3, 1999, before the war.</p>";

TEST(Byline, BelowTheHeading) {
  for (const char* const byline :
       {"<p>January 7th, 2008</p>", "<div>By Ada Example <span>| January 7, 2008</span></div>",
        "<p>Gazette<br>Jan. 7, 2008 3:30 pm</p>", "<span>2008-01-07 10:25 来源：新华网</span>",
        "<p>2008年01月07日10:25　本报记者</p>"}) {
    EXPECT_EQ(dates_of(fmt::format("<p>Gazette</p>{}{}{}", kHeading, byline, kText)).published, "2008-01-07") << byline;
  }
}

TEST(Byline, AboveTheHeadingInBlogs) {
  EXPECT_EQ(dates_of("<h2>Monday, January 7, 2008</h2>" + kHeading + kText).published, "2008-01-07");
}

TEST(Byline, WhereverTheyAreCalledSo) {
  for (const char* const label :
       {"Posted by Ada on January 7, 2008", "Published: Jan 7, 2008", "发布时间：2008-01-07"}) {
    EXPECT_EQ(dates_of(fmt::format("{}{}{}<p>{}</p>", kHeading, kText, kText, label)).published, "2008-01-07") << label;
  }
  EXPECT_EQ(
      dates_of(kHeading + kText + kText + "<table><tr><td>Published</td><td>7 January 2008</td></table>").published,
      "2008-01-07");
}

TEST(Byline, NotThoseOfOtherThings) {
  // The current day, at the top; an event; comments; other articles.
  EXPECT_EQ(
      dates_of("<div>Tuesday, March 4, 2014</div><ul><li>News<li>Sport<li>Weather</ul>" + kHeading + kText).published,
      "");
  EXPECT_EQ(dates_of(kHeading + kText).published, "");
  EXPECT_EQ(dates_of(kHeading + kText + "<div class=comments><p>Ada says: January 9, 2008</p></div>").published, "");
  EXPECT_EQ(dates_of(kHeading + "<ul class=related><li><a href=x>Other flood</a> 2007-01-07</ul>" + kText).published,
            "");
  EXPECT_EQ(dates_of(kHeading + "<p>Offer valid until January 7, 2008</p>" + kText).published, "");
}

TEST(Byline, ThoseOfChangesAreTheirOwn) {
  const Byline dates = dates_of(kHeading + "<p>January 7, 2008 | Updated: January 9, 2008</p>" + kText);
  EXPECT_EQ(dates.published, "2008-01-07");
  EXPECT_EQ(dates.modified, "2008-01-09");
  const Byline changed = dates_of(kHeading + "<p>最后更新：2008-01-09</p>" + kText);
  EXPECT_EQ(changed.published, "");
  EXPECT_EQ(changed.modified, "2008-01-09");
}

TEST(Byline, ADayAboveTwelveTellsTheOrderOfAll) {
  const std::string comment = "<p class=comments>13/05/2024 1:12 pm: sad</p>";
  EXPECT_EQ(dates_of(kHeading + "<p>08/05/2024 1:58 pm</p>" + kText + comment).published, "2024-05-08");
  EXPECT_EQ(dates_of(kHeading + "<p>08/05/2024 1:58 pm</p>" + kText).published, "2024-08-05");
}

TEST(Byline, OfPagesWithoutAnything) {
  EXPECT_EQ(dates_of("").published, "");
  EXPECT_EQ(dates_of("<p>January 7, 2008</p>", "").published, "");
}

// Of the words before a date, the last one decides, whatever they are.
TEST(Byline, TheLastWordBeforeADateDecides) {
  const auto published = [](const std::string& words) {
    return dates_of(kHeading + kText + kText + "<p>" + words + " January 7, 2008</p>").published;
  };
  EXPECT_EQ(published("joined, posted"), "2008-01-07");
  EXPECT_EQ(published("posted, joined"), "");
  EXPECT_EQ(published("Copyright (C) says Ada. PUBLISHED"), "2008-01-07");
  EXPECT_EQ(published("published, copyright (C)"), "");
  EXPECT_EQ(published("发布 注册"), "");
  EXPECT_EQ(published("注册 发布"), "2008-01-07");
  EXPECT_EQ(published("publis poste"), "");
  const Byline both = dates_of(kHeading + kText + kText + "<p>posted, edited January 7, 2008</p>");
  EXPECT_EQ(both.published, "");
  EXPECT_EQ(both.modified, "2008-01-07");
}

// Of a line that names a weekday, each date counts less above the heading; others not.
TEST(Byline, CurrentDaysAreThoseOfTheirLine) {
  const std::string menu = "<ul><li>News<li>Sport<li>Weather</ul>";
  EXPECT_EQ(
      dates_of("<p>Posted 7/13/08 7/14/08</p><p>Monday, posted July 15, 2008</p>" + menu + kHeading + kText).published,
      "2008-07-13");
  EXPECT_EQ(dates_of("<p>Monday, posted July 15, 2008</p>" + menu + kHeading + kText).published, "");
}

// The longest part of the title is the heading, however many lines have less of it or none.
TEST(Byline, TheHeadingIsFoundAmongManyLines) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "<p>the valley</p><p>another line</p>";
  const std::string date = "<p>January 7, 2008</p>";
  EXPECT_EQ(dates_of("<p>March 4, 2007</p>" + lines + "<p>A flood in the valley</p>" + date + kText).published,
            "2008-01-07");
  EXPECT_EQ(dates_of("<p>A flood in the valley</p>" + date + lines + "<p>March 4, 2007</p>").published, "2008-01-07");
}

// Lines, dates in a line and what is read of them are bounded; the work is counted.
TEST(Byline, StopsWhenAsked) {
  std::string body = kHeading;
  for (int i = 0; i < 5000; ++i) body += "<p>Posted on January 7, 2008 and again on January 8, 2008</p>";
  EXPECT_EQ(dates_of(body).published, "2008-01-07");
}

}  // namespace
}  // namespace paraprint
