#include "cluster/clustering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>

namespace paraprint {
namespace {

using ::testing::ElementsAre;

Match match(std::uint32_t a, std::uint32_t b, Verdict verdict = Verdict::kNear, float resemblance = 0.9F) {
  return {a, b, verdict, resemblance, resemblance, resemblance, 500};
}

// Pages that the policy ranks by their numbers: the first is the longest.
std::vector<PageFacts> plain_pages(std::size_t count) {
  std::vector<PageFacts> facts(count);
  for (std::size_t i = 0; i < count; ++i) facts[i] = {"", "", static_cast<std::uint32_t>(2 * count - i), i};
  return facts;
}

std::vector<std::uint32_t> kept_pages(const Result<Clustering>& clustering) {
  std::vector<std::uint32_t> kept;
  EXPECT_TRUE(clustering.has_value()) << (clustering ? "" : clustering.error().message);
  if (clustering) {
    for (const PageCluster& page : clustering->pages) kept.push_back(page.kept_page);
  }
  return kept;
}

std::vector<std::uint32_t> cluster(std::size_t pages, const std::vector<Match>& matches,
                                   const ClusteringOptions& options = {}, const PairVerifier& verify = {},
                                   const std::vector<std::uint32_t>& representatives = {}) {
  return kept_pages(cluster_pages(plain_pages(pages), representatives, matches, SurvivorPolicy(), options, verify));
}

TEST(Clustering, KeepsPagesThatMatchNothing) {
  EXPECT_THAT(cluster(3, {}), ElementsAre(0, 1, 2));
}

TEST(Clustering, RemovesDirectMatchesOfTheKeptPage) {
  EXPECT_THAT(cluster(4, {match(0, 1), match(0, 2), match(1, 2)}), ElementsAre(0, 0, 0, 3));
}

TEST(Clustering, DoesNotChain) {
  const std::vector<Match> chain{match(0, 1), match(1, 2), match(2, 3), match(3, 4)};
  EXPECT_THAT(cluster(5, chain), ElementsAre(0, 0, 2, 2, 4));
  EXPECT_THAT(cluster(5, chain, {ClusterMode::kConnected}), ElementsAre(0, 0, 0, 0, 0));
}

// The failure to avoid: pages of one template, each near the next one, with nothing in common between the ends. Pages
// have positions on a line, and two pages are copies if they are at most kRadius apart.
TEST(Clustering, SplitsATemplateChain) {
  constexpr std::uint32_t kPages = 50000;
  constexpr std::uint32_t kRadius = 2;
  std::vector<std::uint32_t> position(kPages);
  std::iota(position.begin(), position.end(), 0U);
  std::shuffle(position.begin(), position.end(), std::mt19937(1));
  std::vector<std::uint32_t> page_at(kPages);
  for (std::uint32_t page = 0; page < kPages; ++page) page_at[position[page]] = page;
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    const auto apart =
        static_cast<std::uint32_t>(std::abs(static_cast<int>(position[a]) - static_cast<int>(position[b])));
    return match(a, b, apart <= kRadius ? Verdict::kNear : Verdict::kDistinct);
  };
  std::vector<Match> matches;
  for (std::uint32_t at = 0; at + 1 < kPages; ++at) {
    matches.push_back(compare(std::min(page_at[at], page_at[at + 1]), std::max(page_at[at], page_at[at + 1])));
  }
  const auto connected =
      cluster_pages(plain_pages(kPages), {}, matches, SurvivorPolicy(), {ClusterMode::kConnected}, {});
  ASSERT_TRUE(connected.has_value());
  EXPECT_EQ(connected->statistics.largest_cluster, kPages);  // only one page of 50,000 would be kept

