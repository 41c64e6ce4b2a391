// Lists of synonyms as text (docs/algorithms/synonyms.md): a class of words a line; "!" before words that are never
// one; "#" before a remark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

// Limits on lists, which may be anybody's.
inline constexpr std::size_t kSynonymListBytesMaximum = std::size_t{64} << 20;
inline constexpr std::size_t kSynonymClassWordsMaximum = 64;

struct SynonymLists {
  // Two words or more each, kSynonymClassWordsMaximum at most, normalised, no word in two of them.
  std::vector<std::vector<std::string>> classes;
  std::vector<std::vector<std::string>> apart;  // two words or more each, normalised

  // Adds a list to those that were read before; a word that stands in a class stays there, and the rest of its new
  // class joins it. kInvalidArgument names file and line: words that are not one word of ours, a word in two classes of
  // this file, a class that would hold words that a line keeps apart, lines of one word, lines or classes that are too
  // long.
  Status add(std::string_view text, const std::string& name);
};

// The list compiled into the library (src/text/synonyms/), read once.
const SynonymLists& bundled_synonyms();
// Its text, file by file.
std::string_view bundled_synonym_text();

}  // namespace paraprint
