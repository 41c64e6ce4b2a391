// Pairs of a crawl from those of a sample, against crawls that are made here and counted in full.
#include "plan/pair_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "engine/output_stage.h"

namespace paraprint {
namespace {

constexpr std::uint32_t kNoCap = 1'000'000;

// Groups of texts, all of which resemble each other.
struct GroupedTexts {
  std::vector<std::uint32_t> text_of_page;
  std::vector<std::uint32_t> group_of_text;
  std::vector<double> pages_of_text;

  void add_group(const std::vector<int>& pages) {
    const std::uint32_t group = group_of_text.empty() ? 0 : group_of_text.back() + 1;
    for (const int count : pages) {
      text_of_page.insert(text_of_page.end(), count, static_cast<std::uint32_t>(group_of_text.size()));
      group_of_text.push_back(group);
      pages_of_text.push_back(count);
    }
  }
  ClusterShares text_sizes() const {
    ClusterShares shares;
    for (const double count : pages_of_text) shares[count] += count / static_cast<double>(text_of_page.size());
    return shares;
  }
};

struct PairCounts {
  double pairs = 0;
  double rows = 0;
};

double same_text_rows(double pages) {
  return pages <= kSameTextPagesInFull ? pages * (pages - 1) / 2 : pages - 1;
}
double rows_of_pair(double a, double b) {
  return a * b <= kGroupPairsInFull ? a * b : a + b - 1;
}

// What a run over these pages stores: a pair of two texts of a group, by the first pages that have them.
SampledTextPairs run_over(const GroupedTexts& crawl, const std::vector<std::uint32_t>& pages, PairCounts& counts) {
  SampledTextPairs run;
  run.pages_of_text.resize(pages.size());
  std::map<std::uint32_t, std::uint32_t> first_pages;
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    ++run.pages_of_text[first_pages.try_emplace(crawl.text_of_page[pages[page]], page).first->second];
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
  for (const auto& [text, page] : first_pages) groups[crawl.group_of_text[text]].push_back(page);
  for (const auto& [group, firsts] : groups) {
    for (std::size_t a = 0; a < firsts.size(); ++a) {
      counts.rows += same_text_rows(run.pages_of_text[firsts[a]]);
      for (std::size_t b = a + 1; b < firsts.size(); ++b) {
        run.pairs.push_back({firsts[a], firsts[b]});
        counts.pairs += 1;
        counts.rows += rows_of_pair(run.pages_of_text[firsts[a]], run.pages_of_text[firsts[b]]);
      }
    }
  }
  return run;
}

// Estimated from samples of one page in twenty, per counted one: the mean over some samples.
PairCounts estimated_by_counted(const GroupedTexts& crawl, std::uint32_t group_cap) {
  std::vector<std::uint32_t> pages(crawl.text_of_page.size());
  for (std::uint32_t page = 0; page < pages.size(); ++page) pages[page] = page;
  PairCounts all;
  run_over(crawl, pages, all);
  std::mt19937 chance(7);
  PairCounts mean;
  constexpr int kSamples = 40;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::vector<std::uint32_t> drawn;
    std::sample(pages.begin(), pages.end(), std::back_inserter(drawn), pages.size() / 20, chance);
    PairCounts counted;
    const SampledTextPairs run = run_over(crawl, drawn, counted);
    const PairGrowth growth =
        estimate_pair_growth(run, crawl.text_sizes(), static_cast<double>(pages.size()), group_cap);
    mean.pairs += growth.compared * counted.pairs / all.pairs / kSamples;
    mean.rows += growth.rows * counted.rows / all.rows / kSamples;
  }
  return mean;
}

TEST(PairEstimate, OfTheSampleItselfIsTheSample) {
  const SampledTextPairs sampled{{2, 0, 1}, {{0, 2}}};
  const PairGrowth growth = estimate_pair_growth(sampled, {{1, 1}}, 3, kNoCap);
  EXPECT_EQ(growth.compared, 1);
  EXPECT_EQ(growth.rows, 1);
  EXPECT_EQ(estimate_pair_growth({}, {}, 100, kNoCap).rows, 1);
}

TEST(PairEstimate, GrowsByPairsOfPagesWhereAllTextsDiffer) {
  const SampledTextPairs sampled{std::vector<std::uint32_t>(10, 1), {{0, 1}, {5, 8}}};
  const PairGrowth growth = estimate_pair_growth(sampled, {{1, 1}}, 100, kNoCap);
  EXPECT_NEAR(growth.compared, 100.0 * 99 / (10 * 9), 1e-9);
  EXPECT_NEAR(growth.rows, 100.0 * 99 / (10 * 9), 1e-9);
}

// Pairs with a text of many pages are met far more often than others.
TEST(PairEstimate, CountsPairsOfTextsNotOfPages) {
  GroupedTexts crawl;
  for (int group = 0; group < 60; ++group) {
    std::vector<int> pages(30, 1);
    pages[0] = 30;
    crawl.add_group(pages);
  }
  const PairCounts found = estimated_by_counted(crawl, kNoCap);
  EXPECT_NEAR(found.pairs, 1, 0.1);
  EXPECT_NEAR(found.rows, 1, 0.1);
}

// A text with 5,000 copies has 4,999 rows, not 12 million.
TEST(PairEstimate, KnowsStarsOfEqualTexts) {
  GroupedTexts crawl;
  crawl.add_group({5000});
  crawl.add_group({300, 400});
  for (int group = 0; group < 500; ++group) crawl.add_group({1, 2, 3});
  const PairCounts found = estimated_by_counted(crawl, kNoCap);
  EXPECT_NEAR(found.rows, 1, 0.15);
}

// 2,000 texts that resemble each other are compared with some 100 others each.
TEST(PairEstimate, ComparesNoMoreThanTheCap) {
  GroupedTexts crawl;
  crawl.add_group(std::vector<int>(2000, 1));
  for (int group = 0; group < 100; ++group) crawl.add_group(std::vector<int>(40, 1));
  const PairCounts found = estimated_by_counted(crawl, 100);
  const double large = 2000.0 * 1999 / 2;
  const double small = 100 * 40 * 39 / 2.0;
  EXPECT_NEAR(found.pairs, (large * 100 / 2000 + small) / (large + small), 0.01);
  EXPECT_NEAR(estimated_by_counted(crawl, kNoCap).pairs, 1, 0.05);
}

}  // namespace
}  // namespace paraprint
