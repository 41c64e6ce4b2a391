// Matching of class and id names in all spellings, with and without the cache.
#include "extract/name_patterns.h"

#include <gtest/gtest.h>

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

TEST(NamePatterns, DistinguishesFirstWords) {
  EXPECT_EQ(NameMatcher::match_uncached("item first").first_word, NameMatcher::match_uncached(" item").first_word);
  EXPECT_NE(NameMatcher::match_uncached("item first").first_word, NameMatcher::match_uncached("items").first_word);
}

}  // namespace
}  // namespace paraprint
