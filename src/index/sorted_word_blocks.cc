// Bits are written and read from the lowest of each byte on, so that the next ones of a stream are the lowest of an
// unaligned word: one load gives a code and the bits behind it. Blocks have a fixed size, and codes are the same in all
// of them, so a block needs no header.
#include "index/sorted_word_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/assert.h"

namespace paraprint::inline index::hamming_internal {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kBlockBits = kWordBlockBytes * 8;
constexpr std::size_t kReadAheadBytes = 32;

// The `count` leading bits, at least one.
template <class Word>
std::size_t leading_bits(Word word, int count) {
  return static_cast<std::size_t>(word >> (static_cast<int>(sizeof(Word)) * 8 - count));
}

int highest_bit(std::uint64_t word) {
  return static_cast<int>(std::bit_width(word)) - 1;
}
int highest_bit(Word128 word) {
  const auto high = static_cast<std::uint64_t>(word >> 64);
  return high != 0 ? 64 + highest_bit(high) : highest_bit(static_cast<std::uint64_t>(word));
}

// The `count` lowest bits, of fewer than the word has.
template <class Word>
Word lowest_bits(Word word, int count) {
  return word & ((Word{1} << count) - 1);
}

std::uint64_t load_64(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The next bits of a stream, at least 120 of them.
Word128 load_bits(const std::uint8_t* bytes, std::size_t at) {
  const std::uint8_t* const from = bytes + at / 8;
  return (Word128{load_64(from + 8)} << 64 | load_64(from)) >> (at % 8);
}

// The next `count` bits of a stream.
template <class Word>
Word read_bits(const std::uint8_t* bytes, std::size_t at, int count) {
  const auto low = static_cast<std::uint64_t>(load_bits(bytes, at));
  if constexpr (sizeof(Word) == sizeof(std::uint64_t)) {
    return lowest_bits(low, count);
  } else {
    return lowest_bits<Word>(Word{static_cast<std::uint64_t>(load_bits(bytes, at + 64))} << 64 | low, count);
  }
}

// Sets `count` bits of a stream that are 0.
template <class Word>
void write_bits(std::uint8_t* bytes, std::size_t at, Word word, int count) {
  while (count > 0) {
    const int offset = static_cast<int>(at % 8);
    const int taken = std::min(count, 8 - offset);
    bytes[at / 8] =
        static_cast<std::uint8_t>(bytes[at / 8] | static_cast<unsigned>(lowest_bits(word, taken)) << offset);
    word >>= taken;
    at += static_cast<std::size_t>(taken);
    count -= taken;
  }
}

// Lengths of Huffman codes for these counts; 0 where the count is 0, at least 1 elsewhere.
std::vector<int> huffman_lengths(const std::vector<std::uint64_t>& counts) {
  struct Node {
    std::uint64_t count = 0;
    std::size_t parent = 0;
  };
  std::vector<Node> nodes;
  std::vector<std::size_t> symbols;
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
    if (counts[symbol] == 0) continue;
    nodes.push_back({counts[symbol], 0});
    symbols.push_back(symbol);
  }
  std::vector<std::size_t> roots(nodes.size());
  std::iota(roots.begin(), roots.end(), std::size_t{0});
  while (roots.size() > 1) {
    // The two rarest come last; of equally rare ones those with the higher number, so that the result is deterministic.
    std::sort(roots.begin(), roots.end(), [&](std::size_t a, std::size_t b) {
      return nodes[a].count != nodes[b].count ? nodes[a].count > nodes[b].count : a < b;
    });
    const std::size_t joined = nodes.size();
    nodes.push_back({nodes[roots.back()].count + nodes[roots[roots.size() - 2]].count, joined});
    for (int child = 0; child < 2; ++child) {
      nodes[roots.back()].parent = joined;
      roots.pop_back();
    }
    roots.push_back(joined);
  }
  // Parents come after their children.
  std::vector<int> depths(nodes.size(), 0);
  for (std::size_t node = nodes.size(); node-- > 1;) {
    if (node + 1 < nodes.size()) depths[node] = depths[nodes[node].parent] + 1;
  }
  if (nodes.size() > 1) depths[0] = depths[nodes[0].parent] + 1;
  std::vector<int> lengths(counts.size(), 0);
  for (std::size_t i = 0; i < symbols.size(); ++i) lengths[symbols[i]] = std::max(depths[i], 1);
  return lengths;
}

// The same with no length above the limit: rare counts are raised until the codes fit, as bzip2 does.
std::vector<int> limited_lengths(std::vector<std::uint64_t> counts, int limit) {
  while (true) {
    std::vector<int> lengths = huffman_lengths(counts);
    if (*std::max_element(lengths.begin(), lengths.end()) <= limit) return lengths;
    for (std::uint64_t& count : counts) count = (count + 1) / 2;
  }
}

// Canonical codes with these lengths, their first bit lowest.
std::vector<std::uint32_t> canonical_codes(const std::vector<int>& lengths, int limit) {
  std::vector<std::uint32_t> codes(lengths.size(), 0);
  std::uint32_t next = 0;
  for (int length = 1; length <= limit; ++length) {
    next <<= 1;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length) continue;
      for (int bit = 0; bit < length; ++bit) codes[symbol] |= (next >> bit & 1U) << (length - 1 - bit);
      ++next;
    }
  }
  return codes;
}

}  // namespace

