// Searches against looking at every page in the plainest way.
#include "view/page_search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "view/finished_run.h"
#include "view/text_reader.h"

namespace paraprint {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

TEST(ContainsTextTest, IgnoresTheCaseOfLettersOnly) {
  const std::string_view texts[] = {"", "a", "A", "aab", "AaB", "b@[`{", "aaab", "\xc3\x84", "\xc3\xa4", "xAAB"};
  for (const std::string_view where : texts) {
    for (const std::string_view text : texts) {
      EXPECT_EQ(contains_text(where, text), lower_case(where).find(lower_case(text)) != std::string::npos)
          << where << " " << text;
    }
  }
}

class PageSearchTest : public ::testing::Test {
 protected:
  template <class IsWanted>
  void expect_found(const PageQuery& query, IsWanted&& is_wanted) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t page = 0; page < store_->pages().size(); ++page) {
      if (is_wanted(page)) wanted.push_back(page);
    }
    EXPECT_EQ(find_pages(*store_, *figures_, query), wanted);
    EXPECT_FALSE(wanted.empty());
    EXPECT_LT(wanted.size(), store_->pages().size());
  }

  const FinishedRun run_{11, 20};
  const std::unique_ptr<RunStore> store_ = run_.load();
  const std::unique_ptr<RunFigures> figures_ = std::move(*RunFigures::create(*store_));
};

TEST_F(PageSearchTest, FindsByEveryCondition) {
  const PageTable& pages = store_->pages();
  const SpillArray<PageCluster>& clusters = store_->decisions().clustering.pages;
  PageQuery query;
  query.url = "HOST2";
  expect_found(query, [&](std::uint32_t page) { return pages.url(page).find("host2") != std::string_view::npos; });
  query = {};
  query.host = "host1.";
  expect_found(query, [&](std::uint32_t page) { return pages.url(page).find("host1.") != std::string_view::npos; });
  query = {};
  query.fate = "removed";
  expect_found(query, [&](std::uint32_t page) { return clusters[page].kept_page != page; });
  query = {};
  query.fate = "same";
  expect_found(query, [&](std::uint32_t page) { return fate_of(*store_, page) == PageFate::kSame; });
  query = {};
  query.score_minimum = 0.6;
  query.score_maximum = 0.9;
  expect_found(query, [&](std::uint32_t page) {
    return clusters[page].kept_page != page && clusters[page].resemblance >= 0.6F && clusters[page].resemblance <= 0.9F;
  });
  query = {};
  query.characters_minimum = 1200;
  query.characters_maximum = 1600;
  expect_found(query, [&](std::uint32_t page) {
    return pages.row(page).content_characters >= 1200 && pages.row(page).content_characters <= 1600;
  });
  query = {};
  query.cluster = store_->cluster_numbers()[3];
  expect_found(query, [&](std::uint32_t page) { return store_->cluster_numbers()[page] == query.cluster; });
  query = {};
  query.id = "7-";
  expect_found(query, [&](std::uint32_t page) { return pages.id(page).find("7-") != std::string_view::npos; });
}

TEST_F(PageSearchTest, SearchesTextsToTheEnd) {
  const auto reader = TextReader::create(*store_);
  ASSERT_TRUE(reader);
  PageQuery query;
  query.text = "w1";
  std::vector<std::uint32_t> found;
  std::optional<std::uint32_t> next = 0;
  std::uint64_t read = 0;
  std::uint64_t steps = 0;
  while (next) {
    const auto step = search_texts(*store_, *figures_, **reader, query, *next, 5, std::chrono::milliseconds(0));
    ASSERT_TRUE(step);
    found.insert(found.end(), step->found.begin(), step->found.end());
    read += step->pages_read;
    next = step->next_page;
    ++steps;
  }
  EXPECT_EQ(read, store_->pages().size());
  EXPECT_GT(steps, 1U);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  EXPECT_GT(found.size(), store_->pages().size() / 2);
}

TEST_F(PageSearchTest, FindsPairsByScore) {
  const auto sweep = SliderSweep::create(*store_);
  ASSERT_TRUE(sweep);
  PairQuery query;
  query.score_minimum = 0.4;
  query.score_maximum = 0.8;
  query.verdict = "near";
  std::vector<std::uint32_t> wanted;
  for (const std::uint32_t pair : (*sweep)->pairs_by_score()) {
    const Match& match = store_->matched().scored.matches[pair];
    if (match.resemblance >= 0.4F && match.resemblance <= 0.8F && match.verdict == Verdict::kNear)
      wanted.push_back(pair);
  }
  ASSERT_GT(wanted.size(), 4U);
  EXPECT_EQ(find_pairs(*store_, **sweep, query, 0, 1000).pairs, wanted);
  const ListedPairs part = find_pairs(*store_, **sweep, query, 2, 2);
  EXPECT_EQ(part.total, wanted.size());
  EXPECT_EQ(part.pairs, std::vector<std::uint32_t>(wanted.begin() + 2, wanted.begin() + 4));
  query.is_descending = true;
  EXPECT_EQ(find_pairs(*store_, **sweep, query, 0, 1).pairs.front(), wanted.back());
  query.url = "HOST1";
  std::erase_if(wanted, [&](std::uint32_t pair) {
    const Match& match = store_->matched().scored.matches[pair];
    return !contains_text(store_->pages().url(match.page_a), "host1") &&
           !contains_text(store_->pages().url(match.page_b), "host1");
  });
  std::reverse(wanted.begin(), wanted.end());
  ASSERT_GT(wanted.size(), 4U);
  EXPECT_EQ(find_pairs(*store_, **sweep, query, 0, 1000).pairs, wanted);
  EXPECT_EQ(find_pairs(*store_, **sweep, query, 3, 1).pairs, std::vector<std::uint32_t>{wanted[3]});
  EXPECT_TRUE(find_pairs(*store_, **sweep, query, wanted.size() + 1, 5).pairs.empty());
}

TEST_F(PageSearchTest, CountsWhatTheOverviewShows) {
  std::uint64_t pages = 0;
  for (const HostRow& host : figures_->hosts()) pages += host.pages;
  EXPECT_EQ(pages, store_->pages().size());
  std::uint64_t removed = 0;
  for (const std::uint64_t count : figures_->matrix().copies) removed += count;
  EXPECT_EQ(removed, store_->totals().removed);  // four hosts: all are in the matrix
  std::uint64_t pairs = 0;
  for (const auto& bar : figures_->scores()) {
    for (const std::uint64_t count : bar) pairs += count;
  }
  EXPECT_EQ(pairs, store_->matched().scored.matches.size());
  std::uint64_t in_periods = 0;
  for (const auto& [name, count] : figures_->periods().periods) in_periods += count.kept + count.removed;
  EXPECT_EQ(in_periods, store_->pages().size());
}

}  // namespace
}  // namespace paraprint
