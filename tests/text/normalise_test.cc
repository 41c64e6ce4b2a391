#include "text/normalise.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "../property.h"
#include "text/utf8.h"

namespace paraprint {
namespace {

const Normaliser kFolding;
const Normaliser kPlain({.fold_traditional = false});

TEST(Normalise, UnifiesWidthCaseAndCompatibilityForms) {
  EXPECT_EQ(kFolding.normalised("Ｐａｒａｐｒｉｎｔ　１２３，ＡＢＣ"), "paraprint 123,abc");
  EXPECT_EQ(kFolding.normalised("ﬁne ㈱ ℃ Ⅳ ①"), "fine (株) °c iv 1");
  EXPECT_EQ(kFolding.normalised("ＧＢ２３１２…"), "gb2312...");
  EXPECT_EQ(kFolding.normalised("\uFDFA\uFDFA \uFDFA"), "صلى الله عليه وسلمصلى الله عليه وسلم صلى الله عليه وسلم");
  EXPECT_EQ(kFolding.normalised("ÀÉÎ ΑΒΓ ДЖ"), "àéî αβγ дж");
}

TEST(Normalise, FoldsTraditionalToSimplified) {
  EXPECT_EQ(kFolding.normalised("網頁去重與資訊檢索"), "网页去重与资讯检索");
  EXPECT_EQ(kPlain.normalised("網頁去重"), "網頁去重");
  EXPECT_EQ(kFolding.normalised("网页去重"), "网页去重");
}

TEST(Normalise, CollapsesWhiteSpaceAndDropsInvisibleCharacters) {
  EXPECT_EQ(kFolding.normalised("  a \t\r\n b　　c\xC2\xA0 "), "a b c");
  EXPECT_EQ(kFolding.normalised("人\xE2\x80\x8B工\xEF\xBB\xBF智\xC2\xAD能"), "人工智能");
  EXPECT_EQ(kFolding.normalised(std::string_view("a\0b\x01\x7F", 5)), "ab");
  EXPECT_EQ(kFolding.normalised("a\xFF\xC3 b"), "a b");
  EXPECT_EQ(kFolding.normalised(" \xE3\x80\x80\n"), "");
  EXPECT_EQ(kFolding.normalised(""), "");
  EXPECT_EQ(kFolding.normalised("one two  three four five  six"), "one two three four five six");
}

TEST(Normalise, ComposesCombiningCharacters) {
  EXPECT_EQ(kFolding.normalised("E\xCC\x81"
                                "cole"),
            "école");
  EXPECT_EQ(kFolding.normalised("e\xE2\x80\x8B\xCC\x81"), "é");                  // across a zero-width space
  EXPECT_EQ(kFolding.normalised("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"), "한");  // jamo
  EXPECT_EQ(kFolding.normalised("\xCE\x99\xCC\x88\xCC\x81"), "ΐ");               // composes only in lower case
  EXPECT_EQ(kFolding.normalised("a\xCC\xA7\xCC\x81 x"), kFolding.normalised("a\xCC\x81\xCC\xA7 x"));
}

TEST(Normalise, AppendsWithoutReadingExistingContent) {
  std::string out = "kept ";
  kFolding.append_normalised(" \xCC\x81x ", out);
  EXPECT_EQ(out, "kept \xCC\x81x");
}

// Random text with many characters that normalisation changes.
rc::Gen<std::string> texts() {
  static const std::vector<char32_t> kInteresting = {
      ' ',     '\t',   'A',    'e',    0x300,  0x301,  0x308,  0x327,  0x345,  0x130,  0x1E9E, 0x3A3,  0x399,
      0x37A,   0xA8,   0xB4,   0xAD,   0x200B, 0x200D, 0xFEFF, 0x3000, 0x2026, 0x1100, 0x1161, 0x11A8, 0xAC00,
      0xFB01,  0xFDFA, 0xFF21, 0xFF76, 0xFF9E, 0x3099, 0x304B, 0x958B, 0x7DB2, 0x9801, 0x4E00, 0xF900, 0x2F800,
      0x1D400, 0x0E33, 0x0F73, 0x1F80, 0x2126, 0x212B, 0xC5,   0x1E0A, 0x323,  0x307,  0x09C7, 0x09BE, 0x110A5,
      0x110BA, 0x115F, 0x3164, 0xFFA0, 0x02DC, 0x385,  0x0E38, 0x0E48, 0x94D,  0x958};
  return rc::gen::map(rc::gen::container<std::vector<char32_t>>(rc::gen::oneOf(
                          rc::gen::elementOf(kInteresting), rc::gen::inRange<char32_t>(0, 0xD800),
                          rc::gen::inRange<char32_t>(0xE000, 0x110000), rc::gen::inRange<char32_t>(0, 0x80))),
                      [](const std::vector<char32_t>& characters) {
                        std::string out;
                        for (const char32_t c : characters) append_character(c, out);
                        return out;
                      });
}

TEST(Normalise, IsIdempotent) {
  for (const Normaliser* normaliser : {&kFolding, &kPlain}) {
    CHECK_PROPERTY("text", [&] {
      const std::string once = normaliser->normalised(*texts());
      RC_ASSERT(normaliser->normalised(once) == once);
      RC_ASSERT(is_valid_utf8(once));
    });
    CHECK_PROPERTY("bytes", [&](const std::string& bytes) {
      const std::string once = normaliser->normalised(bytes);
      RC_ASSERT(normaliser->normalised(once) == once);
      RC_ASSERT(normaliser->normalised(sanitise(bytes).text) == once);
    });
  }
}

// Leaves out the non-starters that the Stream-Safe Text Format would put behind a combining grapheme joiner.
icu::UnicodeString without_long_runs(const icu::UnicodeString& text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const nfkd = icu::Normalizer2::getNFKDInstance(error);
  icu::UnicodeString kept;
  std::int32_t in_a_row = 0;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const icu::UnicodeString decomposed = nfkd->normalize(icu::UnicodeString(text.char32At(i)), error);
    std::vector<bool> is_starter;
    for (std::int32_t d = 0; d < decomposed.length(); d = decomposed.moveIndex32(d, 1)) {
      is_starter.push_back(u_getCombiningClass(decomposed.char32At(d)) == 0);
    }
    const auto first = std::find(is_starter.begin(), is_starter.end(), true);
    const auto last = std::find(is_starter.rbegin(), is_starter.rend(), true);
    if (in_a_row + (first - is_starter.begin()) > 30) continue;
    in_a_row = static_cast<std::int32_t>(last - is_starter.rbegin()) + (last == is_starter.rend() ? in_a_row : 0);
    kept.append(text.char32At(i));
  }
  return kept;
}

// A straightforward implementation of the definition on top of ICU.
std::string reference(const std::string& utf8) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const nfkc = icu::Normalizer2::getNFKCInstance(error);
  icu::UnicodeString text;
  const icu::UnicodeString all = icu::UnicodeString::fromUTF8(utf8);
  for (std::int32_t i = 0; i < all.length(); i = all.moveIndex32(i, 1)) {
    const UChar32 c = all.char32At(i);
    const bool is_space = u_hasBinaryProperty(c, UCHAR_WHITE_SPACE) != 0;
    const bool is_invisible = (U_GET_GC_MASK(c) & (U_GC_CC_MASK | U_GC_CF_MASK)) != 0 ||
                              u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
    if (is_space || !is_invisible) text.append(c);
  }
  text = without_long_runs(text);
  for (icu::UnicodeString before; before != text;) {
    before = text;
    text = nfkc->normalize(text, error);
    icu::UnicodeString lower;
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) lower.append(u_tolower(text.char32At(i)));
    text = lower;
  }
  icu::UnicodeString spaced;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    if (!u_hasBinaryProperty(c, UCHAR_WHITE_SPACE)) {
      spaced.append(c);
    } else if (!spaced.isEmpty() && !spaced.endsWith(u' ')) {
      spaced.append(u' ');
    }
  }
  std::string out;
  spaced.toUTF8String(out);
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

