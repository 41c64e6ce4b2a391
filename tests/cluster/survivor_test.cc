#include "cluster/survivor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paraprint {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PageFacts page(std::string_view url, std::string_view date, std::uint32_t characters, std::uint64_t order) {
  return {url, date, characters, order, {}};
}

TEST(SurvivorCriteria, ParsesAChainInOrder) {
  const auto criteria = parse_survivor_criteria("longest,earliest,shortest-url");
  ASSERT_TRUE(criteria.has_value());
  EXPECT_EQ(criteria->score_field, "");
  EXPECT_THAT(criteria->chain,
              ElementsAre(SurvivorCriterion::kLongest, SurvivorCriterion::kEarliest, SurvivorCriterion::kShortestUrl));
}

TEST(SurvivorCriteria, ListsKnownNamesForAnUnknownOne) {
  for (const std::string_view text : {"longets", "", "longest,", "longest,,first", " longest"}) {
    const auto criteria = parse_survivor_criteria(text);
    ASSERT_FALSE(criteria.has_value()) << text;
    EXPECT_EQ(criteria.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(criteria.error().message,
                HasSubstr("longest, shortest, earliest, latest, first, last, shortest-url, https, host, scheme"));
  }
  EXPECT_FALSE(parse_survivor_criteria("first,first").has_value());
}

TEST(SurvivorCriteria, TakesTheFieldOfAScore) {
  const auto criteria = parse_survivor_criteria("https,score:a:b c:min,longest");
  ASSERT_TRUE(criteria.has_value());
  EXPECT_THAT(criteria->chain,
              ElementsAre(SurvivorCriterion::kHttps, SurvivorCriterion::kLowestScore, SurvivorCriterion::kLongest));
  EXPECT_EQ(criteria->score_field, "a:b c");
  EXPECT_EQ(parse_survivor_criteria("score:q:max")->chain.front(), SurvivorCriterion::kHighestScore);
  for (const std::string_view text : {"score", "score:", "score:q", "score::max", "score:q:most",
                                      "score:q:max:", "scores:q:max", "score:q:max,score:r:min"}) {
    const auto refused = parse_survivor_criteria(text);
    ASSERT_FALSE(refused.has_value()) << text;
    EXPECT_THAT(refused.error().message, HasSubstr("score")) << text;
  }
}

TEST(SurvivorCriteria, TakesTheOriginInPlaceOfAScore) {
  const auto criteria = parse_survivor_criteria("original,longest");
  ASSERT_TRUE(criteria.has_value());
  EXPECT_TRUE(criteria->compares_statements());
  EXPECT_FALSE(parse_survivor_criteria("earliest")->compares_statements());
  EXPECT_THAT(parse_survivor_criteria("original,score:q:max").error().message, HasSubstr("not both"));
}

std::vector<std::uint32_t> ranked(const SurvivorPolicy& policy, const std::vector<PageFacts>& pages) {
  const auto order = policy.rank(pages);
  EXPECT_TRUE(order.has_value());
  return {order->begin(), order->end()};
}

TEST(SurvivorPolicy, ComparesBothRanksOfStatements) {
  PageFacts first = page("http://a.example/", "", 100, 0);
  PageFacts second = page("http://b.example/", "", 100, 1);
  const SurvivorPolicy canonical({SurvivorCriterion::kCanonical, SurvivorCriterion::kOriginal});
  const SurvivorPolicy original({SurvivorCriterion::kOriginal, SurvivorCriterion::kCanonical});
  first.score = statement_rank(0, 21'000'000);  // the largest origin rank
  second.score = statement_rank(1, -135'000);   // a day in 1600
  EXPECT_EQ(canonical.reason(first, second), "canonical");
  EXPECT_TRUE(canonical.prefers(first, second));
  EXPECT_EQ(original.reason(second, first), "original");
  EXPECT_TRUE(original.prefers(second, first));
  second.score = statement_rank(3, 21'000'000);
  EXPECT_EQ(original.reason(first, second), "canonical");
  first.score = statement_rank(3, 20'999'999);
  EXPECT_EQ(canonical.reason(first, second), "original");
}

TEST(SurvivorPolicy, KeepsTheSmallestOriginRank) {
  PageFacts copy = page("http://a.example/", "", 900, 0);
  copy.score = statement_rank(0, 10'013'885);
  PageFacts original = page("http://b.example/", "", 100, 1);
  original.score = statement_rank(0, 13'885);
  const SurvivorPolicy policy({SurvivorCriterion::kOriginal, SurvivorCriterion::kLongest});
  EXPECT_TRUE(policy.prefers(original, copy));
  EXPECT_EQ(policy.reason(original, copy), "original");
  original.score = copy.score;
  EXPECT_EQ(policy.reason(copy, original), "longest");
}

TEST(SurvivorPolicy, ComparesScores) {
  PageFacts good = page("http://a.example/", "", 100, 0);
  good.score = 0.75;
  PageFacts bad = page("http://b.example/", "", 900, 1);
  bad.score = -2;
  const PageFacts unknown = page("http://c.example/", "", 500, 2);
  const SurvivorPolicy highest({SurvivorCriterion::kHighestScore, SurvivorCriterion::kLongest});
  const SurvivorPolicy lowest({SurvivorCriterion::kLowestScore, SurvivorCriterion::kLongest});
  const std::vector<PageFacts> pages = {bad, unknown, good};
  EXPECT_THAT(ranked(highest, pages), ElementsAre(2, 0, 1));
  EXPECT_THAT(ranked(lowest, pages), ElementsAre(0, 2, 1));
  EXPECT_EQ(highest.reason(good, bad), "score");
  EXPECT_EQ(highest.reason(good, unknown), "score");
  bad.score = good.score;
  EXPECT_EQ(highest.reason(bad, good), "longest");
}

TEST(SurvivorPolicy, AppliesEachCriterion) {
  const PageFacts old_http = page("http://a.example/longer-path", "2020-01-01T00:00:00Z", 900, 1);
  const PageFacts new_https = page("https://b.example/p", "2024-01-01T00:00:00Z", 500, 0);
  const auto keeps_old = [&](SurvivorCriterion criterion) {
    return SurvivorPolicy({criterion}).prefers(old_http, new_https);
  };
  EXPECT_TRUE(keeps_old(SurvivorCriterion::kLongest));
  EXPECT_FALSE(keeps_old(SurvivorCriterion::kShortest));
  EXPECT_TRUE(keeps_old(SurvivorCriterion::kEarliest));
  EXPECT_FALSE(keeps_old(SurvivorCriterion::kLatest));
  EXPECT_FALSE(keeps_old(SurvivorCriterion::kFirst));
  EXPECT_TRUE(keeps_old(SurvivorCriterion::kLast));
  EXPECT_FALSE(keeps_old(SurvivorCriterion::kShortestUrl));
  EXPECT_FALSE(keeps_old(SurvivorCriterion::kHttps));
}

TEST(SurvivorPolicy, FollowsHostAndSchemePriorities) {
  const PageFacts blog = page("http://blog.example.org:8080/x", "", 100, 0);
  const PageFacts gov = page("https://user@www.City.GOV/y", "", 100, 1);
  const PageFacts other = page("ftp://notexample.org/z", "", 900, 2);
  const SurvivorPolicy by_host({SurvivorCriterion::kLongest}, {"*.gov", "*.example.org"});
  EXPECT_THAT(ranked(by_host, std::vector{blog, gov, other}), ElementsAre(1, 0, 2));
  const SurvivorPolicy exact_host({SurvivorCriterion::kLongest}, {"example.org", "www.city.gov"});
  EXPECT_THAT(ranked(exact_host, std::vector{blog, gov, other}), ElementsAre(1, 2, 0));
  const SurvivorPolicy by_scheme({SurvivorCriterion::kLongest}, {}, {"https", "http"});
  EXPECT_THAT(ranked(by_scheme, std::vector{blog, gov, other}), ElementsAre(1, 0, 2));
  const SurvivorPolicy length_first({SurvivorCriterion::kLongest, SurvivorCriterion::kHost}, {"*.gov"});
  EXPECT_THAT(ranked(length_first, std::vector{blog, gov, other}), ElementsAre(2, 1, 0));
}

// tests/http/url_host_test.cc has what else an address may pretend.
TEST(SurvivorPolicy, PrefersNoAddressThatOnlyLooksLikeTheHosts) {
  const PageFacts forged = page("http://evil.example\\@trusted.org/", "", 100, 0);
  const PageFacts in_path = page("http:/evil.example/://trusted.org/", "", 100, 1);
  const PageFacts final_dot = page("https://Trusted.org.:443/", "", 100, 2);
  const SurvivorPolicy policy({SurvivorCriterion::kFirst}, {"trusted.org"});
  EXPECT_THAT(ranked(policy, std::vector{forged, in_path, final_dot}), ElementsAre(2, 0, 1));
}

TEST(SurvivorPolicy, PrefersAnAddressInBracketsOnAnyPort) {
  const PageFacts plain = page("http://192.0.2.1/", "", 100, 0);
  const PageFacts with_port = page("http://[::1]:8080/x", "", 100, 1);
  const PageFacts without_port = page("http://user@[2001:DB8::1]/y", "", 100, 2);
  const PageFacts broken = page("http://[::2", "", 100, 3);
  const SurvivorPolicy policy({SurvivorCriterion::kFirst}, {"[2001:db8::1]", "[::1]"});
  EXPECT_THAT(ranked(policy, std::vector{plain, with_port, without_port, broken}), ElementsAre(2, 1, 0, 3));
}

// The earliest date, then the bytewise smallest URL, unknown ones last; then the position in the input.
TEST(SurvivorPolicy, BreaksTiesInAFixedOrder) {
  const SurvivorPolicy policy({SurvivorCriterion::kLongest});
  const std::vector<PageFacts> pages{
      page("", "", 100, 0),          page("http://b/", "", 100, 1),           page("http://a/", "", 100, 2),
      page("http://a/", "", 100, 3), page("http://z/", "2024-02-01", 100, 4), page("http://y/", "2024-01-01", 100, 5),
  };
  EXPECT_THAT(ranked(policy, pages), ElementsAre(5, 4, 2, 3, 1, 0));
}

TEST(SurvivorPolicy, ReportsTheDecidingCriterion) {
  const SurvivorPolicy policy({SurvivorCriterion::kLongest, SurvivorCriterion::kShortestUrl}, {"a"});
  const PageFacts kept = page("http://a/", "2024-01-01", 100, 0);
  EXPECT_EQ(policy.reason(kept, page("http://b/", "2024-01-01", 200, 1)), "host");
  EXPECT_EQ(policy.reason(kept, page("http://a/", "2024-01-01", 90, 1)), "longest");
  EXPECT_EQ(policy.reason(kept, page("http://a/1", "2024-01-01", 100, 1)), "shortest-url");
  EXPECT_EQ(policy.reason(kept, page("http://a/", "2024-01-02", 100, 1)), "tie-earliest");
  EXPECT_EQ(policy.reason(page("http://a/1", "", 1, 1), page("http://a/2", "", 1, 0)), "tie-url");
  EXPECT_EQ(policy.reason(kept, page("http://a/", "2024-01-01", 100, 1)), "tie-place");
}

TEST(SurvivorPolicy, PagesWithoutADateComeLastInBothDirections) {
  const PageFacts dated = page("http://a/", "2024-01-01", 1, 0);
  const PageFacts undated = page("http://a/", "", 1, 1);
  EXPECT_TRUE(SurvivorPolicy({SurvivorCriterion::kEarliest}).prefers(dated, undated));
  EXPECT_TRUE(SurvivorPolicy({SurvivorCriterion::kLatest}).prefers(dated, undated));
}

}  // namespace
}  // namespace paraprint
