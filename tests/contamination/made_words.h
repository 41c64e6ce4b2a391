// Random texts and items of numbered words, for tests of the search.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>
#include <vector>

#include "contamination/item_search.h"

namespace paraprint {

// Words are numbers; each tenth number is a word like "the", of little weight.
inline SpannedWord word_of(std::uint64_t number) {
  return {number, number % 10 == 0 ? 0.3F : 3.5F, {}};
}

class Words {
 public:
  explicit Words(unsigned seed, std::uint64_t different = 50'000) : random_(seed), different_(different) {}

  SpannedWord word() { return word_of(std::uniform_int_distribution<std::uint64_t>(1, different_)(random_)); }
  std::vector<SpannedWord> words(std::size_t count) {
    std::vector<SpannedWord> found;
    for (std::size_t i = 0; i < count; ++i) found.push_back(word());
    return found;
  }
  // Each word is with this probability left out, replaced, or followed by another one.
  std::vector<SpannedWord> edited(const std::vector<SpannedWord>& words, double share) {
    std::vector<SpannedWord> found;
    for (const SpannedWord& from : words) {
      if (std::uniform_real_distribution<double>(0, 1)(random_) >= share) {
        found.push_back(from);
        continue;
      }
      const int kind = std::uniform_int_distribution<int>(0, 2)(random_);
      if (kind == 1) found.push_back(word());
      if (kind == 2) {
        found.push_back(from);
        found.push_back(word());
      }
    }
    return found;
  }
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

 private:
  std::mt19937_64 random_;
  std::uint64_t different_;
};

inline std::vector<SpannedWord> joined(std::initializer_list<std::vector<SpannedWord>> parts) {
  std::vector<SpannedWord> all;
  for (const std::vector<SpannedWord>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline ItemCollection collection_of(const std::vector<std::vector<SpannedWord>>& items, const ItemRules& rules = {}) {
  ItemCollection collection(rules);
  for (const std::vector<SpannedWord>& item : items) EXPECT_TRUE(collection.add(item).has_value());
  collection.prepare();
  return collection;
}

}  // namespace paraprint
