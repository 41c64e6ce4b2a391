// Counts taken from text in one pass over its UTF-8 bytes: the language-independent evidence that tells prose from
// navigation. A token is what the ideal reader counts: one CJK character or one run of other letters and digits.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paraprint {

// What the last visible character of a text is; the order has no meaning beyond identity.
enum class EndClass : std::uint8_t {
  kNone = 0,
  kLetter = 1,
  kDigit = 2,
  kSentenceEnd = 3,  // . ! ? 。！？
  kColon = 4,
  kComma = 5,
  kCloser = 6,  // quotes and brackets
  kOther = 7,
  kEllipsis = 8,  // … or at least two points: how a text ends that goes on elsewhere
};

struct TextStatistics {
  std::uint32_t tokens = 0;
  std::uint32_t cjk_tokens = 0;
  std::uint32_t digit_tokens = 0;    // tokens that begin with a digit
  std::uint32_t capital_tokens = 0;  // tokens that begin with an ASCII capital
  std::uint32_t sentence_ends = 0;
  std::uint32_t commas = 0;
  std::uint32_t other_punctuation = 0;
  std::uint32_t visible_bytes = 0;  // bytes that are not white space
  EndClass end = EndClass::kNone;
  std::int32_t lexical = 0;  // sum of the learnt weights of all tokens
  std::uint64_t hash = 0;    // of all tokens, ASCII case and digits folded: the same words give the same value

  void add(const TextStatistics& other);
};

// Tokens are hashed into so many buckets; each has a learnt weight, positive for words of content, negative for words
// of surroundings ("subscribe", "责任编辑"). Numbers of one length share a token; of Han text each pair of characters
// is one.
inline constexpr std::size_t kTextLexiconSize = std::size_t{1} << 15;

// Counts `text`, which is taken to begin at a token border. Pure; cost: one pass.
TextStatistics count_text(std::string_view text);

// The buckets of all tokens, in order: for training.
void list_tokens(std::string_view text, std::vector<std::uint16_t>& buckets);

}  // namespace paraprint
