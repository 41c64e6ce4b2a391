// The tokens that extracted text is compared by, and how much of them two texts share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paraprint/evaluate.h"

namespace paraprint::inline lab::inline extraction {

// Non-starters in a row beyond this number are dropped before normalisation, which takes quadratic time for them: the
// limit of the Stream-Safe Text Format (Unicode Standard Annex #15, section 13).
inline constexpr int kTokenMarksMaximum = 30;

// The multiset of tokens of a text in NFKC and lower case: every ideograph, kana and Hangul syllable is a token, and so
// is every longest run of other letters, digits and underscores. Layout and punctuation do not count.
class TokenMultiset {
 public:
  // Replaces the tokens. Invalid UTF-8 separates tokens. O(n log n).
  void assign(std::string_view utf8);

  std::size_t size() const { return tokens_.size(); }
  const std::vector<std::string_view>& sorted() const { return tokens_; }

 private:
  void split(std::string_view lowered);

  std::string text_;
  std::vector<std::string_view> tokens_;  // views of text_, sorted bytewise
};

// Precision: the share of `extracted` that is in `gold`; recall: the share of `gold` that is in `extracted`. All three
// are 1 if both are empty, and 0 if exactly one is.
Rates token_overlap(const TokenMultiset& gold, const TokenMultiset& extracted);

}  // namespace paraprint::inline lab::inline extraction
