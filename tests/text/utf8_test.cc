#include "text/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "../property.h"
#include "text/normalise.h"

namespace paraprint {
namespace {

TEST(Utf8, DecodesWhatItEncodes) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    char buffer[4] = {};
    const std::uint32_t size = encode_character(c, buffer);
    const DecodedCharacter decoded = decode_character(buffer, buffer + size);
    ASSERT_EQ(decoded.code_point, c);
    ASSERT_EQ(decoded.size_bytes, size);
    for (std::uint32_t cut = 1; cut < size; ++cut) {
      ASSERT_EQ(decode_character(buffer, buffer + cut).code_point, kInvalidCharacter);
    }
  }
}

TEST(Utf8, DropsInvalidBytes) {
  const auto dropped = [](std::string_view bytes) { return sanitise(bytes).dropped_bytes; };
  EXPECT_EQ(sanitise("a\xFF苹\xE8\x8B果").text, "a苹果");
  EXPECT_EQ(dropped("a\xFF苹\xE8\x8B果"), 3u);
  EXPECT_EQ(dropped("\xC0\x80"), 2u);          // overlong
  EXPECT_EQ(dropped("\xED\xA0\x80"), 3u);      // surrogate
  EXPECT_EQ(dropped("\xF4\x90\x80\x80"), 4u);  // above U+10FFFF
  EXPECT_EQ(dropped("苹果"), 0u);
  EXPECT_EQ(dropped(""), 0u);
}

TEST(Utf8, SanitisedTextIsValidAndKeepsEveryCharacter) {
  CHECK_PROPERTY("random bytes", [](const std::string& bytes) {
    const SanitisedText result = sanitise(bytes);
    RC_ASSERT(is_valid_utf8(result.text));
    RC_ASSERT(result.text.size() + result.dropped_bytes == bytes.size());
    RC_ASSERT(is_valid_utf8(bytes) == (result.dropped_bytes == 0));
  });
}

TEST(Utf8, CountsLettersAndDigitsAsContent) {
  for (UChar32 c = 0; c < 0x110000; ++c) {
    const bool expected = (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
    ASSERT_EQ(is_content_character(static_cast<char32_t>(c)), expected) << c;
  }
  EXPECT_FALSE(is_content_character(kInvalidCharacter));
  for (char32_t c = 0; c < 0x110000; ++c) {  // alone, repeated and between others
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string character;
    append_character(c, character);
    const std::uint32_t each = is_content_character(c) ? 1 : 0;
    ASSERT_EQ(count_content_characters(character), each) << std::uint32_t{c};
    ASSERT_EQ(count_content_characters(character + character + "，" + character), 3 * each) << std::uint32_t{c};
    ASSERT_EQ(count_content_characters("中" + character + "abcdefgh" + character + "文"), 10 + 2 * each)
        << std::uint32_t{c};
  }
  EXPECT_EQ(count_content_characters("\xE5"), 0u);
  EXPECT_EQ(count_content_characters("\xE5\xBC"), 0u);
  EXPECT_EQ(count_content_characters("\xE5\xBC\x41\xE5"), 1u);
  EXPECT_EQ(count_content_characters("人工智能, 2024年! É\xFF"), 10u);
}

TEST(Utf8, HanExceedsTheDictionarysRange) {
  EXPECT_TRUE(is_han(U'一'));
  EXPECT_TRUE(is_han(0x9FD5));
  EXPECT_TRUE(is_han(0x9FFF));
  EXPECT_TRUE(is_han(0x20000));
  EXPECT_TRUE(is_han(U'〇'));
  EXPECT_FALSE(is_han(U'。'));
  EXPECT_FALSE(is_han(U'の'));
  EXPECT_EQ(character_class(0x9FD6), CharacterClass::kOtherHan);
  EXPECT_EQ(character_class(U'の'), CharacterClass::kHiragana);
  EXPECT_EQ(character_class(U'カ'), CharacterClass::kKatakana);
  EXPECT_EQ(character_class(U'ไ'), CharacterClass::kComplex);
  EXPECT_EQ(character_class(U'한'), CharacterClass::kWord);
}

}  // namespace
}  // namespace paraprint
