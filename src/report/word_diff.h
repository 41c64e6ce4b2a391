// What changed between two passages, word by word: the shortest edit script over tokens.
//
// Tokens: one Han character, kana or other letter of a script without spaces; otherwise a run of letters and digits
// (with ' and - inside words); any other character alone. White space belongs to the token before it and does not
// count.
//
// Algorithm: equal ends are cut off, then the greedy O((N + M) D) search for the furthest reaching paths (E. Myers, "An
// O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986), section 4), keeping the frontier of each step
// to walk back. Then a tidy-up for readers: an equal stretch of nothing but punctuation, or of one character, between
// two changes joins them, since chance agreement between rewritten words is noise.
//
// Memory O(D^2), so D is bounded: past kDiffEditsMaximum, or when a side has more than kDiffTokensMaximum tokens, the
// part between the equal ends is reported as one change, and `complete` is false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"

namespace paraprint {

// About ten printed pages a side: longer passages are not paragraphs.
inline constexpr std::size_t kDiffTokensMaximum = 20'000;
// 1,500 edits keep the frontiers under 10 MB and the search under 60 million steps.
inline constexpr int kDiffEditsMaximum = 1'500;

enum class DiffKind : std::uint8_t {
  kEqual,    // the same tokens (after folding)
  kChanged,  // `a` was replaced by `b`; either may be empty
  kSynonym,  // a word was replaced by one of the same meaning (word_changes.h)
  kMoved,    // words that stand elsewhere in the other passage; `a` or `b` is empty (word_changes.h)
};

// One stretch of both passages. Runs cover both passages completely, in order.
struct DiffRun {
  TextSpan a;
  TextSpan b;
  DiffKind kind = DiffKind::kChanged;
  std::uint32_t move = 0;  // of kMoved: from 1, the same on both sides
};

// What a diff is made of. Tokens cover their text completely.
struct DiffToken {
  TextSpan span;                    // with the white space that follows
  std::uint32_t key_end_bytes = 0;  // end without it
  bool is_punctuation = false;
  bool is_single = false;  // one character of a script without spaces
};

struct WordDiff {
  std::vector<DiffRun> runs;
  bool complete = true;
};

// Writes the form of a token that counts for comparison into `folded` (cleared before). Empty function: bytes count.
using TokenFold = std::function<void(std::string_view token, std::string& folded)>;

// Byte offsets in the runs are relative to `a` and `b`; equal and changed runs alternate. Malformed UTF-8 bytes are
// tokens of their own. Thread-safe if `fold` is.
WordDiff diff_words(std::string_view a, std::string_view b, const TokenFold& fold = {});

// The tokens of `text` in order.
std::vector<DiffToken> diff_tokens(std::string_view text);

}  // namespace paraprint
