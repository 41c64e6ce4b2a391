#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "lab/fingerprint_testing.h"
#include "lab/fingerprinters.h"

namespace paraprint {
namespace {

std::unique_ptr<PageFingerprinter> with(double bits, double distance_bits) {
  ParameterValues values(kRandomProjection.parameters);
  values.set("bits", bits);
  values.set("distance_bits", distance_bits);
  return kRandomProjection.make(values);
}

std::vector<std::string> numbered_words(const std::string& prefix, int count) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back(prefix + std::to_string(i));
  return words;
}

TEST(RandomProjection, PagesWithFewWordsAreShort) {
  const auto fingerprinter = make_default(kRandomProjection);
  std::vector<std::string> words = numbered_words("w", 7);
  words.emplace_back("w0");
  EXPECT_EQ(fingerprint_of(*fingerprinter, TestPage(words)).state, FingerprintState::kShort);
  words.emplace_back("w7");
  const PageFingerprint fingerprint = fingerprint_of(*fingerprinter, TestPage(words));
  EXPECT_EQ(fingerprint.state, FingerprintState::kUsable);
  EXPECT_EQ(fingerprint.values.size(), 6U);
}

// A shorter fingerprint is a prefix of a longer one; unused bits are 0.
TEST(RandomProjection, ShorterFingerprintsArePrefixesOfLongerOnes) {
  const TestPage page(numbered_words("w", 50));
  const auto longest = fingerprint_of(*with(1024, 12), page).values;
  for (const std::size_t bits : {16U, 64U, 65U, 128U, 384U, 1000U}) {
    const auto values = fingerprint_of(*with(static_cast<double>(bits), 3), page).values;
    ASSERT_EQ(values.size(), (bits + 63) / 64);
    for (std::size_t bit = 0; bit < 64 * values.size(); ++bit) {
      const std::uint64_t expected = bit < bits ? longest[bit / 64] >> (63 - bit % 64) & 1 : 0;
      ASSERT_EQ(values[bit / 64] >> (63 - bit % 64) & 1, expected) << bits << ' ' << bit;
    }
  }
}

// A bit differs with probability angle / pi. Ten of 100 words are exchanged.
TEST(RandomProjection, DistanceFollowsTheAngle) {
  const auto fingerprinter = with(1024, 12);
  double differing = 0;
  constexpr int kTrials = 40;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<std::string> words = numbered_words("w" + std::to_string(trial) + "-", 100);
    const auto a = fingerprint_of(*fingerprinter, TestPage(words));
    for (int i = 0; i < 10; ++i) words[static_cast<std::size_t>(i)] = "x" + std::to_string(i);
    const auto b = fingerprint_of(*fingerprinter, TestPage(words));
    EXPECT_EQ(fingerprinter->similarity(a, b).resemblance, fingerprinter->similarity(b, a).resemblance);
    differing += 1 - fingerprinter->similarity(a, b).resemblance;
  }
  const double expected = std::acos(0.9) / 3.14159265358979;
  const double four_sigma = 4 * std::sqrt(expected * (1 - expected) / 1024 / kTrials);
  EXPECT_NEAR(differing / kTrials, expected, four_sigma);
}

TEST(RandomProjection, ThresholdIsExact) {
  for (const double bits : {64.0, 100.0, 384.0, 1000.0}) {
    const auto fingerprinter = with(bits, 12);
    const PageFingerprint base = fingerprint_of(*fingerprinter, TestPage(numbered_words("w", 60)));
    PageFingerprint other = base;
    EXPECT_EQ(fingerprinter->similarity(base, other).resemblance, 1);
    for (int i = 0; i < 12; ++i) other.values[0] ^= std::uint64_t{1} << (5 * i);
    EXPECT_EQ(fingerprinter->similarity(base, other).resemblance, fingerprinter->threshold());
    other.values[0] ^= 2;
    EXPECT_LT(fingerprinter->similarity(base, other).resemblance, fingerprinter->threshold());
  }
}

TEST(RandomProjection, ChoosesTheIndexByLength) {
  const auto plan_of = [](int bits, int distance) {
    const auto fingerprinter = with(bits, distance);
    return fingerprinter->index_plan(fingerprinter->threshold());
  };
  EXPECT_EQ(std::get<HammingPlan>(plan_of(64, 3)).width_bits, 64);
  EXPECT_EQ(std::get<HammingPlan>(plan_of(64, 3)).distance_bits, 3);
  EXPECT_EQ(std::get<HammingPlan>(plan_of(128, 12)).width_bits, 128);
  EXPECT_EQ(std::get<EqualKeysPlan>(plan_of(384, 12)).distance_bits, 12);
  EXPECT_EQ(std::get<EqualKeysPlan>(with(384, 0)->index_plan(1)).distance_bits, 0);
}

TEST(RandomProjection, SummariesKeepAllCopies) {
  EXPECT_FALSE(with(100, 12)->has_summary());
  const auto fingerprinter = with(384, 12);
  ASSERT_TRUE(fingerprinter->has_summary());
  const PageFingerprint base = fingerprint_of(*fingerprinter, TestPage(numbered_words("w", 60)));
  const auto filter = fingerprinter->summary_filter(base);
  PageFingerprint other = base;
  for (int i = 0; i < 12; ++i) other.values[i % 2] ^= std::uint64_t{1} << (5 * i);
  other.values[5] = ~other.values[5];  // not in the summary
  EXPECT_TRUE(filter(fingerprinter->summary(other)));
  other.values[1] ^= 2;
  EXPECT_FALSE(filter(fingerprinter->summary(other)));
}

// At least one of distance + 1 blocks is equal, wherever the differing bits are.
TEST(RandomProjection, PairsWithinTheDistanceShareAKey) {
  std::mt19937_64 random(12);
  for (const auto& [bits, distance] : {std::pair{384, 12}, {384, 29}, {1000, 5}, {200, 0}}) {
    const auto fingerprinter = with(bits, distance);
    const auto plan = std::get<EqualKeysPlan>(fingerprinter->index_plan(fingerprinter->threshold()));
    ASSERT_EQ(plan.distance_bits, distance);
    const PageFingerprint base = fingerprint_of(*fingerprinter, TestPage(numbered_words("w", 60)));
    std::vector<std::uint64_t> keys;
    fingerprinter->index_keys(base, plan, keys);
    EXPECT_EQ(keys.size(), static_cast<std::size_t>(distance) + 1);
    for (int trial = 0; trial < 200; ++trial) {
      PageFingerprint other = base;
      for (int i = 0; i < distance; ++i) {
        const std::size_t bit = random() % static_cast<std::size_t>(bits);
        other.values[bit / 64] ^= std::uint64_t{1} << (63 - bit % 64);
      }
      std::vector<std::uint64_t> other_keys;
      fingerprinter->index_keys(other, plan, other_keys);
      const bool has_common = std::any_of(keys.begin(), keys.end(), [&](std::uint64_t key) {
        return std::find(other_keys.begin(), other_keys.end(), key) != other_keys.end();
      });
      ASSERT_TRUE(has_common);
    }
    // Different blocks have different keys even if their bits are equal.
    PageFingerprint zero = base;
    std::fill(zero.values.begin(), zero.values.end(), 0);
    std::vector<std::uint64_t> zero_keys;
    fingerprinter->index_keys(zero, plan, zero_keys);
    std::sort(zero_keys.begin(), zero_keys.end());
    EXPECT_EQ(std::adjacent_find(zero_keys.begin(), zero_keys.end()), zero_keys.end());
  }
}

}  // namespace
}  // namespace paraprint
