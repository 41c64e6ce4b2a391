// Classifies the words that differ between two passages: replaced by synonyms, moved, or changed.
//
// word_diff.h finds where two passages differ, by character for Han text. Here each differing stretch is extended to
// whole words (喜欢 and 喜爱 differ as words, although they share a character), and the words of its two sides are
// aligned in order so that the most characters are paired with the same word or a synonym: the dynamic programme of S.
// Needleman and C. Wunsch (J. Mol. Biol. 48, 1970), with a value of 0 for gaps and other pairs. A stretch without a
// pair of synonyms is left as it was. Then runs of words that are missing from one side and present elsewhere on the
// other are paired, the longest first.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/word_diff.h"
#include "text/synonym_table.h"

namespace paraprint::inline report {

// Stretches with more pairs of words are not aligned, and passages with more pairs of changed words are not searched
// for moves, because both take time proportional to the number of pairs.
inline constexpr std::size_t kAlignedWordPairsMaximum = 250'000;
// Minimum letters of a moved run, since shorter runs are likely chance; a Han character counts as two.
inline constexpr std::uint32_t kMovedLettersMinimum = 8;
inline constexpr std::uint32_t kMovesMaximum = 16;  // per pair of passages

// Refines the runs of `diff`, the result of diff_words(a, b, fold): synonyms become kSynonym runs of one pair of words
// each, moved words become kMoved runs. `fold` must normalise, because folded words are looked up in `synonyms`, which
// may be null. Deterministic, thread-safe.
void classify_changes(std::string_view a, std::string_view b, const TokenFold& fold, const SynonymTable* synonyms,
                      WordDiff& diff);

// Content characters of two passages by kind of change.
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

}  // namespace paraprint::inline report
