// Parts of items that many documents have as well: which are common, from which number of documents, and that documents
// with the whole item do not make its parts common.
#include "contamination/seed_frequency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "made_words.h"

namespace paraprint {
namespace {

// One document after the other, then the items that remain in each.
class Corpus {
 public:
  explicit Corpus(const ItemCollection& items) : search_(items), frequency_(items) {}

  void add(const std::vector<SpannedWord>& text) {
    StopCheck never;
    search_.find(text, found_.emplace_back(), never);
    frequency_.add(search_.seeds());
  }

  // Verdicts by item; a common part has none.
  std::map<std::uint32_t, ItemVerdict> verdicts_of(std::size_t document) {
    std::map<std::uint32_t, ItemVerdict> verdicts;
    for (const FoundItem& found : found_[document]) {
      if (found.verdict == ItemVerdict::kPart && frequency_.is_common(found.item, found.words_of_part)) continue;
      verdicts[found.item] = found.verdict;
    }
    return verdicts;
  }

 private:
  ItemSearch search_;
  SeedFrequency frequency_;
  std::vector<std::vector<FoundItem>> found_;
};

using Verdicts = std::map<std::uint32_t, ItemVerdict>;

TEST(SeedFrequency, APassageOfManyDocumentsIsNoEvidence) {
  Words words(31);
  const auto idiom = words.words(20);
  const auto own = words.words(20);
  const ItemCollection collection = collection_of({joined({idiom, own})});
  for (const auto& [documents, is_found] : {std::pair(10, true), std::pair(11, false)}) {
    Corpus corpus(collection);
    corpus.add(joined({words.words(30), own, words.words(30)}));
    for (int i = 0; i < documents; ++i) corpus.add(joined({words.words(30), idiom, idiom, words.words(30)}));
    EXPECT_EQ(corpus.verdicts_of(0), (Verdicts{{0, ItemVerdict::kPart}})) << documents;
    for (std::size_t i = 1; i <= static_cast<std::size_t>(documents); ++i) {
      EXPECT_EQ(!corpus.verdicts_of(i).empty(), is_found) << documents << " " << i;
    }
  }
}

TEST(SeedFrequency, TheLimitIsARule) {
  Words words(33);
  const auto idiom = words.words(20);
  for (const auto& [limit, is_found] : {std::pair(0U, true), std::pair(2U, false), std::pair(3U, true)}) {
    ItemRules rules;
    rules.passage_documents = limit;
    const ItemCollection collection = collection_of({joined({idiom, words.words(20)})}, rules);
    Corpus corpus(collection);
    for (int i = 0; i < 3; ++i) corpus.add(joined({words.words(9), idiom, words.words(9)}));
    EXPECT_EQ(!corpus.verdicts_of(0).empty(), is_found) << limit;
  }
}

// A question that leaked often, and once without its end.
TEST(SeedFrequency, DocumentsWithTheWholeItemDoNotCount) {
  Words words(35);
  const auto item = words.words(60);
  const std::vector<SpannedWord> half(item.begin(), item.begin() + 30);
  const ItemCollection collection = collection_of({item});
  Corpus corpus(collection);
  corpus.add(joined({words.words(30), half, words.words(30)}));
  for (int i = 0; i < 40; ++i) {
    corpus.add(joined({words.words(30), i % 2 == 0 ? item : words.edited(item, 0.04), words.words(30)}));
  }
  EXPECT_EQ(corpus.verdicts_of(0), (Verdicts{{0, ItemVerdict::kPart}}));
  EXPECT_EQ(corpus.verdicts_of(1), (Verdicts{{0, ItemVerdict::kExact}}));
}

// An item that all documents have stays found: only parts need evidence of their own.
TEST(SeedFrequency, WholeItemsStayFound) {
  Words words(37);
  const auto item = words.words(25);
  const auto longer = joined({item, words.words(40)});
  const ItemCollection collection = collection_of({item, longer});
  Corpus corpus(collection);
  for (int i = 0; i < 15; ++i) corpus.add(joined({words.words(30), item, words.words(30)}));
  EXPECT_EQ(corpus.verdicts_of(3), (Verdicts{{0, ItemVerdict::kExact}}));
}

// A part that goes on where the idiom ends is one, if what follows is enough.
TEST(SeedFrequency, WhatFollowsAnIdiomCounts) {
  Words words(39);
  const auto idiom = words.words(15);
  const auto own = words.words(40);
  const ItemCollection collection = collection_of({joined({idiom, own})});
  Corpus corpus(collection);
  for (const std::ptrdiff_t more : {1, 20}) {
    corpus.add(joined({words.words(30), idiom, {own.begin(), own.begin() + more}, words.words(30)}));
  }
  for (int i = 0; i < 15; ++i) corpus.add(joined({words.words(30), idiom, words.words(30)}));
  EXPECT_TRUE(corpus.verdicts_of(0).empty());
  EXPECT_EQ(corpus.verdicts_of(1), (Verdicts{{0, ItemVerdict::kPart}}));
}

// Lists of numbers agree with numbered lines in one word of three, and hardly in a seed.
TEST(SeedFrequency, WordsBetweenCommonSeedsAreNoEvidence) {
  Words words(41);
  const auto list = words.words(40);
  std::vector<SpannedWord> item = {list[0], list[1], list[2]};
  for (std::size_t i = 3; i < list.size(); ++i) item.insert(item.end(), {words.word(), list[i]});
  const ItemCollection collection = collection_of({item});
  Corpus corpus(collection);
  corpus.add(joined({words.words(30), list, words.words(30)}));
  EXPECT_EQ(corpus.verdicts_of(0), (Verdicts{{0, ItemVerdict::kPart}}));
  for (int i = 0; i < 15; ++i) corpus.add(joined({words.words(30), {list.begin(), list.begin() + 3}}));
  EXPECT_TRUE(corpus.verdicts_of(0).empty());
}

// Against the definition, in texts of few different words and of several blocks: three words in a row of both.
TEST(SeedFrequency, CountsTheSeedsOfEachDocumentOnce) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Words words(seed, 12);
    std::vector<std::vector<SpannedWord>> items;
    for (int i = 0; i < 4; ++i) items.push_back(words.words(20 + words.below(20)));
    const ItemCollection collection = collection_of(items);
    const auto text = words.words(seed < 3 ? ItemSearch::kBlockWords * 2 : 30 + words.below(400));
    std::set<std::vector<std::uint64_t>> in_text;
    const auto hashes = [](const std::vector<SpannedWord>& from, std::size_t at) {
      return std::vector<std::uint64_t>{from[at].hash, from[at + 1].hash, from[at + 2].hash};
    };
    for (std::size_t at = 0; at + 3 <= text.size(); ++at) in_text.insert(hashes(text, at));
    ItemSearch search(collection);
    std::vector<FoundItem> found;
    StopCheck never;
    search.find(text, found, never);
    std::vector<ItemSeed> expected;
    for (std::uint32_t item = 0; item < items.size(); ++item) {
      if (std::any_of(found.begin(), found.end(),
                      [&](const FoundItem& one) { return one.item == item && one.verdict != ItemVerdict::kPart; })) {
        continue;
      }
      for (std::uint32_t word = 0; word + 3 <= items[item].size(); ++word) {
        const float weight = items[item][word].weight + items[item][word + 1].weight + items[item][word + 2].weight;
        if (weight >= 3 && in_text.contains(hashes(items[item], word))) expected.push_back({item, word});
      }
    }
    EXPECT_EQ(std::vector<ItemSeed>(search.seeds().begin(), search.seeds().end()), expected) << seed;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace paraprint
