// Myers' greedy algorithm over token numbers. Tokens are numbered once (equal keys, equal numbers), so the inner loop
// compares integers only.
#include "report/word_diff.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "memory/seeded_hash.h"
#include "text/utf8.h"

namespace paraprint::inline report {
namespace {

// Index of a diagonal in a table whose first diagonal is -offset. Both are far below the limits of int.
std::size_t index_of(int diagonal, int offset) {
  const int index = diagonal + offset;
  return static_cast<std::size_t>(index);
}

enum class TokenClass : std::uint8_t { kSpace, kWord, kSingle, kPunctuation };

// Unicode white space, the zero-width space and the byte-order mark; all others are tokens.
bool is_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

TokenClass class_of(char32_t c) {
  if (c == kInvalidCharacter) return TokenClass::kPunctuation;
  if (is_space(c)) return TokenClass::kSpace;
  switch (character_class(c)) {
    case CharacterClass::kSeparator:
      return TokenClass::kPunctuation;
    case CharacterClass::kWord:
    case CharacterClass::kMark:
      return TokenClass::kWord;
    case CharacterClass::kHan:
    case CharacterClass::kOtherHan:
    case CharacterClass::kHiragana:
    case CharacterClass::kKatakana:
    // Scripts written without spaces: each character is a token, since words have no visible borders.
    case CharacterClass::kComplex:
      return TokenClass::kSingle;
  }
  return TokenClass::kPunctuation;
}

// Numbers keys so that equal keys have equal numbers, on both sides.
class KeyTable {
 public:
  explicit KeyTable(const TokenFold& fold) : fold_(fold) {}

  std::vector<int> numbers(std::string_view text, const std::vector<DiffToken>& tokens) {
    std::vector<int> result;
    result.reserve(tokens.size());
    for (const DiffToken& token : tokens) {
      const auto key = text.substr(token.span.begin_bytes, token.key_end_bytes - token.span.begin_bytes);
      folded_.assign(key);
      if (fold_) {
        folded_.clear();
        fold_(key, folded_);
      }
      result.push_back(table_.try_emplace(folded_, static_cast<int>(table_.size())).first->second);
    }
    return result;
  }

 private:
  const TokenFold& fold_;
  std::string folded_;
  std::unordered_map<std::string, int, SeededHash> table_;
};

struct Keys {
  const int* data;
  int size;
};

// Pairs of equal tokens on a shortest edit path, in order; `found` is false if the path needs
// more than kDiffEditsMaximum edits. The frontier of each step d, v[k] = furthest x on
// diagonal k = x - y, is kept for walking back.
struct EditPath {
  std::vector<std::pair<int, int>> equal;
  bool found = false;
};

// The start of step d on diagonal k: from the diagonal above by an insertion (x stays) or from the one below by a
// deletion (x + 1), whichever reaches further.
int next_x(const std::vector<int>& v, int offset, int k, int d) {
  const auto at = [&](int diagonal) { return v[index_of(diagonal, offset)]; };
  return k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
}

EditPath shortest_edit_path(Keys a, Keys b) {
  const int edits_maximum = std::min(a.size + b.size, kDiffEditsMaximum);
  const int offset = edits_maximum + 1;
  std::vector<int> v(static_cast<std::size_t>(2 * offset + 1), 0);
  std::vector<std::vector<int>> frontiers;  // frontiers[d]: v[-d-1 .. d+1] before step d
  EditPath path;
  for (int d = 0; d <= edits_maximum && !path.found; ++d) {
    // Only the diagonals that step d can read, so all frontiers together take O(D^2) and not O(D (N + M)).
    frontiers.emplace_back(v.begin() + (offset - d - 1), v.begin() + (offset + d + 2));
    for (int k = -d; k <= d; k += 2) {
      int x = next_x(v, offset, k, d);
      int y = x - k;
      // Equal tokens cost nothing: follow the diagonal. Diagonals outside of the
      // grid give negative or too large coordinates.
      while (x >= 0 && y >= 0 && x < a.size && y < b.size && a.data[x] == b.data[y]) {
        ++x;
        ++y;
      }
      v[index_of(k, offset)] = x;
      path.found = path.found || (x >= a.size && y >= b.size);
    }
  }
  if (!path.found) return path;
  // Walk back from the end: along the diagonal to the start of the step, then over its edit.
  int x = a.size;
  int y = b.size;
  for (int d = static_cast<int>(frontiers.size()) - 1; d >= 0; --d) {
    const std::vector<int>& before = frontiers[static_cast<std::size_t>(d)];
    const int k = x - y;
    const int start_x = next_x(before, d + 1, k, d);
    while (x > start_x) path.equal.emplace_back(--x, --y);
    if (d == 0) break;
    // One step back across the edit that led to (start_x, start_x - k); the same choice as in next_x().
    const bool is_insertion = k == -d || (k != d && before[index_of(k, d)] < before[index_of(k, d + 2)]);
    if (is_insertion) {
      --y;
    } else {
      --x;
    }
  }
  std::reverse(path.equal.begin(), path.equal.end());
  return path;
}

// A stretch, in token indices.
struct Stretch {
  int a_begin;
  int a_end;
  int b_begin;
  int b_end;
  bool is_equal;
};

void append_stretch(std::vector<Stretch>& stretches, const Stretch& stretch) {
  if (stretch.a_begin == stretch.a_end && stretch.b_begin == stretch.b_end) return;
  if (!stretches.empty() && stretches.back().is_equal == stretch.is_equal) {
    stretches.back().a_end = stretch.a_end;
    stretches.back().b_end = stretch.b_end;
  } else {
    stretches.push_back(stretch);
  }
}

// True for nothing but punctuation, or a single character: too little to count as kept between two rewritten stretches.
bool is_noise(const Stretch& stretch, const std::vector<DiffToken>& tokens) {
  int characters = 0;
  for (int i = stretch.a_begin; i < stretch.a_end; ++i) {
    const DiffToken& token = tokens[static_cast<std::size_t>(i)];
    if (token.is_punctuation) continue;
    // A word of two or more letters is enough to be kept.
    characters += token.is_single || token.key_end_bytes - token.span.begin_bytes == 1 ? 1 : 2;
  }
  return characters <= 1;
}

std::vector<Stretch> tidy(const std::vector<Stretch>& stretches, const std::vector<DiffToken>& tokens) {
  std::vector<Stretch> result;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    Stretch stretch = stretches[i];
    // At the ends of a passage there is only one change next to the stretch.
    const bool is_between = i > 0 && i + 1 < stretches.size();
    if (stretch.is_equal && is_between && is_noise(stretch, tokens)) stretch.is_equal = false;
    append_stretch(result, stretch);
  }
  return result;
}

std::uint32_t offset_of(const std::vector<DiffToken>& tokens, int index, std::size_t text_size) {
  return static_cast<std::size_t>(index) < tokens.size() ? tokens[static_cast<std::size_t>(index)].span.begin_bytes
                                                         : static_cast<std::uint32_t>(text_size);
}

}  // namespace

