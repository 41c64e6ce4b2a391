// What two texts have in common, group by group of three characters.
#include "trim/trigrams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace paraprint {
namespace {

using Hashes = std::vector<std::uint32_t>;

Hashes trigrams(const std::string& text) {
  return trigrams_of(text, Normaliser());
}

bool are_common(const Hashes& x, const Hashes& y) {
  std::uint64_t looked_at = 0;
  const bool found = are_mostly_common(x, y, looked_at);
  EXPECT_LE(looked_at, x.size() + y.size());
  return found;
}

bool are_near(const std::string& x, const std::string& y) {
  return are_common(trigrams(x), trigrams(y));
}

TEST(Trigrams, CountLettersAndDigitsOfTheNormalisedText) {
  EXPECT_TRUE(trigrams("").empty());
  EXPECT_TRUE(trigrams(" -- ").empty());
  EXPECT_EQ(trigrams("a").size(), 3U);  // with the padding
  EXPECT_EQ(trigrams("abcd").size(), 6U);
  EXPECT_EQ(trigrams("A b-C, d!"), trigrams("abcd"));
  EXPECT_EQ(trigrams("\xEF\xBC\xA1\xEF\xBC\xA2"), trigrams("ab"));                        // full width
  EXPECT_EQ(trigrams("\xE8\xA6\x8F\xE5\x89\x87"), trigrams("\xE8\xA7\x84\xE5\x88\x99"));  // rule, traditional
  EXPECT_NE(trigrams_of("\xE8\xA6\x8F\xE5\x89\x87", Normaliser({false})),
            trigrams_of("\xE8\xA7\x84\xE5\x88\x99", Normaliser({false})));
  EXPECT_EQ(trigrams(std::string("ab\xFF") + "c"), trigrams("abc"));
  EXPECT_NE(trigrams("abcd"), trigrams("abdc"));
  EXPECT_EQ(trigrams("aaaaaa").size(), 8U);  // each time it occurs
}

TEST(Trigrams, SeventeenOfTwentyAreEnough) {
  const auto numbers = [](std::uint32_t first, std::uint32_t last) {
    Hashes made(last - first + 1);
    std::iota(made.begin(), made.end(), first);
    return made;
  };
  const Hashes twenty = numbers(1, 20);
  EXPECT_TRUE(are_common(twenty, twenty));
  EXPECT_TRUE(are_common(twenty, numbers(4, 23)));
  EXPECT_FALSE(are_common(twenty, numbers(5, 24)));
  EXPECT_TRUE(are_common(twenty, numbers(1, 15)));   // 30 of 35
  EXPECT_FALSE(are_common(twenty, numbers(1, 14)));  // 28 of 34
  EXPECT_FALSE(are_common(numbers(1, 14), twenty));
  EXPECT_FALSE(are_common(Hashes{1, 1, 1, 1}, Hashes{1, 2, 3, 4}));  // each counts once
  EXPECT_FALSE(are_common(twenty, Hashes{}));
  EXPECT_TRUE(are_common(Hashes{}, Hashes{}));
}

TEST(Trigrams, OfTextsWithLittleInCommonAPartIsLookedAt) {
  Hashes even(1000);
  Hashes odd(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    even[i] = 2 * i;
    odd[i] = 2 * i + 1;
  }
  std::uint64_t looked_at = 0;
  EXPECT_FALSE(are_mostly_common(even, odd, looked_at));
  EXPECT_GE(looked_at, 300U);
  EXPECT_LT(looked_at, 400U);
}

// Whatever is left out of a comparison, its outcome is that of counting all groups.
TEST(Trigrams, EndedComparisonsHaveTheSameOutcome) {
  std::mt19937 random(1);
  int common = 0;
  for (int i = 0; i < 2000; ++i) {
    Hashes x(1 + random() % 400);
    for (std::uint32_t& hash : x) hash = static_cast<std::uint32_t>(random() % 1000);
    Hashes y = x;
    const std::size_t edits = random() % (x.size() / 3 + 2);
    for (std::size_t edit = 0; edit < edits; ++edit)
      y[random() % y.size()] = static_cast<std::uint32_t>(random() % 1000);
    y.resize(y.size() - random() % (y.size() / 10 + 1));
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    Hashes both;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
    const bool expected = 200 * both.size() >= 85 * (x.size() + y.size());
    EXPECT_EQ(are_common(x, y), expected) << i;
    common += expected ? 1 : 0;
  }
  EXPECT_GT(common, 500);
  EXPECT_LT(common, 1500);
}

TEST(Trigrams, TellEditedTextsFromOthersAboutOneWord) {
  const std::string text = "The river rose two metres overnight, and the old bridge to the market was closed at noon.";
  EXPECT_TRUE(
      are_near(text, "The river rose two metres overnight, and the old bridge to the market was closed at nine."));
  EXPECT_TRUE(
      are_near(text, "and the old bridge to the market was closed at noon. The river rose two metres overnight,"));
  EXPECT_FALSE(
      are_near(text, "The river, the river! What a river it was: the bridge of the river, the market by the river."));
}

}  // namespace
}  // namespace paraprint
