// Finds what changed between two passages, word by word: the shortest edit script over tokens.
//
// A token is a single Han character, kana or other letter of a script without spaces; otherwise a run of letters and
// digits (with ' and - inside words); any other character is a token of its own. White space belongs to the preceding
// token and is not compared.
//
// Algorithm: equal ends are removed, then the greedy O((N + M) D) search for the furthest-reaching paths (E. Myers, "An
// O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986), section 4) keeps the frontier of each step for
// walking back. Finally, an equal stretch of nothing but punctuation or a single character between two changes is
// merged with them, because chance agreement between rewritten words distracts the reader.
//
// Memory is O(D^2), so D is bounded: beyond kDiffEditsMaximum, or if a side has more than kDiffTokensMaximum tokens,
// the part between the equal ends is reported as one change, and `complete` is false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline report {

// About ten printed pages per side; longer passages are not paragraphs.
inline constexpr std::size_t kDiffTokensMaximum = 20'000;
// With 1,500 edits the frontiers take less than 10 MB and the search less than 60 million steps.
inline constexpr int kDiffEditsMaximum = 1'500;

enum class DiffKind : std::uint8_t {
  kEqual,    // the same tokens (after folding)
  kChanged,  // `a` was replaced by `b`; either may be empty
  kSynonym,  // a word was replaced by one of the same meaning (word_changes.h)
  kMoved,    // words found elsewhere in the other passage; `a` or `b` is empty (word_changes.h)
};

// A stretch of both passages. Runs cover both passages completely, in order.
struct DiffRun {
  TextSpan a;
  TextSpan b;
  DiffKind kind = DiffKind::kChanged;
  std::uint32_t move = 0;  // for kMoved: number from 1, the same on both sides
};

// The unit of comparison. Tokens cover their text completely.
struct DiffToken {
  TextSpan span;                    // including the white space that follows
  std::uint32_t key_end_bytes = 0;  // end without that white space
  bool is_punctuation = false;
  bool is_single = false;  // one character of a script without spaces
};

struct WordDiff {
  std::vector<DiffRun> runs;
  bool complete = true;
};

// Writes the form of a token used for comparison into `folded`, which is empty before the
// call. Without a function, bytes are compared.
using TokenFold = std::function<void(std::string_view token, std::string& folded)>;

// Byte offsets in the runs are relative to `a` and `b`; equal and changed runs alternate. Bytes of malformed UTF-8 are
// separate tokens. Thread-safe if `fold` is.
WordDiff diff_words(std::string_view a, std::string_view b, const TokenFold& fold = {});

// The tokens of `text` in order.
std::vector<DiffToken> diff_tokens(std::string_view text);

}  // namespace paraprint::inline report
