// Decides which words may be merged because their vectors are near. Words used in the same contexts are synonyms, but
// also antonyms (上涨, 下跌) and members of a series (Monday, Tuesday). The guard excludes these, by lists and by the
// dictionary's part of speech.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/synonym_list.h"

namespace paraprint::inline semantics::inline vectors {

// The facts about a word that the rules need, looked up once.
struct GuardedWord {
  std::string_view word;
  bool may_merge = false;  // with any word at all
  bool is_han = false;
  char tag = 0;                      // first letter of the dictionary's part of speech; 0: none
  std::vector<std::uint32_t> apart;  // lines of SynonymLists::apart that contain the word
};

class SynonymGuard {
 public:
  // Reads `lists.apart`, which must outlive it.
  explicit SynonymGuard(const SynonymLists& lists);

  // GuardedWord::may_merge is false for words with a digit, stop words, single Han characters, Han words that the
  // dictionary does not know or has as names of people, places and institutions, times, numerals, measure words or
  // abbreviations, and other words of fewer than four letters.
  GuardedWord look_at(std::string_view word) const;

  // Both may merge, have the same script and part of speech, are not kept apart by a line, neither extends the other,
  // and they are not two Han words that differ in one character only, where a line keeps the two characters apart.
  bool may_merge(const GuardedWord& a, const GuardedWord& b) const;

  // Only the rules about lines and single characters, which also apply to words of the curated lists.
  bool is_apart(const GuardedWord& a, const GuardedWord& b) const;

 private:
  const std::vector<std::uint32_t>* lines_of(std::string_view word) const;

  std::unordered_map<std::string_view, std::vector<std::uint32_t>> lines_of_;
};

}  // namespace paraprint::inline semantics::inline vectors
