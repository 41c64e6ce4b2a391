#include "profile/page_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

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

// Numbers, addresses with much in common, ids that are others cut short or continued with zeros, long and equal ones.
TEST(PageTable, SortsIdsOfAllKindsLikeTheirBytes) {
  std::mt19937 random(1);
  std::vector<std::string> ids;
  for (int i = 0; i < 3000; ++i) {
    ids.push_back(std::to_string(i));
    ids.push_back("https://www.example.org/articles/" + std::to_string(random() % 100000) + "/" + std::to_string(i));
    ids.push_back(std::string(100 + random() % 60, '\xff') + std::to_string(i));
    ids.push_back("a" + std::string(static_cast<std::size_t>(i), '\0'));
    ids.push_back(std::string(random() % 200, 'e'));
  }
  std::shuffle(ids.begin(), ids.end(), random);
  PageTable table = table_of(ids);
  EXPECT_GT(table.finish().value_or(0), 2000U);
  const auto pages = table.pages_by_id();
  ASSERT_EQ(pages.size(), ids.size());
  for (std::size_t i = 1; i < pages.size(); ++i) ASSERT_LT(table.id(pages[i - 1]), table.id(pages[i])) << i;
  // Of equal ids, the first page keeps its id.
  std::set<std::string> seen;
  for (std::uint32_t page = 0; page < ids.size(); ++page) {
    if (seen.insert(ids[page]).second) EXPECT_EQ(table.id(page), ids[page]);
  }
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

TEST(IndexId, IsThePagesOwn) {
  EXPECT_EQ(index_id("a", false, "http://x.test/", {1, 2}), "a");
}

TEST(IndexId, TellsTextsOfOneAddressOrPlaceApart) {
  EXPECT_EQ(index_id("a.jsonl:1", true, "", {1, 0xABCDEF}), "a.jsonl:1#00000000000000010000000000abcdef");
  EXPECT_EQ(index_id("a.jsonl:1", true, "http://x.test/", {1, 2}), "http://x.test/#00000000000000010000000000000002");
  EXPECT_NE(index_id("a.jsonl:1", true, "", {1, 2}), index_id("a.jsonl:1", true, "", {2, 1}));
}

// The same page has the same name, whatever other inputs a run has.
TEST(IndexId, HasNoNumberOfARun) {
  for (const std::string place : {"pages.jsonl:12", "a#b.jsonl:3", "7", "-"}) {
    const std::string name = index_id(place, true, "", {1, 2});
    EXPECT_EQ(name, place + "#00000000000000010000000000000002");
    EXPECT_EQ(index_id(place + "#2", true, "", {1, 2}), name);
  }
}

TEST(IndexId, IsNoLongerThanAnIndexTakes) {
  const std::string url = "http://x.test/" + std::string(kPageNameBytesMaximum - 14, 'a');
  EXPECT_EQ(index_id("a.jsonl:1", true, url, {1, 2}), index_id("a.jsonl:1", true, "", {1, 2}));
}

TEST(PageTable, EmptyTableIsValid) {
  PageTable table;
  EXPECT_EQ(table.finish().value_or(99), 0U);
  EXPECT_EQ(table.size(), 0U);
}

}  // namespace
}  // namespace paraprint
