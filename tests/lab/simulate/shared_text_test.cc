#include "lab/simulate/shared_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "test_articles.h"

namespace paraprint {
namespace {

TextUnits units_of(std::string_view text) {
  Article article;
  article.paragraphs.push_back({std::string(text), BlockRole::kParagraph, 0});
  return text_units(article);
}

// The textbook dynamic-programming table.
std::size_t slow_common_subsequence(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

TEST(SharedText, UnitsAreHanCharactersAndOtherWords) {
  EXPECT_EQ(units_of("共3天, Hello-World!").units.size(), 5U);  // 共 3 天 hello world
  EXPECT_EQ(units_of("HELLO world").units, units_of("hello, World.").units);
}

TEST(SharedText, MarksBelongToTheirLetter) {
  EXPECT_EQ(units_of("مُحَمَّد كتب").units.size(), 2U);        // two words with vowels
  EXPECT_EQ(units_of("ที่นี่ v2, ภาษาไทย").units.size(), 4U);  // Thai runs end behind marks
  EXPECT_NE(units_of("ก่").units, units_of("ก้").units);
}

TEST(SharedText, AgreesWithAWorkedExample) {
  // Ten words compared with the same words, the sixth replaced: windows cover the first five and the last four.
  const SharedText shared = shared_text(units_of("a b c d e f g h i j"), units_of("a b c d e X g h i j"));
  EXPECT_FALSE(shared.is_same);
  EXPECT_DOUBLE_EQ(shared.containment_a, 0.9);
  EXPECT_DOUBLE_EQ(shared.dice, 0.9);
  EXPECT_EQ(label_of(shared), PairLabel::kNear);
}

TEST(SharedText, OrderOfPassagesDoesNotCount) {
  const SharedText shared = shared_text(units_of("a b c d e f g h"), units_of("e f g h a b c d"));
  EXPECT_DOUBLE_EQ(shared.dice, 1);
  EXPECT_FALSE(shared.is_same);
  EXPECT_EQ(label_of(shared), PairLabel::kNear);
}

TEST(SharedText, SubsequenceDecidesIfWindowsLeaveDoubt) {
  // Every fifth word replaced: each run of four is a single window, so windows already cover four fifths.
  const SharedText fifth = shared_text(units_of("a b c d e f g h i j k l"), units_of("a b c d X f g h i Y k l"));
  EXPECT_NEAR(fifth.dice, 10.0 / 12, 1e-9);  // the last two words are in no window; the subsequence has them
}

TEST(SharedText, PartsAreContainedInTheWhole) {
  const SharedText shared = shared_text(units_of("c d e f g h"), units_of("a b c d e f g h i j k l m n o p q r s t"));
  EXPECT_DOUBLE_EQ(shared.containment_a, 1);
  EXPECT_DOUBLE_EQ(shared.containment_b, 0.3);
  EXPECT_EQ(label_of(shared), PairLabel::kTopic);
}

TEST(SharedText, EmptyTextsEqualOnlyEachOther) {
  EXPECT_TRUE(shared_text(units_of(""), units_of("...")).is_same);
  EXPECT_DOUBLE_EQ(shared_text(units_of(""), units_of("a b c d")).dice, 0);
}

TEST(SharedText, CommonSubsequenceAgreesWithTheTable) {
  EXPECT_TRUE(rc::check("bit-parallel = table", [] {
    const auto letters = rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 4));
    std::vector<std::uint32_t> a = *letters;
    std::vector<std::uint32_t> b = *letters;
    // Long enough for carries between words of 64 bits.
    const auto copies = *rc::gen::inRange<std::size_t>(1, 5);
    const std::vector<std::uint32_t> piece = a;
    for (std::size_t i = 1; i < copies; ++i) a.insert(a.end(), piece.begin(), piece.end());
    RC_ASSERT(common_subsequence(a, b) == slow_common_subsequence(a, b));
    RC_ASSERT(common_subsequence(b, a) == slow_common_subsequence(a, b));
  }));
}

TEST(SharedText, LongCommonSubsequence) {
  Random random(1);
  std::vector<std::uint32_t> a(500);
  std::vector<std::uint32_t> b(700);
  for (std::uint32_t& unit : a) unit = static_cast<std::uint32_t>(random.below(5));
  for (std::uint32_t& unit : b) unit = static_cast<std::uint32_t>(random.below(5));
  EXPECT_EQ(common_subsequence(a, b), slow_common_subsequence(a, b));
}

TEST(SharedText, UnrelatedArticlesShareAlmostNothing) {
  const SharedText shared = shared_text(text_units(test_article(1, 30)), text_units(test_article(2, 30)));
  EXPECT_LT(shared.dice, kUnrelatedShare);
}

}  // namespace
}  // namespace paraprint
