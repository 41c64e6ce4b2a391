#include "lab/simulate/charset_encode.h"

#include <gtest/gtest.h>

#include "html/charset_decode.h"

namespace paraprint {
namespace {

TEST(CharsetEncode, RoundTripsThroughTheDecoder) {
  struct Case {
    std::string_view charset;
    std::string_view text;
  };
  constexpr Case kCases[] = {
      {"gbk", "中文 text，标点"}, {"gb2312", "简体中文"},     {"gb18030", "中文😀"},   {"big5", "繁體中文"},
      {"utf-8", "ü中"},           {"windows-1252", "café €"}, {"shift_jis", "日本語"}, {"euc-kr", "한국어"},
      {"windows-1251", "Привет"}, {"windows-1250", "łódź"},   {"euc-jp", "日本語"},    {"windows-1253", "Ελλάδα"},
  };
  CharsetDecoder decoder;
  for (const Case& test : kCases) {
    ASSERT_TRUE(can_encode(test.charset)) << test.charset;
    const EncodedPage page = encode_page(test.text, test.charset);
    EXPECT_EQ(page.references, 0U) << test.charset;
    std::string decoded;
    decoder.decode(charset_of_label(test.charset), page.bytes, decoded);
    EXPECT_EQ(decoded, test.text) << test.charset;
  }
}

TEST(CharsetEncode, Utf16StartsWithAByteOrderMark) {
  EXPECT_EQ(encode_page("A", "utf-16le").bytes, std::string("\xFF\xFE"
                                                            "A\0",
                                                            4));
  EXPECT_EQ(encode_page("A", "utf-16be").bytes, std::string("\xFE\xFF\0A", 4));
}

TEST(CharsetEncode, MissingCharactersBecomeReferences) {
  const EncodedPage page = encode_page("é中", "windows-1252");
  EXPECT_EQ(page.bytes, "\xE9&#20013;");
  EXPECT_EQ(page.characters, 2U);
  EXPECT_EQ(page.references, 1U);
}

TEST(CharsetEncode, RejectsUnknownCharsets) {
  EXPECT_FALSE(can_encode("utf-7"));
  EXPECT_FALSE(can_encode(""));
}

}  // namespace
}  // namespace paraprint
