#include "text/script_name.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

TEST(ScriptName, IsTheScriptOfMostLetters) {
  EXPECT_EQ(script_name("The quick brown fox"), "Latin");
  EXPECT_EQ(script_name("Élan vital, Straße"), "Latin");
  EXPECT_EQ(script_name("网页去重算法 with some words"), "Han");
  EXPECT_EQ(script_name("重複したページを取り除く"), "Kana");
  EXPECT_EQ(script_name("중복 문서"), "Hangul");
  EXPECT_EQ(script_name("Повторы страниц"), "Cyrillic");
  EXPECT_EQ(script_name("διπλότυπα"), "Greek");
  EXPECT_EQ(script_name("صفحات مكررة"), "Arabic");
  EXPECT_EQ(script_name("דפים כפולים"), "Hebrew");
  EXPECT_EQ(script_name("หน้าซ้ำ"), "Thai");
  EXPECT_EQ(script_name("दोहराए गए पृष्ठ"), "Devanagari");
  EXPECT_EQ(script_name("ნიმუში"), "other");
  EXPECT_EQ(script_name("123 -- !?"), "none");
  EXPECT_EQ(script_name(""), "none");
}

TEST(ScriptName, AcceptsInvalidAndTruncatedText) {
  EXPECT_EQ(script_name("\xFF\xFE abc"), "Latin");
  std::string text(kScriptSampleBytes - 1, ' ');
  text += "网页";  // truncated within a character
  EXPECT_EQ(script_name(text), "none");
}

}  // namespace
}  // namespace paraprint
