// Synonym lists as text (docs/algorithms/synonyms.md): each line is a class of synonyms; "!" begins a line of words
// that are never synonyms, "#" a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline text {

// Limits on lists, which may be untrusted.
inline constexpr std::size_t kSynonymListBytesMaximum = std::size_t{64} << 20;
inline constexpr std::size_t kSynonymClassWordsMaximum = 64;

struct SynonymLists {
  // 2 to kSynonymClassWordsMaximum normalised words each; no word is in two classes.
  std::vector<std::vector<std::string>> classes;
  std::vector<std::vector<std::string>> apart;  // two or more normalised words each

  // Adds a list to those already read. A class that shares a word with an existing class is added to it. Errors:
  // kInvalidArgument, naming file and line, for entries that are not single words under our segmentation, a word in two
  // classes of this file, a class that would contain words kept apart by a "!" line, lines with one word, and lines or
  // classes that are too long; kLimitExceeded for too large a list. After an error the object can only be destroyed.
  Status add(std::string_view text, const std::string& name);
};

// The lists compiled into the library (src/text/synonym_lists/), parsed on first use. Thread-safe.
const SynonymLists& bundled_synonyms();
// Their text, concatenated.
std::string_view bundled_synonym_text();

}  // namespace paraprint::inline text
