#include "report/word_changes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text/normalise.h"

namespace paraprint {
namespace {

std::string part(std::string_view text, TextSpan span) {
  return std::string(text.substr(span.begin_bytes, span.size_bytes()));
}

SynonymTable table() {
  SynonymContent content;
  content.classes = {{"car", "automobile"}, {"begin", "start", "commence"}, {"计算机", "电脑"}, {"喜欢", "喜爱"}};
  content.soft = {{"house", {{"dwelling", 0.8F}}}};
  return SynonymTable(content);
}

const TokenFold kFold = [](std::string_view token, std::string& folded) {
  folded.clear();
  Normaliser().append_normalised(token, folded);
};

WordDiff classified(std::string_view a, std::string_view b) {
  static const SynonymTable kTable = table();
  WordDiff diff = diff_words(a, b, kFold);
  classify_changes(a, b, kFold, &kTable, diff);
  return diff;
}

// "equal[-old-]{+new+}[~old~]{~new~}[1>from>]{1>to>}"
std::string marked(std::string_view a, std::string_view b) {
  std::string out;
  for (const DiffRun& run : classified(a, b).runs) {
    std::string open = run.kind == DiffKind::kMoved ? std::to_string(run.move) + ">" : "-";
    std::string close = run.kind == DiffKind::kMoved ? ">" : "-";
    if (run.kind == DiffKind::kSynonym) open = close = "~";
    if (run.kind == DiffKind::kEqual) {
      out += part(a, run.a);
      continue;
    }
    if (run.a.size_bytes() > 0) out += "[" + open + part(a, run.a) + close + "]";
    if (run.kind == DiffKind::kChanged) open = close = "+";
    if (run.b.size_bytes() > 0) out += "{" + open + part(b, run.b) + close + "}";
  }
  return out;
}

TEST(WordChanges, FindsASynonym) {
  EXPECT_EQ(marked("My car is red.", "My Automobile is red."), "My [~car ~]{~Automobile ~}is red.");
  EXPECT_EQ(marked("We buy a house now.", "We buy a dwelling now."), "We buy a [~house ~]{~dwelling ~}now.");
  EXPECT_EQ(marked("My car is red.", "My horse is red."), "My [-car -]{+horse +}is red.");
}

TEST(WordChanges, ComparesHanTextByWord) {
  EXPECT_EQ(marked("他很喜欢这本书。", "他很喜爱这本书。"), "他很[~喜欢~]{~喜爱~}这本书。");
  EXPECT_EQ(marked("这台计算机坏了。", "这台電腦坏了。"), "这台[~计算机~]{~電腦~}坏了。");
  EXPECT_EQ(marked("使用计算机控制的电车。", "使用电脑控制的电车。"), "使用[~计算机~]{~电脑~}控制的电车。");
  // 欢 remains a changed character if the words around it are not synonyms.
  EXPECT_EQ(marked("他很喜欢这本书。", "他很喜悦这本书。"), "他很喜[-欢-]{+悦+}这本书。");
}

TEST(WordChanges, FindsSynonymsAmongOtherChanges) {
  EXPECT_EQ(marked("They begin a long journey by car today.", "They commence one trip by automobile today."),
            "They [~begin ~]{~commence ~}[-a long journey -]{+one trip +}by [~car ~]{~automobile ~}today.");
}

TEST(WordChanges, FindsMovedWords) {
  EXPECT_EQ(marked("In the early morning he left the old town without a word.",
                   "He left the old town without a word in the early morning."),
            "[1>In the early morning >]he left the old town without a word{1>in the early morning>}.");
}

TEST(WordChanges, IgnoresShortMoves) {
  const WordDiff diff =
      classified("Yes we can go there tomorrow with them.", "We can go there tomorrow with them yes.");
  for (const DiffRun& run : diff.runs) EXPECT_NE(run.kind, DiffKind::kMoved);
}

TEST(WordChanges, LeavesEqualPassagesUnchanged) {
  const WordDiff diff = classified("The same.", "the SAME.");
  ASSERT_EQ(diff.runs.size(), 1U);
  EXPECT_EQ(diff.runs[0].kind, DiffKind::kEqual);
}

TEST(WordChanges, TotalsCountContentCharacters) {
  const std::string_view a = "My car is red.";
  const std::string_view b = "My automobile is blue.";
  ChangeTotals totals;
  totals.add(a, b, classified(a, b));
  EXPECT_EQ(totals.equal_a, 4U);
  EXPECT_EQ(totals.equal_b, 4U);
  EXPECT_EQ(totals.synonym_a, 3U);
  EXPECT_EQ(totals.synonym_b, 10U);
  EXPECT_EQ(totals.changed_a, 3U);
  EXPECT_EQ(totals.changed_b, 4U);
  EXPECT_EQ(totals.moved_a + totals.moved_b, 0U);
}

// For any texts: runs cover both in order, equal runs are equal, synonyms are different words,
// and moved words are the same on both sides.
TEST(WordChanges, HoldForRandomTexts) {
  const std::vector<std::string> words = {"car",  "automobile", "begin ", "start ",    "计算机", "电脑",
                                          "喜欢", "喜爱",       "river",  "mountain ", "。",     ", ",
                                          "x",    "我们",       " ",      "don't "};
  std::mt19937 random(7);
  std::size_t synonyms = 0;
  std::size_t moves = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> tokens(random() % 24);
    for (std::string& token : tokens) token = words[random() % words.size()];
    std::vector<std::string> edited = tokens;
    for (unsigned edit = 0; edit < 3 && !edited.empty(); ++edit) {
      if (random() % 2 == 0) edited[random() % edited.size()] = words[random() % words.size()];
      std::rotate(edited.begin(), edited.begin() + static_cast<std::ptrdiff_t>(random() % edited.size()), edited.end());
    }
    std::string a;
    std::string b;
    for (const std::string& token : tokens) a += token;
    for (const std::string& token : edited) b += token;
    std::uint32_t at_a = 0;
    std::uint32_t at_b = 0;
    std::vector<std::string> from(kMovesMaximum + 1);
    std::vector<std::string> to(kMovesMaximum + 1);
    for (const DiffRun& run : classified(a, b).runs) {
      ASSERT_EQ(run.a.begin_bytes, at_a) << a << '\n' << b;
      ASSERT_EQ(run.b.begin_bytes, at_b) << a << '\n' << b;
      at_a = run.a.end_bytes;
      at_b = run.b.end_bytes;
      const std::string folded_a = Normaliser().normalised(part(a, run.a));
      const std::string folded_b = Normaliser().normalised(part(b, run.b));
      if (run.kind == DiffKind::kSynonym) {
        ++synonyms;
        ASSERT_NE(folded_a, folded_b) << a << '\n' << b;
      }
      if (run.kind == DiffKind::kMoved) {
        ASSERT_TRUE(run.a.size_bytes() == 0 || run.b.size_bytes() == 0);
        ASSERT_LE(run.move, kMovesMaximum);
        (run.a.size_bytes() > 0 ? from : to)[run.move] +=
            part(run.a.size_bytes() > 0 ? a : b, run.a.size_bytes() > 0 ? run.a : run.b);
        ++moves;
      }
    }
    ASSERT_EQ(at_a, a.size());
    ASSERT_EQ(at_b, b.size());
    for (std::size_t move = 1; move < from.size(); ++move) {
      ChangeTotals totals;
      WordDiff whole = diff_words(from[move], to[move], kFold);
      totals.add(from[move], to[move], whole);
      EXPECT_EQ(totals.changed_a + totals.changed_b, 0U) << from[move] << '\n' << to[move];
    }
  }
  EXPECT_GT(synonyms, 15U);
  EXPECT_GT(moves, 50U);
}

}  // namespace
}  // namespace paraprint
