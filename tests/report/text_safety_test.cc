#include "report/text_safety.h"

#include <gtest/gtest.h>

#include "base/verdict.h"
#include "report/verdict_text.h"

namespace paraprint {
namespace {

using namespace std::string_literals;

std::string valid(std::string_view bytes) {
  std::string out;
  append_valid_utf8(out, bytes);
  return out;
}

std::string tsv(std::string_view bytes) {
  std::string out;
  append_tsv_field(out, bytes);
  return out;
}

TEST(TextSafety, KeepsValidUtf8AndReplacesTheRest) {
  EXPECT_EQ(valid("plain 苹果 \U0001F469"), "plain 苹果 \U0001F469");
  EXPECT_EQ(valid("a\xff"
                  "b"),
            "a\uFFFD"
            "b");
  EXPECT_EQ(valid("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(valid("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(valid("\xe8\x8b"), "\uFFFD\uFFFD");            // cut off
  EXPECT_EQ(valid("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(TextSafety, HtmlTextCannotEndItsElementOrAttribute) {
  EXPECT_EQ(html_text("</script><a href=\"x\" t='y'>&amp;"),
            "&lt;/script&gt;&lt;a href=&quot;x&quot; t=&#39;y&#39;&gt;&amp;amp;");
  EXPECT_EQ(html_text("a\0b\x1b\x7f\n\tc"s), "a\uFFFDb\uFFFD\uFFFD\n\tc");
  EXPECT_EQ(html_text("x\u202Ey\u2066z"), "x\uFFFDy\uFFFDz");
  EXPECT_EQ(html_text("\u200Eשלום"), "\u200Eשלום");
}

TEST(TextSafety, TerminalTextContainsNoControlCharacters) {
  std::string out;
  append_terminal_text(out, "a\x1b[31m\tb\nc\x9b");
  EXPECT_EQ(out, "a\uFFFD[31m\uFFFDb\nc\uFFFD");
}

TEST(TextSafety, TsvFieldsCanBeReadBack) {
  EXPECT_EQ(tsv("a\tb\nc\\d\re"), "a\\tb\\nc\\\\d\\re");
  EXPECT_EQ(tsv("\\t"), "\\\\t");
  EXPECT_EQ(tsv("\xff"), "\xff");
}

TEST(TextSafety, PrefixEndsAtACharacterBoundary) {
  EXPECT_EQ(utf8_prefix("苹果", 6), "苹果");
  EXPECT_EQ(utf8_prefix("苹果", 5), "苹");
  EXPECT_EQ(utf8_prefix("苹果", 2), "");
  EXPECT_EQ(utf8_prefix("\x80\x80\x80", 2), "");
}

TEST(TextSafety, SpansAreLimitedToTheTextAndToCharacterBoundaries) {
  const auto clamped = [](TextSpan span) {
    const TextSpan out = clamp_to_characters("a苹果", span);
    return std::pair(out.begin_bytes, out.end_bytes);
  };
  EXPECT_EQ(clamped({1, 4}), std::pair(1U, 4U));
  EXPECT_EQ(clamped({2, 5}), std::pair(1U, 7U));
  EXPECT_EQ(clamped({5, 900}), std::pair(4U, 7U));
  EXPECT_EQ(clamped({900, 901}), std::pair(7U, 7U));
  EXPECT_EQ(clamped({4, 2}), std::pair(4U, 4U));
}

TEST(TextSafety, OnlyHttpUrlsBecomeLinks) {
  EXPECT_TRUE(is_linkable_url("https://example.org/a?b=c"));
  EXPECT_TRUE(is_linkable_url("http://例子.example/"));
  EXPECT_FALSE(is_linkable_url("javascript:alert(1)"));
  EXPECT_FALSE(is_linkable_url(" https://example.org"));
  EXPECT_FALSE(is_linkable_url("https://example.org/a b"));
  EXPECT_FALSE(is_linkable_url("HTTP"));
  EXPECT_FALSE(is_linkable_url(""));
}

TEST(VerdictText, PercentagesNeverRoundToCertainty) {
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.001), "<1 %");
  EXPECT_EQ(percent_text(0.911), "91 %");
  EXPECT_EQ(percent_text(0.9999), ">99 %");
  EXPECT_EQ(percent_text(1), "100 %");
}

TEST(VerdictText, ReversingSwapsTheSides) {
  Match match;
  match.page_a = 1;
  match.page_b = 2;
  match.verdict = Verdict::kContained;
  match.containment_a = 0.9F;
  match.containment_b = 0.3F;
  const Match back = reversed(match);
  EXPECT_EQ(back.page_a, 2U);
  EXPECT_EQ(back.verdict, Verdict::kContains);
  EXPECT_EQ(back.containment_a, 0.3F);
  EXPECT_EQ(reversed(back).verdict, Verdict::kContained);
  EXPECT_EQ(reversed(Verdict::kNear), Verdict::kNear);
  EXPECT_EQ(verdict_sentence(match), "A is contained in B: 90 % of A is in B, 30 % of B is in A.");
}

TEST(VerdictText, FormatsQuantitiesForReaders) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1234567), "1,234,567");
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(0.25), "250 ms");
  EXPECT_EQ(duration_text(0.9999), "1.0 s");
  EXPECT_EQ(duration_text(9.84), "9.8 s");
  EXPECT_EQ(duration_text(59.97), "1 min 0 s");
  EXPECT_EQ(duration_text(250), "4 min 10 s");
  EXPECT_EQ(duration_text(3720), "1 h 2 min");
  EXPECT_EQ(bytes_text(812), "812 B");
  EXPECT_EQ(bytes_text(1'400'000), "1.4 MB");
  EXPECT_EQ(bytes_text(999'999), "1.0 MB");
}

}  // namespace
}  // namespace paraprint
