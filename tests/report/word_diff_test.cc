#include "report/word_diff.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace paraprint {
namespace {

std::string diff_part(std::string_view text, TextSpan span) {
  return std::string(text.substr(span.begin_bytes, span.size_bytes()));
}

bool is_equal(const DiffRun& run) {
  return run.kind == DiffKind::kEqual;
}

// "equal[-old-]{+new+}equal"
std::string marked_diff(std::string_view a, std::string_view b, const TokenFold& fold = {}) {
  std::string out;
  for (const DiffRun& run : diff_words(a, b, fold).runs) {
    if (is_equal(run)) {
      out += diff_part(a, run.a);
    } else {
      if (run.a.size_bytes() > 0) out += "[-" + diff_part(a, run.a) + "-]";
      if (run.b.size_bytes() > 0) out += "{+" + diff_part(b, run.b) + "+}";
    }
  }
  return out;
}

std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> out;
  for (const DiffToken& token : diff_tokens(text)) out.push_back(diff_part(text, token.span));
  return out;
}

TEST(WordDiff, TokensAreWordsAndSingleHanCharacters) {
  EXPECT_EQ(tokens("It's a well-known x2, 50% - no."),
            (std::vector<std::string>{"It's ", "a ", "well-known ", "x2", ", ", "50", "% ", "- ", "no", "."}));
  EXPECT_EQ(tokens("苹果iPhone 上市"), (std::vector<std::string>{"苹", "果", "iPhone ", "上", "市"}));
  EXPECT_EQ(tokens("  café\n\n"), (std::vector<std::string>{"  ", "café\n\n"}));
  EXPECT_EQ(tokens("a\xff\xfe"
                   "b"),
            (std::vector<std::string>{"a", "\xff", "\xfe", "b"}));
  EXPECT_TRUE(tokens("").empty());
}

TEST(WordDiff, MarksChanges) {
  EXPECT_EQ(marked_diff("the odd stray cow", "the odd stray cow"), "the odd stray cow");
  EXPECT_EQ(marked_diff("the odd stray cow", "the stray cow"), "the [-odd -]stray cow");
  EXPECT_EQ(marked_diff("the stray cow", "the odd stray cow"), "the {+odd +}stray cow");
  EXPECT_EQ(marked_diff("the odd cow", "the old cow"), "the [-odd -]{+old +}cow");
  EXPECT_EQ(marked_diff("今天上午九时开放", "今天下午九时开放"), "今天[-上-]{+下+}午九时开放");
  EXPECT_EQ(marked_diff("", "all new"), "{+all new+}");
  EXPECT_EQ(marked_diff("all old", ""), "[-all old-]");
  EXPECT_EQ(marked_diff("", ""), "");
}

TEST(WordDiff, IgnoresWhiteSpace) {
  EXPECT_EQ(marked_diff("a  b\nc", "a b c"), "a  b\nc");
  EXPECT_EQ(marked_diff(" a b", "\t a b"), " a b");
}

TEST(WordDiff, MergesChanceAgreementsIntoChanges) {
  EXPECT_EQ(marked_diff("red, green paint", "blue, yellow paint"), "[-red, green -]{+blue, yellow +}paint");
  // An agreement of two characters is kept.
  EXPECT_EQ(marked_diff("大红灯笼高高挂", "小红灯具高高放"), "[-大-]{+小+}红灯[-笼-]{+具+}高高[-挂-]{+放+}");
}

TEST(WordDiff, FoldedTokensAreEqual) {
  const TokenFold lower = [](std::string_view token, std::string& folded) {
    for (const char c : token) folded += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  };
  EXPECT_EQ(marked_diff("The COW ran", "the cow walked", lower), "The COW [-ran-]{+walked+}");
}

TEST(WordDiff, ReportsOneChangeBeyondTheLimit) {
  std::string a = "same ";
  std::string b = "same ";
  for (int i = 0; i < kDiffEditsMaximum; ++i) {
    a += fmt::format("x{} ", i);
    b += fmt::format("y{} ", i);
  }
  const WordDiff diff = diff_words(a + "end", b + "end");
  EXPECT_FALSE(diff.complete);
  ASSERT_EQ(diff.runs.size(), 3U);
  EXPECT_TRUE(is_equal(diff.runs[0]) && !is_equal(diff.runs[1]) && is_equal(diff.runs[2]));
  // A pure insertion of any length needs no search.
  EXPECT_TRUE(diff_words("same end", b + "end").complete);
}

// The reference: the longest common subsequence by the textbook dynamic-programming table.
std::size_t common_tokens(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

// Words of two letters, so that the final clean-up, which merges across single
// characters, never applies to whole words.
std::string as_words(const std::string& letters) {
  std::string text;
  for (const char c : letters) text += std::string(2, c) + " ";
  return text;
}

TEST(WordDiff, IsAsShortAsTheReference) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string a;
    std::string b;
    for (std::size_t i = random() % 12; i > 0; --i) a += static_cast<char>('a' + random() % 3);
    for (std::size_t i = random() % 12; i > 0; --i) b += static_cast<char>('a' + random() % 3);
    const std::string words_a = as_words(a);
    const std::string words_b = as_words(b);
    const WordDiff diff = diff_words(words_a, words_b);
    ASSERT_TRUE(diff.complete);
    std::size_t equal = 0;
    std::uint32_t end_a = 0;
    std::uint32_t end_b = 0;
    for (std::size_t i = 0; i < diff.runs.size(); ++i) {
      const DiffRun& run = diff.runs[i];
      ASSERT_EQ(run.a.begin_bytes, end_a);
      ASSERT_EQ(run.b.begin_bytes, end_b);
      end_a = run.a.end_bytes;
      end_b = run.b.end_bytes;
      ASSERT_TRUE(i == 0 || is_equal(run) != is_equal(diff.runs[i - 1]));
      if (!is_equal(run)) continue;
      ASSERT_EQ(diff_part(words_a, run.a), diff_part(words_b, run.b));
      equal += run.a.size_bytes() / 3;
    }
    ASSERT_EQ(end_a, words_a.size());
    ASSERT_EQ(end_b, words_b.size());
    ASSERT_EQ(equal, common_tokens(a, b)) << a << " " << b;
  }
}

}  // namespace
}  // namespace paraprint