template <class Word>
SortedWordBlocks<Word>::SortedWordBlocks(std::span<const Word> words) {
  constexpr int kWordBits = static_cast<int>(sizeof(Word)) * 8;
  if (words.empty()) return;
  std::vector<std::uint64_t> counts(kWordBits, 0);
  for (std::size_t i = 1; i < words.size(); ++i) {
    PARAPRINT_ASSERT(words[i - 1] < words[i]);
    ++counts[static_cast<std::size_t>(highest_bit(words[i - 1] ^ words[i]))];
  }
  const std::vector<int> lengths = limited_lengths(counts, kCodeBitsMaximum);
  const std::vector<std::uint32_t> codes = canonical_codes(lengths, kCodeBitsMaximum);
  for (std::size_t position = 0; position < lengths.size(); ++position) {
    if (lengths[position] == 0) continue;
    const std::size_t step = std::size_t{1} << lengths[position];
    for (std::size_t next = codes[position]; next < codes_.size(); next += step) {
      codes_[next] = {static_cast<std::uint8_t>(position), static_cast<std::uint8_t>(lengths[position])};
    }
  }

  std::size_t used_bits = kBlockBits;  // of the last block
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word difference = i == 0 ? Word{0} : words[i - 1] ^ words[i];
    const auto position = i == 0 ? std::size_t{0} : static_cast<std::size_t>(highest_bit(difference));
    const std::size_t needed = static_cast<std::size_t>(lengths[position]) + position;
    if (used_bits + needed > kBlockBits || i == 0) {
      if (i > 0) last_words_.push_back(words[i - 1]);
      first_places_.push_back(static_cast<std::uint32_t>(i));
      bytes_.resize(first_places_.size() * kWordBlockBytes, 0);
      std::memcpy(bytes_.data() + bytes_.size() - kWordBlockBytes, &words[i], sizeof(Word));
      used_bits = sizeof(Word) * 8;
      continue;
    }
    std::uint8_t* const block = bytes_.data() + bytes_.size() - kWordBlockBytes;
    write_bits(block, used_bits, codes[position], lengths[position]);
    write_bits(block, used_bits + static_cast<std::size_t>(lengths[position]), difference, static_cast<int>(position));
    used_bits += needed;
  }
  last_words_.push_back(words.back());
  first_places_.push_back(static_cast<std::uint32_t>(words.size()));
  bytes_.resize(bytes_.size() + kReadAheadBytes, 0);
  bytes_.shrink_to_fit();
  directory_bits_ = std::max(static_cast<int>(std::bit_width(last_words_.size())) - 1, 1);
  for (std::size_t block = 0; block < last_words_.size(); ++block) {
    directory_.resize(std::max(directory_.size(), leading_bits(last_words_[block], directory_bits_) + 1),
                      static_cast<std::uint32_t>(block));
  }
  directory_.resize((std::size_t{1} << directory_bits_) + 1, static_cast<std::uint32_t>(last_words_.size()));
}

template <class Word>
std::size_t SortedWordBlocks<Word>::block_of(Word word) const {
  if (last_words_.empty()) return 0;
  const std::size_t slot = leading_bits(word, directory_bits_);
  const auto begin = last_words_.begin();
  return static_cast<std::size_t>(std::lower_bound(begin + directory_[slot], begin + directory_[slot + 1], word) -
                                  begin);
}

template <class Word>
void SortedWordBlocks<Word>::append_block(std::size_t block, Word last, WordColumns& words) const {
  constexpr bool kHasLow = sizeof(Word) > sizeof(std::uint64_t);
  const std::size_t count = first_places_[block + 1] - first_places_[block];
  const std::size_t room = words.size + count + kScanPadding;
  if (words.high.size() < room) words.high.resize(room);
  if (kHasLow && words.low.size() < room) words.low.resize(room);
  const std::uint8_t* const bytes = bytes_.data() + block * kWordBlockBytes;
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
  std::size_t at = sizeof word * 8;
  for (std::size_t i = 0;;) {
    if constexpr (kHasLow) {
      words.high[words.size] = static_cast<std::uint64_t>(word >> 64);
      words.low[words.size] = static_cast<std::uint64_t>(word);
    } else {
      words.high[words.size] = word;
    }
    ++words.size;
    if (++i == count || word >= last) return;
    const Word128 next = load_bits(bytes, at);
    const Code code = codes_[static_cast<std::size_t>(lowest_bits(static_cast<std::uint64_t>(next), kCodeBitsMaximum))];
    at += code.bits;
    const Word below =
        kHasLow ? read_bits<Word>(bytes, at, code.position)
                : static_cast<Word>(lowest_bits(static_cast<std::uint64_t>(next >> code.bits), code.position));
    at += code.position;
    word ^= Word{1} << code.position | below;
  }
}

template <class Word>
std::uint64_t SortedWordBlocks<Word>::memory_bytes() const {
  return bytes_.size() + last_words_.size() * sizeof(Word) +
         (first_places_.size() + directory_.size()) * sizeof(std::uint32_t) + sizeof codes_;
}

template class SortedWordBlocks<std::uint64_t>;
template class SortedWordBlocks<Word128>;

}  // namespace paraprint::inline index::hamming_internal
