// Agglomerative merging with complete linkage: a class grows only if all its words are near each other. Single links
// would chain (big - large - wide - broad) into classes without a common meaning.
#include "semantics/vectors/synonym_classes.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "semantics/vectors/synonym_guard.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

struct NearPair {
  float cosine = 0;
  std::uint32_t row_a = 0;  // row_a < row_b
  std::uint32_t row_b = 0;
};

// The words that have stored neighbours, with the guard's facts about each.
class GuardedNeighbours {
 public:
  GuardedNeighbours(const WordVectors& vectors, const SynonymLists& lists, const SynonymRules& rules)
      : vectors_(vectors), rules_(rules), guard_(lists) {
    words_.reserve(vectors.facts().searched_words);
    for (std::uint32_t row = 0; row < vectors.facts().searched_words; ++row) {
      words_.push_back(guard_.look_at(vectors.word(row)));
    }
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(words_.size()); }
  const SynonymGuard& guard() const { return guard_; }
  const GuardedWord& word(std::uint32_t row) const { return words_[row]; }

  bool are_near(std::uint32_t row_a, std::uint32_t row_b) const {
    return vectors_.cosine(row_a, row_b) >= border(row_a, row_b);
  }

  // At most `most` of a row's nearest words that may replace it, in descending order of their cosine. Stored neighbours
  // are sorted, so the search ends at the first one below the minimum.
  std::vector<NearWord> of(std::uint32_t row, std::size_t most) const {
    std::vector<NearWord> found;
    if (!words_[row].may_merge) return found;
    for (const std::uint32_t near : vectors_.nearest(row)) {
      if (found.size() == most) break;
      const float cosine = vectors_.cosine(row, near);
      if (cosine < rules_.cosine_minimum) break;
      if (cosine >= border(row, near) && guard_.may_merge(words_[row], words_[near])) found.push_back({near, cosine});
    }
    return found;
  }

 private:
  float border(std::uint32_t row_a, std::uint32_t row_b) const {
    const bool is_tagged = words_[row_a].tag != 0 && words_[row_b].tag != 0;
    return rules_.cosine_minimum + (is_tagged ? 0 : rules_.untagged_cosine_more);
  }

  const WordVectors& vectors_;
  const SynonymRules& rules_;
  SynonymGuard guard_;
  std::vector<GuardedWord> words_;
};

// Mutual: a frequent word is the nearest of many words, but has only one nearest itself, which removes most false
// pairs.
std::vector<NearPair> mutual_pairs(const GuardedNeighbours& neighbours) {
  std::vector<std::optional<NearWord>> nearest(neighbours.count());
  for (std::uint32_t row = 0; row < neighbours.count(); ++row) {
    const std::vector<NearWord> found = neighbours.of(row, 1);
    if (!found.empty()) nearest[row] = found.front();
  }
  std::vector<NearPair> pairs;
  for (std::uint32_t row = 0; row < neighbours.count(); ++row) {
    if (!nearest[row] || nearest[row]->row <= row) continue;
    const std::uint32_t other = nearest[row]->row;
    if (nearest[other] && nearest[other]->row == row) pairs.push_back({nearest[row]->cosine, row, other});
  }
  // Strongest pairs first: an early merge can exclude a later one. Each row is in at most one pair, so the order is
  // total.
  std::sort(pairs.begin(), pairs.end(), [](const NearPair& a, const NearPair& b) {
    return a.cosine != b.cosine ? a.cosine > b.cosine : a.row_a < b.row_a;
  });
  return pairs;
}

// Merges classes pair by pair. Listed classes come first, and other words get a class of their own when they first
// occur. Two listed classes are never merged: the author of the lists has kept them apart.
class ClassMerger {
 public:
  ClassMerger(const WordVectors& vectors, const SynonymLists& lists, const SynonymRules& rules,
              const GuardedNeighbours& neighbours)
      : vectors_(vectors), rules_(rules), neighbours_(neighbours) {
    for (const std::vector<std::string>& words : lists.classes) {
      for (const std::string& word : words) class_of_[word] = classes_.size();
      classes_.push_back({words, true});
    }
  }