TEST(Normalise, EqualsIcuOnRandomText) {
  CHECK_PROPERTY("text", [] {
    const std::string text = *texts();
    RC_ASSERT(kPlain.normalised(text) == reference(text));
  });
}

// Text of a few letters between runs of marks around the limit, with characters that are dropped or take marks along.
rc::Gen<std::string> marked_texts() {
  static const std::vector<char32_t> kBetween = {'e', 'E', ' ', 0xC5, 0x1FA7, 0x1100, 0x1161, 0x130, 0x4E00, 0xA8};
  static const std::vector<char32_t> kMarks = {0x301, 0x316, 0x345, 0x344, 0x323, 0x3099, 0xF73, 0x94D, 0xFF9E};
  static const std::vector<char32_t> kDropped = {0x200D, 0x34F, 0xAD};
  const auto one = [](const std::vector<char32_t>& from) { return rc::gen::elementOf(from); };
  const auto character = rc::gen::weightedOneOf<char32_t>({{1, one(kBetween)}, {60, one(kMarks)}, {4, one(kDropped)}});
  return rc::gen::map(rc::gen::resize(500, rc::gen::container<std::vector<char32_t>>(character)),
                      [](const std::vector<char32_t>& characters) {
                        std::string out;
                        for (const char32_t c : characters) append_character(c, out);
                        return out;
                      });
}

