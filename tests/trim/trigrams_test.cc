// What two texts have in common, group by group of three characters.
#include "trim/trigrams.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace paraprint {
namespace {

using Hashes = std::vector<std::uint32_t>;

Hashes trigrams(const std::string& text) {
  return trigrams_of(text, Normaliser());
}

bool are_near(const std::string& x, const std::string& y) {
  return are_mostly_common(trigrams(x), trigrams(y));
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
  EXPECT_TRUE(are_mostly_common(twenty, twenty));
  EXPECT_TRUE(are_mostly_common(twenty, numbers(4, 23)));
  EXPECT_FALSE(are_mostly_common(twenty, numbers(5, 24)));
  EXPECT_TRUE(are_mostly_common(twenty, numbers(1, 15)));   // 30 of 35
  EXPECT_FALSE(are_mostly_common(twenty, numbers(1, 14)));  // 28 of 34
  EXPECT_FALSE(are_mostly_common(numbers(1, 14), twenty));
  EXPECT_FALSE(are_mostly_common(Hashes{1, 1, 1, 1}, Hashes{1, 2, 3, 4}));  // each counts once
  EXPECT_FALSE(are_mostly_common(twenty, Hashes{}));
  EXPECT_TRUE(are_mostly_common(Hashes{}, Hashes{}));
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
