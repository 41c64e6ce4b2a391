// Which words may count as one because their vectors are near. Words used in the same places are synonyms, but also
// opposites (上涨, 下跌) and names of one row (Monday, Tuesday): those are kept out here, by lists and by what the
// dictionary says of a word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/synonym_list.h"

namespace paraprint {

// What the rules ask about a word, found once.
struct GuardedWord {
  std::string_view word;
  bool may_merge = false;  // with any word at all
  bool is_han = false;
  char tag = 0;                      // first letter of the dictionary's part of speech; 0: none
  std::vector<std::uint32_t> apart;  // lines that keep it apart from others
};

class SynonymGuard {
 public:
  // Reads `lists.apart`, which must outlive it.
  explicit SynonymGuard(const SynonymLists& lists);

  // False for: numbers and what holds a digit, stop words, single Han characters, Han words that the dictionary does
  // not know or has as names of people, places and institutions, times, numerals, measure words and abbreviations;
  // other words of fewer than four letters.
  GuardedWord look_at(std::string_view word) const;

  // Both may merge, are of one writing system and part of speech, no line keeps them apart, neither is the other with
  // something added, and they are not two Han words that differ in one character of a line of single characters.
  bool may_merge(const GuardedWord& a, const GuardedWord& b) const;

  // Only what lines say, and the rule of single characters: also for words of the curated list.
  bool is_apart(const GuardedWord& a, const GuardedWord& b) const;

 private:
  const std::vector<std::uint32_t>* lines_of(std::string_view word) const;

  std::unordered_map<std::string_view, std::vector<std::uint32_t>> lines_of_;
};

}  // namespace paraprint