TEST(Normalise, EqualsIcuOnManyMarks) {
  CHECK_PROPERTY("text", [] {
    const std::string text = *marked_texts();
    const std::string once = kPlain.normalised(text);
    RC_ASSERT(once == reference(text));
    RC_ASSERT(kPlain.normalised(once) == once);
  });
}

// Marks that never combine with a letter, in and out of order, among those that do; few enough in a row not to be cut.
// Accents with a space, and letters that normalisation takes apart into one with a mark.
rc::Gen<std::string> texts_of_few_marks() {
  static const std::vector<char32_t> kBetween = {'e',    'E',    ' ',    0xC5,   0x1FA7, 0x0E01, 0x0915,
                                                 0x0958, 0xFB31, 0x1100, 0xAC00, 0x130,  0xAD,   0x2DC};
  static const std::vector<char32_t> kMarks = {0x0E38, 0x0E48, 0x0316, 0x05B0, 0x05BC, 0x064E, 0x0651,  0x094D,
                                               0x093C, 0x0334, 0x0301, 0x0323, 0x3099, 0x0345, 0x16FF0, 0x00A8,
                                               0x0385, 0x2DC,  0xFC5E, 0x1161, 0x11A8, 0x0E33, 0x00B8,  0x200D};
  const auto character =
      rc::gen::weightedOneOf<char32_t>({{2, rc::gen::elementOf(kBetween)}, {3, rc::gen::elementOf(kMarks)}});
  return rc::gen::map(rc::gen::container<std::vector<char32_t>>(character),
                      [](const std::vector<char32_t>& characters) {
                        std::string out;
                        for (const char32_t c : characters) append_character(c, out);
                        return out;
                      });
}

TEST(Normalise, EqualsIcuOnFewMarks) {
  CHECK_PROPERTY("text", [] {
    const std::string text = *texts_of_few_marks();
    RC_ASSERT(kPlain.normalised(text) == reference(text));
  });
}

// Each mark of each combining class on each side of every other one: which of them are in order is the table's word.
TEST(Normalise, EqualsIcuOnEveryPairOfClasses) {
  std::vector<char32_t> marks;
  std::vector<bool> is_seen(256);
  for (char32_t c = 0x300; c < 0x20000; ++c) {
    const std::uint8_t combining_class = u_getCombiningClass(static_cast<UChar32>(c));
    if (combining_class == 0 || is_seen[combining_class]) continue;
    is_seen[combining_class] = true;
    marks.push_back(c);
  }
  ASSERT_GT(marks.size(), 40U);
  for (const char32_t letter : {U'e', U'\u0915', U'\u0958', U'\uFB31', U' ', U'\u00A8', U'\u1EAD'}) {
    for (const char32_t first : marks) {
      for (const char32_t second : marks) {
        std::string text = "x";
        for (const char32_t c : {letter, first, second, U'\u0301', U'y'}) append_character(c, text);
        ASSERT_EQ(kPlain.normalised(text), reference(text))
            << std::hex << static_cast<std::uint32_t>(first) << ' ' << static_cast<std::uint32_t>(second);
      }
    }
  }
}

TEST(Normalise, KeepsThirtyMarksInARow) {
  const auto marks = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += i % 2 == 0 ? "\xCC\x96" : "\xCC\xA3";  // two below the letter
    return text;
  };
  EXPECT_EQ(kFolding.normalised("x" + marks(30)), "x" + marks(30));
  EXPECT_EQ(kFolding.normalised("x" + marks(31)), "x" + marks(30));
  EXPECT_EQ(kFolding.normalised("x" + marks(100'000) + "y" + marks(3)), "x" + marks(30) + "y" + marks(3));
  EXPECT_EQ(kFolding.normalised(marks(40) + "\xCD\x8F" + marks(40)), marks(30));  // a joiner does not begin a new run
  EXPECT_EQ(kFolding.normalised(marks(31) + " " + marks(31)), marks(30) + " " + marks(30));
}

TEST(Normalise, EqualsIcuOnEveryCharacter) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string alone;
    append_character(c, alone);
    const std::string text = "x" + alone + "y e" + alone + "\xCC\x81";
    ASSERT_EQ(kPlain.normalised(text), reference(text)) << std::hex << static_cast<std::uint32_t>(c);
  }
}

}  // namespace
}  // namespace paraprint
