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

// One stretch of both passages. Equal: the same tokens (after folding). Otherwise `a` was replaced by `b`; either may
// be empty. Runs cover both passages completely, in order, alternating between equal and changed.
struct DiffRun {
  TextSpan a;
  TextSpan b;
  bool is_equal = false;
};

struct WordDiff {
  std::vector<DiffRun> runs;
  bool complete = true;
};

// Writes the form of a token that counts for comparison into `folded` (cleared before). Empty function: bytes count.
using TokenFold = std::function<void(std::string_view token, std::string& folded)>;

// Byte offsets in the runs are relative to `a` and `b`. Malformed UTF-8 bytes are tokens of their own. Thread-safe if
// `fold` is.
WordDiff diff_words(std::string_view a, std::string_view b, const TokenFold& fold = {});

// The tokens of `text` in order; they cover it completely. For tests.
std::vector<TextSpan> diff_tokens(std::string_view text);

}  // namespace paraprint
