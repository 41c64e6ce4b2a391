// Text statistics computed in one pass over UTF-8 bytes: language-independent evidence that distinguishes prose from
// navigation. A token is one CJK character or one run of other letters and digits.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paraprint::inline extract {

// The kind of the last visible character of a text. The values are arbitrary identifiers.
enum class EndClass : std::uint8_t {
  kNone = 0,
  kLetter = 1,
  kDigit = 2,
  kSentenceEnd = 3,  // . ! ? 。！？
  kColon = 4,
  kComma = 5,
  kCloser = 6,  // quotes and brackets
  kOther = 7,
  kEllipsis = 8,  // … or at least two full stops: the text continues elsewhere
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
  std::int32_t lexical = 0;  // sum of the learned weights of all tokens
  std::uint64_t hash = 0;    // of all tokens, with ASCII case and digits folded: equal for equal words

  // Appends the statistics of the text that follows. The hash depends on how the text was divided.
  void add(const TextStatistics& other);
};

// Number of buckets into which tokens are hashed. Each has a learned weight: positive for words of content, negative
// for words of surroundings ("subscribe", "责任编辑"). Numbers of equal length share a token; in Han text each pair of
// adjacent characters is a token.
inline constexpr std::size_t kTextLexiconSize = std::size_t{1} << 15;

// Computes the statistics of `text`, which is assumed to begin at a token border. Thread-safe. Cost: one pass.
TextStatistics count_text(std::string_view text);

// Appends the buckets of all tokens, in order. Used for training.
void list_tokens(std::string_view text, std::vector<std::uint16_t>& buckets);

}  // namespace paraprint::inline extract
