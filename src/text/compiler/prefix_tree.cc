// Builds a double array (J. Aoe, "An Efficient Digital Search Algorithm by Using a Double-Array Structure", 1989) in
// its exclusive-or form: the child of a node for character c is at index base ^ c and has c as its label. No two nodes
// share a base, so checking the label suffices to identify the parent. The packing is greedy: nodes are placed
// level by level, those with the most children first.
#include <algorithm>
#include <numeric>

#include "text/compiler/compiler.h"
#include "text/word_segmenter.h"

namespace paraprint::compiler {
namespace {

using text_data::DictionaryUnit;

constexpr std::uint16_t kNoLabel = 0xFFFF;  // label of free units; not a character id

// A node whose children are to be placed: words [begin, end) of the sorted list share its `depth` characters.
struct Node {
  std::uint32_t unit;
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t depth;
};

class Builder {
 public:
  Builder(std::vector<PrefixTreeWord> words, std::uint32_t character_count)
      : words_(std::move(words)), block_size_(std::uint32_t{1} << width(character_count)) {
    std::sort(words_.begin(), words_.end(),
              [](const PrefixTreeWord& a, const PrefixTreeWord& b) { return a.ids < b.ids; });
  }

  // Level by level. The first level is fixed at index id, which saves the lookup of the root.
  PrefixTree build(std::uint32_t character_count) {
    add_block();
    for (std::uint32_t id = 0; id < character_count; ++id) {
      take(id);
      tree_.units[id].label = static_cast<std::uint16_t>(id);
    }
    base_is_used_[0] = true;  // the root's base, which also marks a leaf
    std::vector<Node> nodes;
    place_children({0, 0, static_cast<std::uint32_t>(words_.size()), 0}, nodes);
    // Nodes with many children come first, while free space is contiguous; single children fill the gaps.
    while (!nodes.empty()) {
      std::vector<Node> next;
      // Stable, so that equal input gives an equal table on every machine.
      std::stable_sort(nodes.begin(), nodes.end(),
                       [&](const Node& a, const Node& b) { return child_count(a) > child_count(b); });
      for (const Node& node : nodes) place_children(node, next);
      nodes = std::move(next);
    }
    while (!is_taken_.empty() && !is_taken_.back()) {
      is_taken_.pop_back();
      tree_.units.pop_back();
      tree_.words.pop_back();
    }
    // A lookup reads index base ^ id before it knows whether the child exists, so all blocks must be complete.
    while (tree_.units.size() % block_size_ != 0) append_unit();
    return std::move(tree_);
  }

 private:
  // Bits needed for ids below `value`. XOR with an id then stays within an aligned block of that size.
  static unsigned width(std::uint32_t value) {
    unsigned bits = 0;
    while ((std::uint32_t{1} << bits) < value) ++bits;
    return bits;
  }

  void append_unit() {
    tree_.units.push_back({0, kNoLabel, 0});
    tree_.words.push_back(kUnknownWord);
  }

  void add_block() {
    for (std::uint32_t i = 0; i < block_size_; ++i) append_unit();
    is_taken_.resize(tree_.units.size());
    base_is_used_.resize(tree_.units.size());
  }

  void take(std::uint32_t unit) { is_taken_[unit] = true; }

  // Calls `use(id, begin, end)` for each child and the range of its words.
  template <typename Use>
  void for_each_child(const Node& node, Use use) const {
    std::uint32_t begin = node.begin;
    while (begin < node.end && words_[begin].ids.size() == node.depth) ++begin;  // the node's own word
    while (begin < node.end) {
      const std::uint16_t id = words_[begin].ids[node.depth];
      std::uint32_t end = begin;
      while (end < node.end && words_[end].ids[node.depth] == id) ++end;
      use(id, begin, end);
      begin = end;
    }
  }

  std::size_t child_count(const Node& node) const {
    std::size_t count = 0;
    for_each_child(node, [&](std::uint16_t, std::uint32_t, std::uint32_t) { ++count; });
    return count;
  }

  // Finds a base for a node, marks its children's units as taken and appends the children to `placed`.
  void place_children(const Node& node, std::vector<Node>& placed) {
    std::vector<std::uint16_t> ids;
    for_each_child(node, [&](std::uint16_t id, std::uint32_t, std::uint32_t) { ids.push_back(id); });
    if (ids.empty()) return;
    std::uint32_t base = 0;
    if (node.depth > 0) {
      base = find_base(ids);
      base_is_used_[base] = true;
      tree_.units[node.unit].base = base;
    }
    for_each_child(node, [&](std::uint16_t id, std::uint32_t begin, std::uint32_t end) {
      const std::uint32_t unit = base ^ id;
      take(unit);
      tree_.units[unit].label = id;
      if (words_[begin].ids.size() == node.depth + 1) {
        tree_.units[unit].score_index = words_[begin].score_index;
        tree_.words[unit] = words_[begin].word_id;
      }
      placed.push_back({unit, begin, end, node.depth + 1});
    });
  }

  // The first unused base for which the units of all children are free. Tries each free unit for the first child.
  std::uint32_t find_base(const std::vector<std::uint16_t>& ids) {
    while (first_free_ < is_taken_.size() && is_taken_[first_free_]) ++first_free_;
    // Where the last node with as many children did not fit, this one rarely does, so the search resumes there instead
    // of rescanning the occupied units.
    std::uint32_t& search_begin = search_begin_[ids.size()];
    for (std::uint32_t unit = std::max(first_free_, search_begin);; ++unit) {
      if (unit >= is_taken_.size()) add_block();
      if (is_taken_[unit]) continue;
      const std::uint32_t base = unit ^ ids[0];
      if (base_is_used_[base]) continue;
      if (std::all_of(ids.begin(), ids.end(), [&](std::uint16_t id) { return !is_taken_[base ^ id]; })) {
        search_begin = unit;
        return base;
      }
    }
  }

  std::vector<PrefixTreeWord> words_;
  std::uint32_t block_size_;
  PrefixTree tree_;
  std::vector<bool> is_taken_;
  std::vector<bool> base_is_used_;
  std::uint32_t first_free_ = 0;
  std::map<std::size_t, std::uint32_t> search_begin_;  // by number of children
};

}  // namespace

PrefixTree build_prefix_tree(std::vector<PrefixTreeWord> words, std::uint32_t character_count) {
  return Builder(std::move(words), character_count).build(character_count);
}

}  // namespace paraprint::compiler
