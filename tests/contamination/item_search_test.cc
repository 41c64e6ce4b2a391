// Items planted in random texts: word for word, with edits, in part, in another order, and at the borders of blocks;
// and what must not be found.
#include "contamination/item_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "made_words.h"

namespace paraprint {
namespace {

std::vector<FoundItem> find(const ItemCollection& collection, const std::vector<SpannedWord>& text) {
  ItemSearch search(collection);
  std::vector<FoundItem> found;
  StopCheck never;
  search.find(text, found, never);
  return found;
}

bool occurs(const std::vector<SpannedWord>& text, const std::vector<SpannedWord>& item) {
  return std::search(text.begin(), text.end(), item.begin(), item.end(),
                     [](const SpannedWord& x, const SpannedWord& y) { return x.hash == y.hash; }) != text.end();
}

TEST(ItemSearch, FindsWhatStandsThereWordForWord) {
  Words words(1);
  const std::vector<std::vector<SpannedWord>> items = {words.words(5), words.words(12), words.words(300)};
  const ItemCollection collection = collection_of(items);
  const auto text = joined({words.words(40), items[2], words.words(7), items[0], items[1]});
  const std::vector<FoundItem> found = find(collection, text);
  ASSERT_EQ(found.size(), 3U);
  const std::vector<std::uint32_t> begins = {347, 352, 40};
  for (std::uint32_t item = 0; item < 3; ++item) {
    EXPECT_EQ(found[item].item, item);
    EXPECT_EQ(found[item].verdict, ItemVerdict::kExact);
    EXPECT_FLOAT_EQ(found[item].share, 1);
    const auto size = static_cast<std::uint32_t>(items[item].size());
    EXPECT_EQ(found[item].in_text, (std::vector<WordRange>{{begins[item], begins[item] + size}}));
    EXPECT_EQ(found[item].in_item, (std::vector<WordRange>{{0, size}}));
  }
}

// Against the definition, in texts of few different words, where seeds repeat and items overlap.
TEST(ItemSearch, FindsExactlyTheItemsThatOccur) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Words words(seed, 6);
    std::vector<std::vector<SpannedWord>> items;
    for (int i = 0; i < 6; ++i) items.push_back(words.words(5 + words.below(4)));
    const auto text = words.words(2000);
    const std::vector<FoundItem> found = find(collection_of(items), text);
    for (std::uint32_t item = 0; item < items.size(); ++item) {
      const auto at = std::find_if(found.begin(), found.end(), [&](const FoundItem& f) { return f.item == item; });
      const bool is_exact = at != found.end() && at->verdict == ItemVerdict::kExact;
      EXPECT_EQ(is_exact, occurs(text, items[item])) << seed << " " << item;
      if (!is_exact) continue;
      const WordRange range = at->in_text.front();
      EXPECT_EQ(range.end - range.begin, items[item].size());
      EXPECT_TRUE(occurs({text.begin() + range.begin, text.begin() + range.end}, items[item]));
    }
  }
}

TEST(ItemSearch, FindsItemsWithEdits) {
  Words words(7);
  for (const auto& [share, whole_minimum, any_minimum] :
       {std::tuple(0.05, 196, 200), std::tuple(0.15, 170, 199), std::tuple(0.3, 0, 170)}) {
    int whole = 0;
    int any = 0;
    for (int i = 0; i < 200; ++i) {
      const auto item = words.words(20 + words.below(60));
      const auto text = joined({words.words(300), words.edited(item, share), words.words(300)});
      const std::vector<FoundItem> found = find(collection_of({item, words.words(40)}), text);
      if (found.empty()) continue;
      ASSERT_EQ(found.size(), 1U);
      ASSERT_EQ(found[0].item, 0U);
      ++any;
      whole += found[0].verdict != ItemVerdict::kPart ? 1 : 0;
      std::uint32_t words_of_item = 0;
      for (const WordRange& range : found[0].in_item) {
        EXPECT_LE(range.end, item.size());
        words_of_item += range.end - range.begin;
      }
      EXPECT_GE(words_of_item, found[0].words);
      for (const WordRange& range : found[0].in_text) {
        EXPECT_GE(range.begin, 300U);
        EXPECT_LE(range.end, text.size() - 300 + 2);
      }
    }
    EXPECT_GE(whole, whole_minimum) << share;
    EXPECT_GE(any, any_minimum) << share;
  }
}