  const auto star = cluster_pages(plain_pages(kPages), {}, matches, SurvivorPolicy(), {}, compare);
  ASSERT_TRUE(star.has_value());
  EXPECT_LE(star->statistics.largest_cluster, 2 * kRadius + 1);
  for (std::uint32_t page = 0; page < kPages; ++page) {
    const std::uint32_t kept = star->pages[page].kept_page;
    if (kept != page) {
      ASSERT_EQ(compare(std::min(kept, page), std::max(kept, page)).verdict, Verdict::kNear);
    }
  }
  EXPECT_LT(star->statistics.extra_checks, 4U * kPages);
}

// The links that index/key_join.h gives for a group above its cap: every page is linked to the first pages, which do
// not include the kept page. Growing outwards finds the whole group.
TEST(Clustering, FindsAWholeGroupThroughStarLinks) {
  constexpr std::uint32_t kPages = 20000;
  std::vector<Match> matches;
  for (std::uint32_t page = 2; page < kPages; ++page) matches.push_back(match(1, page));
  std::vector<PageFacts> facts = plain_pages(kPages);
  facts[0].content_characters = 1;                  // not in the group
  facts[kPages / 2].content_characters = 1U << 30;  // the page to keep, linked to page 1 only
  const auto without = cluster_pages(facts, {}, matches, SurvivorPolicy(), {}, {});
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->statistics.largest_cluster, 2U);
  const auto with = cluster_pages(facts, {}, matches, SurvivorPolicy(), {},
                                  [](std::uint32_t a, std::uint32_t b) { return match(a, b); });
  ASSERT_TRUE(with.has_value());
  EXPECT_EQ(with->statistics.largest_cluster, kPages - 1);
  EXPECT_EQ(with->statistics.extra_checks, kPages - 3);
  EXPECT_EQ(with->extra_matches.size(), kPages - 3);
}

TEST(Clustering, MovesPagesToTheBestKeptPage) {
  // Page 2 matches both kept pages but resembles page 1 more.
  const std::vector<Match> matches{match(0, 2, Verdict::kNear, 0.82F), match(1, 2, Verdict::kNear, 0.97F)};
  EXPECT_THAT(cluster(3, matches), ElementsAre(0, 1, 1));
  const std::vector<Match> same{match(0, 2, Verdict::kNear, 0.99F), match(1, 2, Verdict::kSame, 0.98F)};
  EXPECT_THAT(cluster(3, same), ElementsAre(0, 1, 1));
}

TEST(Clustering, NeverRemovesAPageInFavourOfALowerRankedOne) {
  // Page 1 resembles page 2 more, but page 2 ranks after it.
  const std::vector<Match> matches{match(0, 1, Verdict::kNear, 0.82F), match(1, 2, Verdict::kNear, 0.99F)};
  EXPECT_THAT(cluster(3, matches), ElementsAre(0, 0, 2));
}

TEST(Clustering, RemovesContainedPagesOnlyIfConfiguredAndOnlyOneWay) {
  // Page 1 is contained in page 0. Page 2 is contained in page 3, but the policy ranks page 3 lower.
  const std::vector<Match> matches{match(0, 1, Verdict::kContains), match(2, 3, Verdict::kContained)};
  EXPECT_THAT(cluster(4, matches), ElementsAre(0, 1, 2, 3));
  ClusteringOptions options;
  options.join_contained = true;
  EXPECT_THAT(cluster(4, matches, options), ElementsAre(0, 0, 2, 3));
  const auto result = cluster_pages(plain_pages(4), {}, matches, SurvivorPolicy(), options, {});
  EXPECT_EQ(result->pages[1].verdict, Verdict::kContained);
}

TEST(Clustering, TreatsEqualTextsAsOneNode) {
  // Pages 1, 3 and 4 have equal text, represented by page 1; the policy prefers page 4.
  std::vector<PageFacts> facts = plain_pages(5);
  facts[4].content_characters = 100;
  const std::vector<std::uint32_t> representatives{0, 1, 2, 1, 1};
  const std::vector<Match> matches{match(0, 1), match(0, 2)};
  const auto result = cluster_pages(facts, representatives, matches, SurvivorPolicy(), {}, {});
  EXPECT_THAT(kept_pages(result), ElementsAre(4, 4, 2, 4, 4));
  EXPECT_EQ(result->pages[3].verdict, Verdict::kSame);
  EXPECT_FALSE(result->pages[3].via_same_text);
  EXPECT_EQ(result->pages[0].verdict, Verdict::kNear);
  EXPECT_TRUE(result->pages[0].via_same_text);
  EXPECT_EQ(result->statistics.nodes, 3U);
  EXPECT_EQ(result->statistics.pages_removed, 3U);
}