  void merge(const NearPair& pair) {
    const std::size_t a = class_with(pair.row_a);
    const std::size_t b = class_with(pair.row_b);
    if (a == b || (classes_[a].is_listed && classes_[b].is_listed)) return;
    if (classes_[a].words.size() + classes_[b].words.size() > rules_.class_words_maximum) return;
    for (const std::string& of_a : classes_[a].words) {
      for (const std::string& of_b : classes_[b].words) {
        if (!may_be_one(of_a, of_b)) return;
      }
    }
    // The listed class keeps its number, so it stays marked as listed.
    const std::size_t into = classes_[b].is_listed ? b : a;
    const std::size_t from = into == a ? b : a;
    for (std::string& word : classes_[from].words) {
      class_of_[word] = into;
      classes_[into].words.push_back(std::move(word));
    }
    classes_[from].words.clear();
  }

  // Classes that were merged into others are empty by now, and a single word is not a class.
  std::vector<std::vector<std::string>> take() {
    std::vector<std::vector<std::string>> classes;
    for (Class& made : classes_) {
      if (made.words.size() > 1) classes.push_back(std::move(made.words));
    }
    return classes;
  }

 private:
  struct Class {
    std::vector<std::string> words;
    bool is_listed = false;
  };

  // The class of a word, created on demand.
  std::size_t class_with(std::uint32_t row) {
    const std::string word(vectors_.word(row));
    const auto [found, is_new] = class_of_.try_emplace(word, classes_.size());
    if (is_new) classes_.push_back({{word}, false});
    return found->second;
  }

  // Words of a list may lack a vector or stored neighbours; the list and the guard then decide alone.
  bool may_be_one(const std::string& a, const std::string& b) const {
    const SynonymGuard& guard = neighbours_.guard();
    if (guard.is_apart(guard.look_at(a), guard.look_at(b))) return false;
    const std::optional<std::uint32_t> row_a = vectors_.find(a);
    const std::optional<std::uint32_t> row_b = vectors_.find(b);
    const bool are_known = row_a && row_b && *row_a < neighbours_.count() && *row_b < neighbours_.count();
    return !are_known || neighbours_.are_near(*row_a, *row_b);
  }

  const WordVectors& vectors_;
  const SynonymRules& rules_;
  const GuardedNeighbours& neighbours_;
  std::vector<Class> classes_;
  std::unordered_map<std::string, std::size_t> class_of_;
};

}  // namespace

std::vector<std::vector<std::string>> merge_neighbours(const WordVectors& vectors, const SynonymLists& lists,
                                                       const SynonymRules& rules) {
  const GuardedNeighbours neighbours(vectors, lists, rules);
  ClassMerger merger(vectors, lists, rules, neighbours);
  for (const NearPair& pair : mutual_pairs(neighbours)) merger.merge(pair);
  return merger.take();
}

// Not symmetric, unlike classes: a word can be among the neighbours of another that is not among its own.
std::vector<SynonymContent::Soft> soft_neighbours(const WordVectors& vectors, const SynonymLists& lists,
                                                  const SynonymRules& rules) {
  const GuardedNeighbours neighbours(vectors, lists, rules);
  std::vector<SynonymContent::Soft> soft;
  for (std::uint32_t row = 0; row < neighbours.count(); ++row) {
    SynonymContent::Soft word;
    for (const NearWord& near : neighbours.of(row, rules.soft_neighbours)) {
      word.neighbours.push_back({std::string(vectors.word(near.row)), near.cosine});
    }
    if (word.neighbours.empty()) continue;
    word.word = vectors.word(row);
    soft.push_back(std::move(word));
  }
  return soft;
}

}  // namespace paraprint::inline semantics::inline vectors
