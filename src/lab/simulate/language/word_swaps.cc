// The synonym groups of synonyms_en.inc and synonyms_zh.inc as a hash table, built on first use. Words are views into
// the string literals; nothing is copied.
#include "lab/simulate/language/word_swaps.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace paraprint::inline lab::inline simulate::inline language {
namespace {

// One group per line, words separated by spaces.
constexpr std::string_view kLists[] = {
#include "lab/simulate/language/synonyms_en.inc"
#include "lab/simulate/language/synonyms_zh.inc"
};

struct SwapTable {
  // `groups` refers to the vectors in `storage`, so it is filled only after `storage` has stopped growing.
  std::vector<std::vector<std::string_view>> storage;
  std::vector<std::span<const std::string_view>> groups;
  std::unordered_map<std::string_view, std::size_t> group_of_word;

  SwapTable() {
    for (const std::string_view line : kLists) {
      std::vector<std::string_view> words;
      for (std::size_t begin = 0; begin < line.size();) {
        const std::size_t end = std::min(line.find(' ', begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = end + 1;
      }
      storage.push_back(std::move(words));
    }
    for (const std::vector<std::string_view>& words : storage) {
      // emplace() keeps the first group of a repeated word; a test ensures that there is none.
      for (const std::string_view word : words) group_of_word.emplace(word, groups.size());
      groups.emplace_back(words);
    }
  }
};

const SwapTable& table() {
  // Initialised once and thread-safe, then never changed.
  static const SwapTable instance;
  return instance;
}

}  // namespace

std::span<const std::string_view> synonyms_of(std::string_view word) {
  const auto found = table().group_of_word.find(word);
  return found == table().group_of_word.end() ? std::span<const std::string_view>() : table().groups[found->second];
}

std::span<const std::span<const std::string_view>> synonym_groups() {
  return table().groups;
}

}  // namespace paraprint::inline lab::inline simulate::inline language
