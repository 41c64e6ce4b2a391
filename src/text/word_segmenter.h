// Segments normalised text into words (docs/algorithms/segmentation.md).
//
// Han text: jieba's algorithm (prefix dictionary, route of highest probability, a hidden Markov model for unknown
// words). The tokens are identical to those of `jieba.lcut(text, HMM=True)` in Python's jieba 0.42.1. Other text: each
// run of letters, digits and combining marks of one class is a word; punctuation is dropped.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "paraprint/model.h"

namespace paraprint::inline text {

inline constexpr std::uint32_t kUnknownWord = 0xFFFFFFFF;

// One word, as a byte range of the text that was segmented.
struct Token {
  std::uint32_t begin_bytes = 0;
  std::uint32_t end_bytes = 0;
  std::uint32_t word_id = kUnknownWord;  // entry of the bundled dictionary; more frequent words have lower ids

  std::string_view word(std::string_view text) const { return text.substr(begin_bytes, end_bytes - begin_bytes); }
  friend bool operator==(const Token&, const Token&) = default;
};

class WordSegmenter {
 public:
  // The segmenter over the bundled dictionary.
  static const WordSegmenter& shared();

  // Replaces `tokens` by the words of `normalised` (at most 4 GiB), in order. Every content character is in exactly one
  // token. Thread-safe; allocates only while `tokens` and the thread's buffers are still growing.
  // If `stop` is stopped in between, those of a part of it.
  void segment(std::string_view normalised, std::vector<Token>& tokens, StopCheck& stop) const;
  void segment(std::string_view normalised, std::vector<Token>& tokens) const {
    StopCheck never;
    segment(normalised, tokens, never);
  }

  // The dictionary entry of this word, or kUnknownWord.
  std::uint32_t find_word(std::string_view word) const;

  // Part of speech of a dictionary entry in jieba's notation ("n", "v", "nr" ...); empty for kUnknownWord.
  std::string_view part_of_speech(std::uint32_t word_id) const;

  std::uint32_t word_count() const;

  // Hash of all compiled text tables; profiles made with different versions are not comparable.
  std::uint64_t data_version() const;

 private:
  WordSegmenter() = default;
};

}  // namespace paraprint::inline text
