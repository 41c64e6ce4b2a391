#include "text/word_segmenter.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <new>
#include <thread>

#include "../property.h"
#include "simulation/failing_memory.h"
#include "text/normalise.h"
#include "text/utf8.h"

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

TEST(WordSegmenter, FindsChineseWords) {
  EXPECT_EQ(words("我来到北京清华大学"), (Words{"我", "来到", "北京", "清华大学"}));
  EXPECT_EQ(words("他来到了网易杭研大厦"),
            (Words{"他", "来到", "了", "网易", "杭研", "大厦"}));  // 杭研: hidden Markov model
}

TEST(WordSegmenter, FindsRunsOfLettersAndDigits) {
  EXPECT_EQ(words("the quick-brown fox, 3.14%"), (Words{"the", "quick", "brown", "fox", "3", "14"}));
  EXPECT_EQ(words("caf\xC3\xA9s 2024年 iphone手机"), (Words{"caf\xC3\xA9s", "2024", "年", "iphone", "手机"}));
}

TEST(WordSegmenter, FindsDictionaryWordsWithLatinLetters) {
  EXPECT_EQ(words("穿T恤去4s店"), (Words{"穿", "T恤", "去", "4s店"}));
  EXPECT_EQ(words("穿t恤"), (Words{"穿", "t", "恤"}));  // as in jieba, whose dictionary has only the capital
  EXPECT_EQ(words("c++语言 at&t"), (Words{"c", "语言", "at", "t"}));
}

TEST(WordSegmenter, SegmentsOtherScripts) {
  EXPECT_EQ(words("東京の大学でカラオケを歌う"), (Words{"東京", "の", "大学", "で", "カラオケ", "を", "歌", "う"}));
  EXPECT_EQ(words("らーめん スーパー"), (Words{"らーめん", "スーパー"}));
  EXPECT_EQ(words("한국어 문서를"), (Words{"한국어", "문서를"}));
  EXPECT_EQ(words("हिन्दी में"), (Words{"हिन्दी", "में"}));  // vowel signs are marks, not letters
  EXPECT_EQ(words("ภาษาไทยง่าย"), (Words{"ภาษา", "ไทย", "ง่าย"}));
  EXPECT_EQ(words("人々𠮷〇"), (Words{"人", "々", "𠮷", "〇"}));
}

// Which is what ICU makes of each of them, without asking it for each.
TEST(WordSegmenter, ALetterOfAScriptWithoutSpacesIsAWord) {
  std::string text;
  Words expected;
  for (char32_t c = 0; c < 0x20000; ++c) {
    if (character_class(c) != CharacterClass::kComplex) continue;
    for (const std::string_view mark : {"", "\u0E34", "\u17D2"}) {
      if (!mark.empty() && !is_content_character(c)) continue;
      std::string word;
      append_character(c, word);
      word += mark;
      text += word + " ";
      expected.push_back(word);
    }
  }
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_EQ(words(text), expected);
  EXPECT_EQ(words("ก\u0301 กa ก1中ก"), (Words{"ก\u0301", "ก", "a", "ก", "1", "中", "ก"}));
}

TEST(WordSegmenter, JoinsLettersAcrossTheEdgeOfABlock) {
  EXPECT_EQ(words("éabc中文def-ghié"), (Words{"éabc", "中文", "def", "ghié"}));
  EXPECT_EQ(words("ab-cd中ef"), (Words{"ab", "cd", "中", "ef"}));
}

TEST(WordSegmenter, LooksUpDictionaryEntries) {
  const WordSegmenter& segmenter = WordSegmenter::shared();
  EXPECT_GT(segmenter.word_count(), 300000u);
  EXPECT_EQ(segmenter.part_of_speech(segmenter.find_word("的")), "uj");
  EXPECT_EQ(segmenter.part_of_speech(segmenter.find_word("北京")), "ns");
  EXPECT_EQ(segmenter.find_word("杭研"), kUnknownWord);
  EXPECT_EQ(segmenter.find_word("清华大"), kUnknownWord);  // only a prefix
  EXPECT_EQ(segmenter.find_word(""), kUnknownWord);
  EXPECT_EQ(segmenter.part_of_speech(kUnknownWord), "");
  EXPECT_NE(segmenter.data_version(), 0u);
  EXPECT_LT(segmenter.find_word("的"), segmenter.find_word("北京"));
}

// Text of random pieces in every combination, valid or not.
rc::Gen<std::string> segmenter_texts() {
  return rc::gen::map(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "中", "国", "人民", "研究生命", "杭", "a", "B", "9", "é", "の", "カ", "ー", "한", "ไทย", "กิ", "\xCC\x81", "+",
          ".", "-", "%", "，", " ", "𠮷", "龥", "\xE4", "\xFF", "\xE4\xB8", "々", "４")),
      [](const std::vector<std::string>& pieces) {
        std::string text;
        for (const std::string& piece : pieces) text += piece;
        return text;
      });
}

void check_tokens(const std::string& text) {
  std::vector<Token> tokens;
  WordSegmenter::shared().segment(text, tokens);
  std::uint32_t end = 0;
  std::uint32_t content = 0;
  for (const Token& token : tokens) {
    RC_ASSERT(token.begin_bytes >= end);
    RC_ASSERT(token.end_bytes > token.begin_bytes);
    RC_ASSERT(token.end_bytes <= text.size());
    end = token.end_bytes;
    content += count_content_characters(token.word(text));
    if (is_valid_utf8(text)) RC_ASSERT(is_valid_utf8(token.word(text)));
    if (token.word_id != kUnknownWord) RC_ASSERT(WordSegmenter::shared().find_word(token.word(text)) == token.word_id);
  }
  RC_ASSERT(content == count_content_characters(text));
}

TEST(WordSegmenter, EveryContentCharacterIsInOneToken) {
  CHECK_PROPERTY("pieces", [] { check_tokens(*segmenter_texts()); });
  CHECK_PROPERTY("bytes", [](const std::string& bytes) { check_tokens(bytes); });
}

TEST(WordSegmenter, PunctuationSeparatesTexts) {
  CHECK_PROPERTY("two texts", [] {
    const std::string left = *segmenter_texts();
    const std::string right = *segmenter_texts();
    Words expected = words(left);
    for (const std::string& word : words(right)) expected.push_back(word);
    RC_ASSERT(words(left + "。" + right) == expected);
  });
}

TEST(WordSegmenter, DoesNotDependOnEarlierCalls) {
  CHECK_PROPERTY("two texts", [] {
    const std::string text = *segmenter_texts();
    const Words alone = words(text);
    words(*segmenter_texts());
    RC_ASSERT(words(text) == alone);
  });
}

// A thread's buffers grow together. If memory runs out in between, what the smaller of them has room for is still
// known.
TEST(WordSegmenter, AnyAllocationMayFail) {
  std::string block;
  while (block.size() < 30'000) block += "我来到北京清华大学";
  const std::string longer = block + block;
  const Words expected = words(longer);
  std::uint64_t failures = 0;
  for (std::uint64_t good = 0; failures == good; ++good) {
    // In a thread of its own, because its buffers are still small.
    std::thread([&] {
      std::vector<Token> tokens;
      FailingMemory::fail_after(good);
      try {
        const UnsafeMemory unsafe;
        WordSegmenter::shared().segment(block, tokens);
      } catch (const std::bad_alloc&) {
      }
      if (FailingMemory::end()) ++failures;
      EXPECT_EQ(words(longer), expected) << good;
    }).join();
  }
  EXPECT_GT(failures, 20U);
}

}  // namespace
}  // namespace paraprint
