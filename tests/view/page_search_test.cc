// Searches against looking at every page in the plainest way.
#include "view/page_search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "base/atomic_file.h"
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
    EXPECT_EQ(find_pages(*store_, *figures_, *origins_, query), wanted);
    EXPECT_FALSE(wanted.empty());
    EXPECT_LT(wanted.size(), store_->pages().size());
  }

  const FinishedRun run_{11, 20};
  const std::unique_ptr<RunStore> store_ = run_.load();
  const std::unique_ptr<RunFigures> figures_ = std::move(*RunFigures::create(*store_));
  const std::unique_ptr<RunOrigins> origins_ = std::make_unique<RunOrigins>(store_->pages());
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

// Every third page is a copy of the first page of its cluster, every other one has a date.
TEST_F(PageSearchTest, FindsByWhatPagesState) {
  const PageTable& pages = store_->pages();
  const auto day_of = [](std::uint32_t page) { return fmt::format("20{:02}-{:02}-15", 10 + page % 7, 1 + page % 12); };
  const auto first_of = [&](std::uint32_t page) {
    return figures_->members(store_->decisions().clustering.pages[page].kept_page).front();
  };
  const auto is_copy = [&](std::uint32_t page) { return page % 3 == 0 && first_of(page) != page; };
  std::string lines;
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    lines += fmt::format(R"({{"id":"{}","cluster":{},"is_traced":true,"is_first":{})", pages.id(page),
                         store_->cluster_numbers()[page], first_of(page) == page);
    if (page % 2 == 0) lines += fmt::format(R"(,"date":"{}")", day_of(page));
    if (page % 5 == 0) lines += R"(,"source_url":"http://News.Example/a","source_name":"The Post")";
    if (is_copy(page)) lines += fmt::format(R"(,"copied_from":"{}","confidence":0.5)", pages.id(first_of(page)));
    lines += "}\n";
  }
  const std::string path = run_.folder() + "/provenance.jsonl";
  ASSERT_TRUE(write_file_atomically(path, lines));
  const RunControl silent;
  ProgressReporter progress(silent);
  PageQuery query;
  query.origin = OriginQuery::kFirst;
  EXPECT_TRUE(find_pages(*store_, *figures_, *origins_, query).empty());  // the run has no such file yet
  ASSERT_TRUE(origins_->load(path, store_->cluster_numbers(), progress));
  ASSERT_EQ(origins_->lines_refused(), 0U);
  expect_found(query, [&](std::uint32_t page) { return first_of(page) == page; });
  query.origin = OriginQuery::kCopy;
  expect_found(query, is_copy);
  query = {};
  query.source = "news.example";
  expect_found(query, [](std::uint32_t page) { return page % 5 == 0; });
  query.source = "THE POST";
  expect_found(query, [](std::uint32_t page) { return page % 5 == 0; });
  for (const char* from : {"2012", "2012-05", "2012-05-15", "2012-05-16"}) {
    query = {};
    query.published_from = from;
    expect_found(query, [&](std::uint32_t page) { return page % 2 == 0 && day_of(page) >= from; });
  }
  for (const auto& [to, end] : {std::pair("2012", "2013"),
                                {"2012-05", "2012-06"},
                                {"2012-05-15", "2012-05-16"},
                                {"2012-05-14", "2012-05-15"}}) {
    query = {};
    query.published_to = to;
    expect_found(query, [&, last = end](std::uint32_t page) { return page % 2 == 0 && day_of(page) < last; });
  }
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
    const auto step =
        search_texts(*store_, *figures_, *origins_, **reader, query, *next, 5, std::chrono::milliseconds(0));
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
