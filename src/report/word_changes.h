// What became of the words that differ between two passages: replaced by words of the same meaning, moved, or changed.
//
// word_diff.h says where two passages differ, in characters for Han text. Here each differing stretch is widened to
// whole words (喜欢 and 喜爱 differ as words, though a character stays), and the words of its two sides are aligned in
// order so that the most characters stand beside the same word or one of the same meaning: the dynamic programme of S.
// Needleman and C. Wunsch (J. Mol. Biol. 48, 1970), with gaps and other pairs worth nothing. A stretch without a pair
// of synonyms stays as it was. Then runs of words that one side lost and the other has elsewhere are paired, the
// longest first.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/word_diff.h"
#include "text/synonym_table.h"

namespace paraprint {

// Stretches with more pairs of words than this are not aligned, passages with more pairs of changed words not searched
// for moved ones: both take time in proportion.
inline constexpr std::size_t kAlignedWordPairsMaximum = 250'000;
// Fewer moved letters say nothing; a Han character counts as two.
inline constexpr std::uint32_t kMovedLettersMinimum = 8;
inline constexpr std::uint32_t kMovesMaximum = 16;  // of one pair of passages

// Replaces runs of `diff`, which diff_words(a, b, fold) gave, by finer ones: those of synonyms by kSynonym, a pair of
// words each, those of moved words by kMoved. `fold` has to normalise, for words are looked up as they come out of it.
// `synonyms` may be null. Deterministic, thread-safe.
void classify_changes(std::string_view a, std::string_view b, const TokenFold& fold, const SynonymTable* synonyms,
                      WordDiff& diff);

// Content characters of two passages by what became of them.
struct ChangeTotals {
  std::uint64_t equal_a = 0;
  std::uint64_t equal_b = 0;
  std::uint64_t synonym_a = 0;
  std::uint64_t synonym_b = 0;
  std::uint64_t moved_a = 0;
  std::uint64_t moved_b = 0;
  std::uint64_t changed_a = 0;
  std::uint64_t changed_b = 0;

  void add(std::string_view a, std::string_view b, const WordDiff& diff);
};

}  // namespace paraprint
