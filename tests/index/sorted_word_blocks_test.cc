// Blocks give back the words that they were made of, whatever their distribution.
#include "index/sorted_word_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace paraprint {
namespace {

using index::hamming_internal::kWordBlockBytes;
using index::hamming_internal::SortedWordBlocks;
using index::hamming_internal::Word128;
using index::hamming_internal::WordColumns;

template <class Word>
Word random_word(std::mt19937_64& random) {
  if constexpr (sizeof(Word) > sizeof(std::uint64_t)) return Word{random()} << 64 | random();
  return random();
}

template <class Word>
std::vector<Word> ascending(std::vector<Word> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

template <class Word>
std::vector<Word> words_of(const WordColumns& columns) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < columns.size; ++i) {
    Word word = columns.high[i];
    if constexpr (sizeof(Word) > sizeof(std::uint64_t)) word = word << 64 | columns.low[i];
    words.push_back(word);
  }
  return words;
}

// Decodes everything, finds every word and its neighbours, and stops where it is told to.
template <class Word>
void expect_same(const std::vector<Word>& words) {
  const SortedWordBlocks<Word> blocks{std::span<const Word>(words)};
  WordColumns all;
  for (std::size_t block = 0; block < blocks.block_count(); ++block) {
    EXPECT_EQ(blocks.first_place(block), all.size);
    blocks.append_block(block, ~Word{0}, all);
    EXPECT_TRUE(words[all.size - 1] == blocks.last_word(block));
  }
  EXPECT_TRUE(words_of<Word>(all) == words);
  for (std::size_t i = 0; i < words.size(); i += 1 + words.size() / 200) {
    const std::size_t block = blocks.block_of(words[i]);
    ASSERT_LT(block, blocks.block_count());
    WordColumns some;
    blocks.append_block(block, words[i], some);
    const std::vector<Word> decoded = words_of<Word>(some);
    ASSERT_FALSE(decoded.empty());
    EXPECT_TRUE(decoded.back() == words[i]);
    EXPECT_EQ(blocks.first_place(block) + decoded.size() - 1, i);
    if (i > 0) {
      EXPECT_TRUE(blocks.block_of(static_cast<Word>(words[i - 1] + 1)) == block);
    }
  }
  const std::size_t beyond =
      words.empty() || words.back() != ~Word{0} ? blocks.block_count() : blocks.block_count() - 1;
  EXPECT_EQ(blocks.block_of(~Word{0}), beyond);
}

template <class Word>
void expect_same_whatever_the_distribution() {
  std::mt19937_64 random(7);
  expect_same<Word>({});
  expect_same<Word>({0});
  expect_same<Word>({~Word{0}});
  expect_same<Word>({0, ~Word{0}});
  for (const std::size_t count : {std::size_t{3}, std::size_t{200}, std::size_t{30000}}) {
    std::vector<Word> even(count);
    std::vector<Word> consecutive(count);
    std::vector<Word> clustered(count);
    std::vector<Word> skewed(count);
    const Word base = random_word<Word>(random) >> 8;
    Word centre = 0;
    for (std::size_t i = 0; i < count; ++i) {
      even[i] = random_word<Word>(random);
      consecutive[i] = base + i;
      if (i % 100 == 0) centre = random_word<Word>(random);
      clustered[i] = centre ^ (random() & 0xFFF);
      skewed[i] = random_word<Word>(random) >> (random() % (sizeof(Word) * 8));
    }
    for (const std::vector<Word>& words : {even, consecutive, clustered, skewed}) expect_same(ascending(words));
  }
  // Each position of the highest different bit is twice as rare as the one below, so that codes would be long.
  std::vector<Word> powers = {0};
  for (int bit = 0; bit < static_cast<int>(sizeof(Word)) * 8; ++bit) powers.push_back(Word{1} << bit);
  for (int i = 0; i < 20000; ++i) powers.push_back(static_cast<Word>(i));
  expect_same(ascending(powers));
}

TEST(SortedWordBlocks, GiveBackWordsOf64Bits) {
  expect_same_whatever_the_distribution<std::uint64_t>();
}

TEST(SortedWordBlocks, GiveBackWordsOf128Bits) {
  expect_same_whatever_the_distribution<Word128>();
}

// The published figure, 64 - log2(n) + about 3.4 bits for each of n evenly spread words; and for short blocks and
// their directory, a tenth.
TEST(SortedWordBlocks, TakeThePublishedNumberOfBits) {
  std::mt19937_64 random(34);
  std::vector<std::uint64_t> words(1 << 20);
  for (std::uint64_t& word : words) word = random();
  words = ascending(std::move(words));
  const SortedWordBlocks<std::uint64_t> blocks{std::span<const std::uint64_t>(words)};
  const double bits = static_cast<double>(blocks.memory_bytes()) * 8 / static_cast<double>(words.size());
  EXPECT_GT(bits, 64 - 20 + 3.4);
  EXPECT_LT(bits, (64 - 20 + 3.4) * 1.1);
}

// Consecutive numbers differ in low bits: about two bits each are left.
TEST(SortedWordBlocks, CompressWordsInARow) {
  std::vector<std::uint64_t> words(100000);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = 0x123456789ABC0000 + i;
  const SortedWordBlocks<std::uint64_t> blocks{std::span<const std::uint64_t>(words)};
  EXPECT_LT(blocks.memory_bytes(), words.size() * 4 / 8 + 5 * kWordBlockBytes);
}

}  // namespace
}  // namespace paraprint