std::vector<DiffToken> diff_tokens(std::string_view text) {
  std::vector<DiffToken> tokens;
  bool in_word = false;
  const char* const text_end = text.data() + text.size();
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_character(text.data() + at, text_end);
    TokenClass kind = class_of(character.code_point);
    const auto begin = static_cast<std::uint32_t>(at);
    const auto end = begin + character.size_bytes;
    at = end;
    // ' and - between letters are part of the word.
    if (in_word && (character.code_point == '\'' || character.code_point == '-' || character.code_point == 0x2019) &&
        at < text.size()) {
      const DecodedCharacter next = decode_character(text.data() + at, text_end);
      if (class_of(next.code_point) == TokenClass::kWord) kind = TokenClass::kWord;
    }
    if (kind == TokenClass::kSpace && !tokens.empty()) {
      tokens.back().span.end_bytes = end;
    } else if (kind == TokenClass::kWord && in_word) {
      tokens.back().span.end_bytes = end;
      tokens.back().key_end_bytes = end;
    } else {
      const bool is_punctuation = kind == TokenClass::kPunctuation || kind == TokenClass::kSpace;
      // Leading white space has an empty key: equal to any other leading white space.
      const std::uint32_t key_end = kind == TokenClass::kSpace ? begin : end;
      tokens.push_back({{begin, end}, key_end, is_punctuation, kind == TokenClass::kSingle});
    }
    in_word = kind == TokenClass::kWord;
  }
  return tokens;
}

WordDiff diff_words(std::string_view a, std::string_view b, const TokenFold& fold) {
  const std::vector<DiffToken> tokens_a = diff_tokens(a);
  const std::vector<DiffToken> tokens_b = diff_tokens(b);
  KeyTable table(fold);
  const std::vector<int> keys_a = table.numbers(a, tokens_a);
  const std::vector<int> keys_b = table.numbers(b, tokens_b);
  const int size_a = static_cast<int>(keys_a.size());
  const int size_b = static_cast<int>(keys_b.size());

  // Equal ends are cut off first: most matched passages differ in a few words only. The tail must not reach into the
  // head, hence rend() - prefix.
  const auto ends = std::mismatch(keys_a.begin(), keys_a.end(), keys_b.begin(), keys_b.end());
  const int prefix = static_cast<int>(ends.first - keys_a.begin());
  const auto tails = std::mismatch(keys_a.rbegin(), keys_a.rend() - prefix, keys_b.rbegin(), keys_b.rend() - prefix);
  const int suffix = static_cast<int>(tails.first - keys_a.rbegin());

  WordDiff diff;
  EditPath path;
  const bool is_too_long = tokens_a.size() > kDiffTokensMaximum || tokens_b.size() > kDiffTokensMaximum;
  const Keys middle_a{keys_a.data() + prefix, size_a - prefix - suffix};
  const Keys middle_b{keys_b.data() + prefix, size_b - prefix - suffix};
  // With one side empty there is nothing to search for, and the result is complete however long the other side is.
  if (!is_too_long || middle_a.size == 0 || middle_b.size == 0) path = shortest_edit_path(middle_a, middle_b);
  diff.complete = path.found || middle_a.size == 0 || middle_b.size == 0;

  std::vector<Stretch> stretches;
  append_stretch(stretches, {0, prefix, 0, prefix, true});
  int x = prefix;
  int y = prefix;
  for (const auto& [i, j] : path.equal) {
    append_stretch(stretches, {x, prefix + i, y, prefix + j, false});
    x = prefix + i + 1;
    y = prefix + j + 1;
    // append_stretch() joins neighbouring tokens.
    append_stretch(stretches, {x - 1, x, y - 1, y, true});
  }
  append_stretch(stretches, {x, size_a - suffix, y, size_b - suffix, false});
  append_stretch(stretches, {size_a - suffix, size_a, size_b - suffix, size_b, true});

  for (const Stretch& stretch : tidy(stretches, tokens_a)) {
    diff.runs.push_back({{offset_of(tokens_a, stretch.a_begin, a.size()), offset_of(tokens_a, stretch.a_end, a.size())},
                         {offset_of(tokens_b, stretch.b_begin, b.size()), offset_of(tokens_b, stretch.b_end, b.size())},
                         stretch.is_equal ? DiffKind::kEqual : DiffKind::kChanged,
                         0});
  }
  return diff;
}

}  // namespace paraprint::inline report
