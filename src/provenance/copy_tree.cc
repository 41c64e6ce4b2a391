// A page has more pages below it than each of its copies has, so the pages with the most form a tree with the same
// root. Clusters can be deep, so nothing here recurses.
#include "provenance/copy_tree.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace paraprint::inline provenance {
namespace {

class TreeDrawer {
 public:
  TreeDrawer(std::span<const std::uint32_t> sources, std::uint32_t first) : sources_(sources), first_(first) {
    index_copies();
  }

  DrawnTree draw(const TreePart& part) {
    DrawnTree tree;
    collect(part.is_alone);
    count_below();
    tree.pages = order_.size();
    tree.pages_apart = part.is_alone ? 0 : sources_.size() - order_.size();
    skip(part.skipped);
    choose(part.maximum);
    emit(tree);
    return tree;
  }

 private:
  // Of each page, the places of its copies, ascending: begin_ has where they start in copies_.
  void index_copies() {
    begin_.assign(sources_.size() + 1, 0);
    for (const std::uint32_t source : sources_) {
      if (source != kNoPlace) ++begin_[source + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    copies_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t place = 0; place < sources_.size(); ++place) {
      if (sources_[place] != kNoPlace) copies_[next[sources_[place]]++] = place;
    }
  }
  std::span<const std::uint32_t> copies_of(std::uint32_t place) const {
    return std::span(copies_).subspan(begin_[place], begin_[place + 1] - begin_[place]);
  }

  // The pages of the tree, each after its source. Pages in a circle are reached only if the first one is among them.
  void collect(bool is_alone) {
    order_.push_back(first_);
    if (!is_alone) {
      for (std::uint32_t place = 0; place < sources_.size(); ++place) {
        if (place != first_ && sources_[place] == kNoPlace && !copies_of(place).empty()) order_.push_back(place);
      }
    }
    roots_ = order_.size();
    for (std::size_t at = 0; at < order_.size(); ++at) {
      for (const std::uint32_t copy : copies_of(order_[at])) {
        if (copy != first_) order_.push_back(copy);
      }
    }
  }

  void count_below() {
    below_.assign(sources_.size(), 0);
    for (std::size_t at = order_.size(); at-- > roots_;) below_[sources_[order_[at]]] += below_[order_[at]] + 1;
  }

  bool is_before(std::uint32_t x, std::uint32_t y) const {
    return below_[x] != below_[y] ? below_[x] > below_[y] : x < y;
  }

  // Takes the first ones of the direct copies out of the order, and all pages below them.
  void skip(std::uint64_t count) {
    if (count == 0) return;
    const std::span<const std::uint32_t> copies = copies_of(first_);
    std::vector<std::uint32_t> ranked(copies.begin(), copies.end());
    std::sort(ranked.begin(), ranked.end(), [this](std::uint32_t x, std::uint32_t y) { return is_before(x, y); });
    ranked.resize(std::min<std::uint64_t>(count, ranked.size()));
    std::vector<bool> is_skipped(sources_.size());
    for (const std::uint32_t place : ranked) is_skipped[place] = true;
    for (std::size_t at = roots_; at < order_.size(); ++at) {
      if (is_skipped[sources_[order_[at]]]) is_skipped[order_[at]] = true;
    }
    is_skipped[first_] = false;
    std::erase_if(order_, [&](std::uint32_t place) { return is_skipped[place]; });
  }

  void choose(std::size_t maximum) {
    std::vector<std::uint32_t> chosen(order_.begin() + 1, order_.end());
    const std::size_t count = std::min(chosen.size(), maximum - 1);
    std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(count), chosen.end(),
                     [this](std::uint32_t x, std::uint32_t y) { return is_before(x, y); });
    is_chosen_.assign(sources_.size(), false);
    is_chosen_[first_] = true;
    for (std::size_t i = 0; i < count; ++i) is_chosen_[chosen[i]] = true;
  }

  // Depth first, with the pages still to be drawn on a stack.
  void emit(DrawnTree& tree) {
    std::vector<DrawnCopy> waiting;
    const auto add = [&](std::uint32_t place, std::uint32_t depth, std::uint32_t source) {
      if (!is_chosen_[place]) return;
      const auto direct_copies = static_cast<std::uint32_t>(copies_of(place).size());
      waiting.push_back({place, depth, source, direct_copies, below_[place], below_[place]});
    };
    for (std::size_t at = roots_; at-- > 0;) add(order_[at], 0, kNoPlace);
    while (!waiting.empty()) {
      const DrawnCopy drawn = waiting.back();
      waiting.pop_back();
      const auto index = static_cast<std::uint32_t>(tree.copies.size());
      tree.copies.push_back(drawn);
      const std::span<const std::uint32_t> copies = copies_of(drawn.place);
      for (std::size_t at = copies.size(); at-- > 0;) {
        if (copies[at] != first_) add(copies[at], drawn.depth + 1, index);
      }
    }
    // Backwards, so that a page has the number of its drawn copies before its source takes it over.
    std::vector<std::uint64_t> drawn_below(tree.copies.size());
    for (std::size_t at = tree.copies.size(); at-- > 0;) {
      tree.copies[at].copies_not_drawn -= drawn_below[at];
      if (tree.copies[at].source != kNoPlace) drawn_below[tree.copies[at].source] += drawn_below[at] + 1;
    }
  }

  std::span<const std::uint32_t> sources_;
  const std::uint32_t first_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> copies_;
  std::vector<std::uint32_t> order_;
  std::size_t roots_ = 0;  // at the beginning of order_
  std::vector<std::uint64_t> below_;
  std::vector<bool> is_chosen_;
};

}  // namespace

DrawnTree draw_tree(std::span<const std::uint32_t> sources, const TreePart& part) {
  PARAPRINT_ASSERT(part.first < sources.size() && part.maximum > 0);
  return TreeDrawer(sources, part.first).draw(part);
}

}  // namespace paraprint::inline provenance