TEST(Clustering, RejectsInconsistentMatches) {
  const auto code = [](const std::vector<Match>& matches, const std::vector<std::uint32_t>& representatives) {
    const auto result = cluster_pages(plain_pages(3), representatives, matches, SurvivorPolicy(), {}, {});
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::kCancelled : result.error().code;
  };
  EXPECT_EQ(code({match(0, 3)}, {}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({match(1, 1)}, {}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({match(0, 1), match(0, 1)}, {}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({match(0, 2)}, {0, 0, 0}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({}, {0, 0}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code({}, {1, 2, 2}), ErrorCode::kInvalidArgument);
}

// Properties on random pages: members match their kept page directly, kept pages are in their own cluster, and neither
// the numbers of the pages nor the order of the matches changes which pages are kept.
TEST(Clustering, IsIndependentOfPageNumbersAndMatchOrder) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::uint32_t count = 40;
    std::vector<std::string> urls;
    std::vector<PageFacts> facts;
    for (std::uint32_t i = 0; i < count; ++i) urls.push_back("http://host/" + std::to_string(i));
    for (std::uint32_t i = 0; i < count; ++i)
      facts.push_back({urls[i], "", static_cast<std::uint32_t>(random() % 6), i});
    // Symmetric verdicts by pairs of URLs.
    std::map<std::pair<std::string_view, std::string_view>, Match> world;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> known;
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = a + 1; b < count; ++b) {
        const bool is_near = random() % 8 == 0;
        world[{urls[a], urls[b]}] =
            match(a, b, is_near ? Verdict::kNear : Verdict::kDistinct, static_cast<float>(random() % 5) / 5);
        if (random() % 2 == 0) known.push_back({a, b});
      }
    }
    const auto run = [&](const std::vector<std::uint32_t>& shuffled) {  // new number -> old number
      std::vector<PageFacts> new_facts;
      for (const std::uint32_t old : shuffled) new_facts.push_back(facts[old]);
      std::vector<std::uint32_t> new_number(count);
      for (std::uint32_t i = 0; i < count; ++i) new_number[shuffled[i]] = i;
      const auto compare = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t old_a = std::min(shuffled[a], shuffled[b]);
        const std::uint32_t old_b = std::max(shuffled[a], shuffled[b]);
        Match answer = world[{urls[old_a], urls[old_b]}];
        answer.page_a = std::min(a, b);
        answer.page_b = std::max(a, b);
        return answer;
      };
      std::vector<Match> matches;
      for (const auto& [a, b] : known) matches.push_back(compare(new_number[a], new_number[b]));
      std::shuffle(matches.begin(), matches.end(), random);
      const auto result = cluster_pages(new_facts, {}, matches, SurvivorPolicy(), {}, compare);
      std::vector<std::uint32_t> kept(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t keeper = result->pages[i].kept_page;
        kept[shuffled[i]] = shuffled[keeper];
        EXPECT_EQ(result->pages[keeper].kept_page, keeper);
        if (keeper == i) continue;
        EXPECT_EQ(compare(keeper, i).verdict, Verdict::kNear);
        EXPECT_TRUE(SurvivorPolicy().prefers(new_facts[keeper], new_facts[i]));
      }
      return kept;
    };
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    const auto expected = run(order);
    for (int trial = 0; trial < 3; ++trial) {
      std::shuffle(order.begin(), order.end(), random);
      EXPECT_EQ(run(order), expected) << seed;
    }
  }
}

}  // namespace
}  // namespace paraprint