TEST(ItemSearch, FindsPartsOfItems) {
  Words words(9);
  const auto item = words.words(60);
  const ItemCollection collection = collection_of({item});
  const std::vector<SpannedWord> beginning(item.begin(), item.begin() + 40);
  std::vector<FoundItem> found = find(collection, joined({words.words(50), beginning, words.words(50)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, ItemVerdict::kPart);
  EXPECT_EQ(found[0].in_item, (std::vector<WordRange>{{0, 40}}));
  EXPECT_EQ(found[0].in_text, (std::vector<WordRange>{{50, 90}}));
  const std::vector<SpannedWord> little(item.begin(), item.begin() + 5);
  EXPECT_TRUE(find(collection, joined({words.words(50), little, words.words(50)})).empty());
}

// Six words of 3.5 each: enough for an item of 40 words, not for one of 160, which needs 24.
TEST(ItemSearch, WantsMoreOfLongItems) {
  Words words(10);
  std::vector<SpannedWord> passage;
  for (std::uint64_t number = 100'001; passage.size() < 6; ++number) {
    if (number % 10 != 0) passage.push_back(word_of(number));
  }
  for (const auto& [item_words, is_found] : {std::pair(40, true), std::pair(160, false)}) {
    const auto rest = words.words(static_cast<std::size_t>(item_words) - passage.size());
    const ItemCollection collection = collection_of({joined({passage, rest})});
    const std::vector<FoundItem> found = find(collection, joined({words.words(50), passage, words.words(50)}));
    EXPECT_EQ(!found.empty(), is_found) << item_words;
  }
}

TEST(ItemSearch, FindsChoicesInAnotherOrder) {
  Words words(11);
  const auto question = words.words(15);
  const auto first = words.words(8);
  const auto second = words.words(8);
  const auto third = words.words(8);
  const ItemCollection collection = collection_of({joined({question, first, second, third})});
  const std::vector<FoundItem> found = find(collection, joined({words.words(30), question, third, first, second}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, ItemVerdict::kWhole);
  EXPECT_FLOAT_EQ(found[0].share, 1);
}

// With a word exchanged that matters, it is another question.
TEST(ItemSearch, FindsShortItemsOnlyAsAWhole) {
  const std::vector<SpannedWord> item = {word_of(10), word_of(20), word_of(30), word_of(41), word_of(50), word_of(62)};
  std::vector<SpannedWord> other = item;
  other.back() = word_of(63);
  Words words(13);
  const ItemCollection collection = collection_of({item});
  EXPECT_EQ(find(collection, joined({words.words(9), item, words.words(9)})).size(), 1U);
  EXPECT_TRUE(find(collection, joined({words.words(9), other, words.words(9)})).empty());
  ItemCollection shorter((ItemRules()));
  EXPECT_FALSE(shorter.add(std::span(item).first(4)).has_value());
}

// Common words alone are found if they are all that an item has, and there are enough of them.
TEST(ItemSearch, FindsItemsOfCommonWords) {
  Words words(15);
  std::vector<SpannedWord> item;
  for (int i = 0; i < 30; ++i) item.push_back(word_of(10 * (1 + words.below(40))));
  const std::vector<FoundItem> found = find(collection_of({item}), joined({words.words(20), item, words.words(20)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, ItemVerdict::kExact);
  ItemCollection few((ItemRules()));
  EXPECT_FALSE(few.add(std::span(item).first(15)).has_value());
}

TEST(ItemSearch, FindsItemsAtTheBordersOfBlocks) {
  Words words(17);
  std::vector<std::vector<SpannedWord>> items;
  auto text = words.words(ItemSearch::kBlockWords * 3);
  const std::size_t step = ItemSearch::kBlockWords - ItemSearch::kOverlapWords;
  for (const std::size_t at :
       {step - 60, step, ItemSearch::kBlockWords - 20, 2 * step + ItemSearch::kOverlapWords - 1, text.size() - 40}) {
    items.push_back(words.words(40));
    std::copy(items.back().begin(), items.back().end(), text.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const std::vector<FoundItem> found = find(collection_of(items), text);
  ASSERT_EQ(found.size(), items.size());
  for (const FoundItem& item : found) EXPECT_EQ(item.verdict, ItemVerdict::kExact) << item.item;
}

// Whatever stands before it, and even if it is longer than a block.
TEST(ItemSearch, FindsWordForWordWhatAlsoOccursInParts) {
  Words words(18);
  const auto stretch = words.words(12);
  const auto end = words.words(3);
  const auto item = joined({stretch, stretch, stretch, end});
  const auto text = joined({words.words(9), stretch, end, stretch, stretch, end, words.words(4), item, stretch});
  std::vector<FoundItem> found = find(collection_of({item}), text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, ItemVerdict::kExact);
  EXPECT_EQ(found[0].in_text, (std::vector<WordRange>{{55, 94}}));

  const auto book = words.words(ItemSearch::kBlockWords + 5000);
  const auto size = static_cast<std::uint32_t>(book.size());
  found = find(collection_of({item, book}), joined({words.words(20'000), book, words.words(50)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].item, 1U);
  EXPECT_EQ(found[0].verdict, ItemVerdict::kExact);
  EXPECT_EQ(found[0].in_text, (std::vector<WordRange>{{20'000, 20'000 + size}}));
}

// Instructions that all items begin with make no document hold them all.
TEST(ItemSearch, PassesOverWhatAllItemsHave) {
  Words words(19);
  const auto instruction = words.words(12);
  std::vector<std::vector<SpannedWord>> items;
  for (int i = 0; i < 300; ++i) items.push_back(joined({instruction, words.words(25)}));
  const ItemCollection collection = collection_of(items);
  EXPECT_GT(collection.common_seeds(), 5U);
  EXPECT_TRUE(find(collection, joined({words.words(50), instruction, words.words(50)})).empty());
  for (const std::uint32_t item : {3U, 280U}) {
    const std::vector<FoundItem> found = find(collection, joined({words.words(50), items[item], words.words(50)}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].item, item);
    EXPECT_EQ(found[0].verdict, ItemVerdict::kExact);
  }
}

TEST(ItemSearch, UnrelatedTextsHoldNothing) {
  Words words(21, 3000);
  std::vector<std::vector<SpannedWord>> items;
  for (int i = 0; i < 200; ++i) items.push_back(words.words(10 + words.below(60)));
  EXPECT_TRUE(find(collection_of(items), words.words(100'000)).empty());
  EXPECT_TRUE(find(collection_of(items), {}).empty());
  EXPECT_TRUE(find(collection_of(items), words.words(2)).empty());
}

TEST(ItemSearch, StopsWhenAsked) {
  Words words(23);
  const auto item = words.words(40);
  const ItemCollection collection = collection_of({item});
  ItemSearch search(collection);
  std::atomic<bool> flag = true;
  StopCheck stop(&flag);
  std::vector<FoundItem> found;
  search.find(joined({words.words(100'000), item}), found, stop);
  EXPECT_FALSE(stop.status().has_value());
}

}  // namespace
}  // namespace paraprint
