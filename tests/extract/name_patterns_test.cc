// Matching of class and id names in all spellings, with and without the cache.
#include "extract/name_patterns.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <string>

namespace paraprint {
namespace {

bool has(NameMask mask, NameGroup group) {
  return (mask & name_bit(group)) != 0;
}

TEST(NamePatterns, MatchesWordsInAnySpelling) {
  EXPECT_TRUE(has(NameMatcher::match_uncached("articleBody").mask, kNameBody));
  EXPECT_TRUE(has(NameMatcher::match_uncached("ARTICLE-BODY clearfix").mask, kNameBody));
  EXPECT_TRUE(has(NameMatcher::match_uncached("post__share_buttons").mask, kNameShare));
  EXPECT_TRUE(has(NameMatcher::match_uncached("mod-pinglun").mask, kNameComment));
}

TEST(NamePatterns, ShortWordsNeedBorders) {
  EXPECT_TRUE(has(NameMatcher::match_uncached("ad").mask, kNameAdvertisement));
  EXPECT_TRUE(has(NameMatcher::match_uncached("top_ad").mask, kNameAdvertisement));
  EXPECT_FALSE(has(NameMatcher::match_uncached("shadow reading").mask, kNameAdvertisement));
}

TEST(NamePatterns, CacheDoesNotChangeAnswers) {
  NameMatcher matcher;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 10'000; ++i) {
      const std::string name = (i % 3 == 0 ? "sidebar-" : "entry-content-") + std::to_string(i);
      ASSERT_EQ(matcher.match(name).mask, NameMatcher::match_uncached(name).mask) << name;
    }
  }
}

// For 9 to 16 bytes, XXH3 without a seed mixes size + swap(x) + y + x * y, with x and y the first and the last eight
// bytes, each combined with two words of its constant secret. x = 0 in one name, y = 0 in the other one.
TEST(NamePatterns, CacheTellsNamesOfOneKnownHashApart) {
  const auto secret = [](std::size_t at) { return XXH_readLE64(XXH3_kSecret + at); };
  const std::uint64_t first = secret(24) ^ secret(32);
  const std::uint64_t last = secret(40) ^ secret(48);
  const auto name_of = [](std::uint64_t x, std::uint64_t y) {
    std::string name(2 * sizeof x, '\0');
    std::memcpy(name.data(), &x, sizeof x);
    std::memcpy(name.data() + sizeof x, &y, sizeof y);
    return name;
  };
  std::uint64_t comment;
  std::memcpy(&comment, " comment", sizeof comment);
  const std::string hidden = name_of(first, comment);
  const std::string other = name_of(first ^ XXH_swap64(comment ^ last), last);
  ASSERT_EQ(XXH3_64bits(hidden.data(), hidden.size()), XXH3_64bits(other.data(), other.size()));
  NameMatcher matcher;
  ASSERT_NE(matcher.match(hidden).mask, NameMatcher::match_uncached(other).mask);
  EXPECT_EQ(matcher.match(other).mask, NameMatcher::match_uncached(other).mask);
}

TEST(NamePatterns, DistinguishesFirstWords) {
  EXPECT_EQ(NameMatcher::match_uncached("item first").first_word, NameMatcher::match_uncached(" item").first_word);
  EXPECT_NE(NameMatcher::match_uncached("item first").first_word, NameMatcher::match_uncached("items").first_word);
}

// Which first words are taken for one decides what is content, so it is the same in each process: the seed, which is
// random, has no part in it.
TEST(NamePatterns, FirstWordsAreTheSameInEachProcess) {
  EXPECT_EQ(NameMatcher::match_uncached("item first").first_word, 0x98365b81U);
  EXPECT_EQ(NameMatcher().match("item first").first_word, 0x98365b81U);
}

}  // namespace
}  // namespace paraprint
