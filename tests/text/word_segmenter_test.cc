#include "text/word_segmenter.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(text, tokens);
  std::vector<std::string> out;
  for (const Token& token : tokens) out.emplace_back(token.word(text));
  return out;
}

using Words = std::vector<std::string>;

TEST(WordSegmenter, ChineseWords) {
  EXPECT_EQ(words("我来到北京清华大学"), (Words{"我", "来到", "北京", "清华大学"}));
  EXPECT_EQ(words("他来到了网易杭研大厦"),
            (Words{"他", "来到", "了", "网易", "杭研", "大厦"}));  // 杭研: hidden Markov model
}

TEST(WordSegmenter, RunsOfLettersAndDigits) {
  EXPECT_EQ(words("the quick-brown fox, 3.14%"), (Words{"the", "quick", "brown", "fox", "3", "14"}));
  EXPECT_EQ(words("caf\xC3\xA9s 2024年 iphone手机"), (Words{"caf\xC3\xA9s", "2024", "年", "iphone", "手机"}));
}

}  // namespace
}  // namespace paraprint
