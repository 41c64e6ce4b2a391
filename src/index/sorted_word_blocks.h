// Ascending words in compressed blocks (G. S. Manku, A. Jain, A. Das Sarma, WWW 2007, section 3.2).
//
// Neighbours in sorted order agree in their leading bits. A block has its first word in full, and for each further one
// the position of the highest bit in which it differs from its predecessor, as a Huffman code, and the bits below that
// position. Of n evenly spread words of f bits, about f - log2(n) + 3.4 bits each are left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hamming_scan.h"
#include "index/hamming_blocks.h"

namespace paraprint::inline index::hamming_internal {

// The paper has 1,024 bytes, for tables of billions. In memory, where a search costs less than decoding half a block, a
// quarter of that makes lookups up to twice as fast, for 5 % more bytes (docs/algorithms/hamming.md).
inline constexpr std::size_t kWordBlockBytes = 256;

// Words as find_close_in_run() reads them.
struct WordColumns {
  std::vector<std::uint64_t> high;  // at least `size` and kScanPadding elements, the others without meaning
  std::vector<std::uint64_t> low;   // likewise; empty for words of 64 bits
  std::size_t size = 0;
};

// Word: std::uint64_t or Word128. Immutable once built.
template <class Word>
class SortedWordBlocks {
 public:
  SortedWordBlocks() = default;
  // `words` must be strictly ascending, and fewer than 2^32. O(n).
  explicit SortedWordBlocks(std::span<const Word> words);

  // The first block whose last word is at least `word`; block_count() if there is none. O(1) for evenly spread words,
  // O(log n) for others.
  std::size_t block_of(Word word) const;
  // Appends the words of a block, up to its first one that is at least `last`. Thread-safe.
  void append_block(std::size_t block, Word last, WordColumns& words) const;

  std::size_t block_count() const { return last_words_.size(); }
  Word last_word(std::size_t block) const { return last_words_[block]; }
  // The place of the block's first word among all.
  std::size_t first_place(std::size_t block) const { return first_places_[block]; }
  std::uint64_t memory_bytes() const;

 private:
  // Longer codes would need a larger table, and shorten nothing: positions that rare hardly occur.
  static constexpr int kCodeBitsMaximum = 11;

  struct Code {
    std::uint8_t position = 0;  // of the highest different bit, counted from the lowest
    std::uint8_t bits = 0;      // length of the code
  };

  std::vector<std::uint8_t> bytes_;                               // blocks, and padding for reading ahead
  std::vector<Word> last_words_;                                  // by block
  std::vector<std::uint32_t> first_places_;                       // by block; one more for the number of words
  int directory_bits_ = 0;                                        // leading bits of words that the directory resolves
  std::vector<std::uint32_t> directory_;                          // leading bits -> block_of() the lowest such word
  std::array<Code, std::size_t{1} << kCodeBitsMaximum> codes_{};  // by the next bits of a block
};

extern template class SortedWordBlocks<std::uint64_t>;
extern template class SortedWordBlocks<Word128>;

}  // namespace paraprint::inline index::hamming_internal
