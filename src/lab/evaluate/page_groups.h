// Joins pages into groups: union-find with path halving; the smallest page is the root.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace paraprint {

class PageGroups {
 public:
  explicit PageGroups(std::uint32_t pages) : parent_(pages) { std::iota(parent_.begin(), parent_.end(), 0U); }

  std::uint32_t find(std::uint32_t page) {
    while (parent_[page] != page) page = parent_[page] = parent_[parent_[page]];
    return page;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax({find(a), find(b)});
    parent_[high] = low;
  }
  // The group of each page; groups are numbered from 0 by first page. Sets `groups` to their number.
  std::vector<std::uint32_t> numbered(std::uint32_t& groups) {
    std::vector<std::uint32_t> number(parent_.size());
    groups = 0;
    for (std::uint32_t page = 0; page < parent_.size(); ++page) {
      const std::uint32_t root = find(page);
      number[page] = root == page ? groups++ : number[root];
    }
    return number;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace paraprint
