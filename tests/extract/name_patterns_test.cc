#include "extract/name_patterns.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

bool has(NameMask mask, NameGroup group) {
  return (mask & name_bit(group)) != 0;
}

TEST(NamePatterns, FindsWordsInAnySpelling) {
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

TEST(NamePatterns, MemoryDoesNotChangeAnswers) {
  NameMatcher matcher;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 10'000; ++i) {
      const std::string name = (i % 3 == 0 ? "sidebar-" : "entry-content-") + std::to_string(i);
      ASSERT_EQ(matcher.match(name).mask, NameMatcher::match_uncached(name).mask) << name;
    }
  }
}

TEST(NamePatterns, ReadsTellTaleText) {
  EXPECT_TRUE(has(match_short_text("责任编辑：王小明"), kNameMeta));
  EXPECT_TRUE(has(match_short_text("Copyright 2020 Example"), kNameFooter));
  EXPECT_TRUE(has(match_short_text("Read more about cats"), kNameRelated));
  EXPECT_FALSE(has(match_short_text("Already moreover"), kNameRelated));
}

}  // namespace
}  // namespace paraprint
