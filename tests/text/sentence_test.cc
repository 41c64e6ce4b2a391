#include "text/sentence.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "../property.h"
#include "text/normalise.h"
#include "text/utf8.h"

namespace paraprint {
namespace {

std::vector<std::string> sentences(std::string_view text) {
  std::vector<TextSpan> spans;
  split_sentences(text, spans);
  std::vector<std::string> out;
  for (const TextSpan& span : spans) out.emplace_back(text.substr(span.begin_bytes, span.size_bytes()));
  return out;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

using Sentences = std::vector<std::string>;

TEST(Sentence, EndsAfterChinesePunctuationAndClosingQuotes) {
  EXPECT_EQ(sentences("他说：“走吧！”我们就走了。真的？！是……"),
            (Sentences{"他说：“走吧！”", "我们就走了。", "真的？！", "是……"}));
}

TEST(Sentence, EndsAtLatinFullStops) {
  EXPECT_EQ(sentences("It costs 3.14 dollars. Dr. Smith of the U.S. Army agrees. see x.y, e.g. this. \"Yes.\" he said"),
            (Sentences{"It costs 3.14 dollars.", "Dr. Smith of the U.S. Army agrees. see x.y, e.g. this.",
                       "\"Yes.\" he said"}));
}

TEST(Sentence, DoesNotEndInNumbersAddressesAndInitials) {
  EXPECT_EQ(sentences("Version 2.0 of www.example.com?a=1;b=2 is here! Next."),
            (Sentences{"Version 2.0 of www.example.com?a=1;b=2 is here!", "Next."}));
  EXPECT_EQ(sentences("J. R. Smith lives on Main St. Bern. He works."),
            (Sentences{"J. R. Smith lives on Main St. Bern.", "He works."}));
  EXPECT_EQ(sentences("Wait... what? Yes."), (Sentences{"Wait... what?", "Yes."}));
  EXPECT_EQ(sentences("用法见README.然后运行。"), (Sentences{"用法见README.", "然后运行。"}));
}

TEST(Sentence, EndsAtFullStopsBeforeLettersWithoutCase) {
  EXPECT_EQ(sentences("설정을 바꿉니다. 다음 예를 보십시오. v2.0 이상"),
            (Sentences{"설정을 바꿉니다.", "다음 예를 보십시오. v2.0 이상"}));
  EXPECT_EQ(sentences("هذا سطر. وهذا آخر؛ ثم سؤال؟ نعم"), (Sentences{"هذا سطر.", "وهذا آخر؛", "ثم سؤال؟", "نعم"}));
  EXPECT_EQ(sentences("זה משפט. וזה עוד"), (Sentences{"זה משפט.", "וזה עוד"}));
  EXPECT_EQ(sentences("см. ниже. Далее"), (Sentences{"см. ниже.", "Далее"}));
}

TEST(Sentence, EndsAtNewlinesAndHasNoOuterWhiteSpace) {
  EXPECT_EQ(sentences("  第一行\n\n第二行　\r\n"), (Sentences{"第一行", "第二行"}));
  EXPECT_EQ(sentences(" \n　"), Sentences{});
  EXPECT_EQ(sentences(""), Sentences{});
}

TEST(Sentence, SplitsVeryLongTextAtCommas) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "十个字左右的一个分句，";
  const Sentences found = sentences(text);
  EXPECT_GT(found.size(), 5u);
  for (const std::string& sentence : found) {
    EXPECT_LE(count_characters(sentence), kLongSentenceCharacters + 11);
    EXPECT_TRUE(sentence.ends_with("，"));
  }
}

TEST(Sentence, SpansAreValidForAnyBytes) {
  const auto check = [](const std::string& text) {
    std::vector<TextSpan> spans;
    split_sentences(text, spans);
    std::uint32_t end = 0;
    std::uint32_t content = 0;
    for (const TextSpan& span : spans) {
      RC_ASSERT(span.begin_bytes >= end);
      RC_ASSERT(span.end_bytes > span.begin_bytes);
      RC_ASSERT(span.end_bytes <= text.size());
      end = span.end_bytes;
      content += count_content_characters(std::string_view(text).substr(span.begin_bytes, span.size_bytes()));
      if (is_valid_utf8(text)) RC_ASSERT(is_valid_utf8(text.substr(span.begin_bytes, span.size_bytes())));
    }
    RC_ASSERT(content == count_content_characters(text));
  };
  CHECK_PROPERTY("bytes", check);
  CHECK_PROPERTY("pieces", [&] {
    check(*rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                            "。", "”", ".", " ", "A", "b", "Dr", "!", "中", "\n", "\xE4", "　", "…", "3", ";", "'")),
                        [](const std::vector<std::string>& pieces) {
                          std::string text;
                          for (const std::string& piece : pieces) text += piece;
                          return text;
                        }));
  });
}

}  // namespace
}  // namespace paraprint
