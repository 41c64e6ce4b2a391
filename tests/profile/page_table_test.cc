#include "profile/page_table.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

PageTable table_of(const std::vector<std::string>& ids) {
  PageTable table;
  for (const std::string& id : ids) {
    LoggedPage page;
    page.id = id;
    const std::string url = "https://example.org/" + id;
    page.url = url;
    page.date = "2024-05-01T10:00:00Z";
    page.language = *LanguageCode::of_tag("pt-BR");
    EXPECT_TRUE(table.add(page, 100).has_value());
  }
  return table;
}

TEST(PageTable, RepeatedIdsAreMadeUnique) {
  PageTable table = table_of({"a", "b", "a", "a#2", "a", "b"});
  EXPECT_EQ(table.finish().value_or(99), 3U);
  EXPECT_EQ(table.id(0), "a");
  EXPECT_EQ(table.id(2), "a#3");  // a#2 is the original id of another page
  EXPECT_EQ(table.id(3), "a#2");
  EXPECT_EQ(table.id(4), "a#4");
  EXPECT_EQ(table.id(5), "b#2");
  EXPECT_EQ(table.date(4), "2024-05-01T10:00:00Z");
  EXPECT_EQ(table.row(4).language.text(), "pt");
}

TEST(PageTable, ListsPagesInByteOrderOfIds) {
  PageTable table = table_of({"b", "A", "中", "a"});
  EXPECT_EQ(table.finish().value_or(99), 0U);
  EXPECT_EQ(std::vector(table.pages_by_id().begin(), table.pages_by_id().end()),
            (std::vector<std::uint32_t>{1, 3, 0, 2}));
}

TEST(PageTable, KeepsTheScoresOfPagesThatHaveOne) {
  PageTable table = table_of({"a", "b"});
  EXPECT_FALSE(table.has_scores());
  EXPECT_EQ(table.score(1), std::nullopt);
  LoggedPage page;
  page.id = "c";
  page.score = 0.0;
  EXPECT_TRUE(table.add(page, 100).has_value());
  page.score.reset();
  EXPECT_TRUE(table.add(page, 100).has_value());
  EXPECT_TRUE(table.has_scores());
  EXPECT_EQ(table.score(0), std::nullopt);
  EXPECT_EQ(table.score(2), std::optional(0.0));
  EXPECT_EQ(table.score(3), std::nullopt);
}

TEST(PageTable, EmptyTableIsValid) {
  PageTable table;
  EXPECT_EQ(table.finish().value_or(99), 0U);
  EXPECT_EQ(table.size(), 0U);
}

}  // namespace
}  // namespace paraprint
