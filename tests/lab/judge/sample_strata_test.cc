// Strata of pooled pairs, and how a sample is divided among them.
#include "lab/judge/sample_strata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace paraprint {
namespace {

constexpr ScoreRange kRanges[] = {{0.8, 0.4}, {1, 1}};

std::uint64_t sampled(const std::vector<Stratum>& strata) {
  return std::accumulate(strata.begin(), strata.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Stratum& stratum) { return sum + stratum.sampled; });
}

Stratum stratum_of(std::uint64_t found_by, std::uint64_t pairs) {
  Stratum stratum;
  stratum.key = {found_by, 1};
  stratum.pairs = pairs;
  return stratum;
}

TEST(SampleStrataTest, KeysFollowThresholds) {
  const auto key = [](std::vector<PooledScore> scores) { return key_of(scores, kRanges); };
  EXPECT_EQ(key({{0, 1, 0, 0.8F}}), (StratumKey{1, 1}));
  EXPECT_EQ(key({{0, 1, 0, 0.87F}}), (StratumKey{1, 2}));
  EXPECT_EQ(key({{0, 1, 0, 0.95F}}), (StratumKey{1, 3}));
  EXPECT_EQ(key({{0, 1, 0, 1}}), (StratumKey{1, 3}));
  EXPECT_EQ(key({{0, 1, 0, 0.81F}, {0, 1, 1, 1}}), (StratumKey{3, 2}));  // mean of .05 and 1
  EXPECT_EQ(key({{0, 1, 0, 0.41F}}), (StratumKey{0, 1}));
  EXPECT_EQ(key({{0, 1, 0, 0.79F}}), (StratumKey{0, 3}));
  EXPECT_EQ(key({{0, 1, 0, 0.5F}, {0, 1, 1, 1}}), (StratumKey{2, 3}));
}

TEST(SampleStrataTest, SmallStrataAreJoinedByBand) {
  std::map<StratumKey, std::uint64_t> pairs;
  for (std::uint64_t found_by = 1; found_by < 128; ++found_by)
    pairs[{found_by, 1 + static_cast<std::uint32_t>(found_by % 3)}] = found_by;
  pairs[{0, 1}] = 1;
  const Strata chosen = choose_strata(pairs, 100);
  EXPECT_LE(chosen.strata.size(), 100 / kPairsPerStratumMinimum + 1);
  std::uint64_t total = 0;
  for (const Stratum& stratum : chosen.strata) total += stratum.pairs;
  EXPECT_EQ(total, 127U * 128 / 2 + 1);
  for (const auto& [key, count] : pairs) {
    const Stratum& stratum = chosen.strata[chosen.stratum_of_key.at(key)];
    EXPECT_EQ(stratum.key.band, key.band);
    EXPECT_EQ(stratum.is_below(), key.found_by == 0);
    EXPECT_TRUE(stratum.is_various || stratum.key == key);
    EXPECT_EQ(stratum.is_various, key.found_by != 0 && key.found_by < 128 - 22);
  }
}

TEST(SampleStrataTest, AllocationIsByTheRootOfThePairs) {
  std::vector<Stratum> strata = {stratum_of(1, 100), stratum_of(2, 10'000), stratum_of(3, 1'000'000)};
  allocate(1110, strata);
  EXPECT_EQ(strata[0].sampled, 10U);
  EXPECT_EQ(strata[1].sampled, 100U);
  EXPECT_EQ(strata[2].sampled, 1000U);
}

TEST(SampleStrataTest, SmallStrataAreTakenWhole) {
  std::vector<Stratum> strata = {stratum_of(1, 2), stratum_of(2, 5), stratum_of(3, 1000)};
  allocate(100, strata);
  EXPECT_EQ(strata[0].sampled, 2U);
  EXPECT_GE(strata[1].sampled, kPairsPerStratumMinimum);
  EXPECT_EQ(sampled(strata), 100U);
}

TEST(SampleStrataTest, PairsBelowEveryThresholdGetAQuarter) {
  std::vector<Stratum> strata = {stratum_of(0, 10'000'000), stratum_of(1, 1000)};
  allocate(200, strata);
  EXPECT_EQ(strata[0].sampled, 50U);
  EXPECT_EQ(strata[1].sampled, 150U);
  strata = {stratum_of(0, 10'000'000), stratum_of(1, 30)};
  allocate(200, strata);
  EXPECT_EQ(strata[0].sampled, 170U);
  EXPECT_EQ(strata[1].sampled, 30U);
}

TEST(SampleStrataTest, ALargerSampleTakesNoFewerOfAnyStratumAndAllOfThemInTheEnd) {
  std::vector<Stratum> last = {stratum_of(0, 40), stratum_of(1, 7), stratum_of(2, 90), stratum_of(3, 1)};
  for (std::uint64_t size = 10; size <= 160; ++size) {
    std::vector<Stratum> strata = last;
    for (Stratum& stratum : strata) stratum.sampled = 0;
    allocate(size, strata);
    EXPECT_EQ(sampled(strata), std::min<std::uint64_t>(size, 138));
    for (const Stratum& stratum : strata) EXPECT_LE(stratum.sampled, stratum.pairs);
  }
}

}  // namespace
}  // namespace paraprint
