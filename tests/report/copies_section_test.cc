// Who copied from whom, as the report writes it.
#include "report/copies/copies_section.h"

#include <gmock/gmock.h>

#include <string>

#include "report/copies/time_line.h"

namespace paraprint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHostile = "</ul><script>alert(1)</script>\xE2\x80\xAE";

ListedCopy copy_of(std::string id, std::uint32_t depth, std::optional<std::uint32_t> source) {
  ListedCopy copy;
  copy.page.id = std::move(id);
  copy.depth = depth;
  copy.source = source;
  copy.confidence = source ? 0.87 : 0;
  copy.is_first = !source;
  return copy;
}

std::string no_link(const ListedCopy&, const ListedCopy&) {
  return {};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(CopiesSectionTest, PutsCopiesBelowTheirSources) {
  ClusterCopies copies;
  copies.tree = {copy_of("first", 0, std::nullopt), copy_of("second", 1, 0), copy_of("third", 2, 1),
                 copy_of("fourth", 1, 0)};
  copies.tree[1].reasons = {"date", "stated-source", "of-later"};
  copies.tree[1].against = {"text"};
  copies.tree[1].problems = {"names-itself"};
  copies.tree[1].date = "2010-03-01";
  copies.tree[1].date_place = "open-graph";
  copies.tree[1].source_url = "http://first.example/";
  copies.tree[2].copies_not_listed = 12;
  copies.tree_pages = 16;
  const std::string html = copies_section(copies, [](const ListedCopy& copy, const ListedCopy& source) {
    return copy.page.id == "fourth" ? "../matches/" + source.page.id : "";
  });
  EXPECT_EQ(count_of(html, "<ul"), 3U);
  EXPECT_EQ(count_of(html, "</ul>"), 3U);
  EXPECT_EQ(count_of(html, "<li>"), 4U);
  EXPECT_EQ(count_of(html, "</li>"), 4U);
  EXPECT_LT(html.find("second"), html.find("third"));
  EXPECT_THAT(html, HasSubstr("87 %"));
  EXPECT_THAT(html, HasSubstr("dates of publication, names the source, of-later"));
  EXPECT_THAT(html, HasSubstr("against: what was added, lost and changed"));
  EXPECT_THAT(html, HasSubstr("odd: names itself as the source"));
  EXPECT_THAT(html, HasSubstr("2010-03-01 <span class=\"faint\">(open-graph)</span>"));
  EXPECT_THAT(html, HasSubstr("12 more copies"));
  EXPECT_THAT(html, HasSubstr("Showing 4 of 16 pages"));
  EXPECT_THAT(html, HasSubstr("href=\"../matches/first\""));
  EXPECT_EQ(count_of(html, "href="), 1U);
}

TEST(CopiesSectionTest, KeepsLongChainsNarrow) {
  ClusterCopies copies;
  for (std::uint32_t depth = 0; depth < 90; ++depth) {
    copies.tree.push_back(
        copy_of("page" + std::to_string(depth), depth, depth == 0 ? std::optional<std::uint32_t>() : depth - 1));
  }
  const std::string html = copies_section(copies, no_link);
  EXPECT_EQ(count_of(html, "<ul"), 11U);
  EXPECT_EQ(count_of(html, "</ul>"), 11U);
  EXPECT_EQ(count_of(html, "<li>"), count_of(html, "</li>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"faint\">from</span> <bdi>page88</bdi>"));
}

TEST(CopiesSectionTest, EscapesEverythingFromPages) {
  ClusterCopies copies;
  copies.tree = {copy_of(kHostile, 0, std::nullopt), copy_of("b", 1, 0)};
  ListedCopy& copy = copies.tree[1];
  copy.page.title = copy.page.url = copy.date = copy.date_place = copy.source_name = kHostile;
  copy.reasons = copy.against = copy.problems = {kHostile};
  copies.dated = {{copy.page, "2010-01-01", false}, {copy.page, kHostile, false}};
  copies.undated = {copy.page};
  copies.undated_pages = 1;
  const std::string html = copies_section(copies, [](const ListedCopy&, const ListedCopy&) { return kHostile; });
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_EQ(count_of(html, "<ul"), count_of(html, "</ul>"));
}

TEST(TimeLineTest, NumbersDays) {
  EXPECT_EQ(day_number("1970-01-02"), 1);
  EXPECT_EQ(day_number("2010-03-01"), 14669);
  for (const char* day :
       {"", "2010", "2010-02-30", "2010-13-01", "2010-00-10", "2010-1-1", "-010-01-01", "2010-01-0x"}) {
    EXPECT_EQ(day_number(day), std::nullopt) << day;
  }
}

TEST(TimeLineTest, PilesUpDotsInABoundedPicture) {
  EXPECT_EQ(time_line_html({}), "");
  EXPECT_EQ(time_line_html({{{}, "2010-02-30", false}}), "");
  const std::string one = time_line_html({{{"only", "", ""}, "2010-03-01", true}});
  EXPECT_EQ(count_of(one, "<rect"), 1U);
  EXPECT_THAT(one, HasSubstr("class=\"origin\""));
  EXPECT_THAT(one, HasSubstr("<span>2010-03-01</span></div>"));
  std::vector<DatedPage> many(200, {{"copy", "", ""}, "2010-03-01", false});
  many.push_back({{"last", "", ""}, "2012-03-01", false});
  const std::string html = time_line_html(many);
  EXPECT_EQ(count_of(html, "<rect"), 201U);
  EXPECT_THAT(html, HasSubstr("<span>2010-03-01</span><span>2011-03-01</span><span>2012-03-01</span>"));
  EXPECT_THAT(html, HasSubstr("viewBox=\"0 0 720 1"));  // 100 to 199 high
}

}  // namespace
}  // namespace paraprint
