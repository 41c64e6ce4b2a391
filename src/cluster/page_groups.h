// Pages sorted into groups that are identified by one of their pages: pages of equal text, pages of one cluster. Or
// pairs of pages, by a page of each.
#pragma once

#include <cstdint>
#include <span>

#include "memory/spill_array.h"

namespace paraprint::inline cluster {

// Built once, by counting sort; the pages of a group keep the order in which they were listed. Memory: 8 bytes per
// page, on the budget.
class PageGroups {
 public:
  explicit PageGroups(MemoryBudget* budget) : end_(budget), pages_(budget) {}

  // `order` lists what is grouped, each once; group_of() of it is a page number below `page_count`. Errors: those of
  // the budget's disk.
  template <class GroupOf>
  Status build(std::uint32_t page_count, std::span<const std::uint32_t> order, GroupOf&& group_of) {
    Status status = end_.assign(page_count, 0);
    if (status) status = pages_.resize_for_overwrite(order.size());
    if (!status) return status;
    // end_ holds counts, then begins; each begin advances to the end of its group while the group is filled.
    for (const std::uint32_t page : order) {
      tick(end_.budget());
      ++end_[group_of(page)];
    }
    std::uint32_t total = 0;
    for (std::uint32_t& end : end_) {
      const std::uint32_t count = end;
      end = total;
      total += count;
    }
    for (const std::uint32_t page : order) {
      tick(end_.budget());
      pages_[end_[group_of(page)]++] = page;
    }
    return {};
  }

  std::span<const std::uint32_t> of(std::uint32_t group) const {
    tick(end_.budget());
    const std::uint32_t begin = group == 0 ? 0 : end_[group - 1];
    return std::span<const std::uint32_t>(pages_).subspan(begin, end_[group] - begin);
  }

 private:
  SpillArray<std::uint32_t> end_;  // of each group in pages_
  SpillArray<std::uint32_t> pages_;
};

}  // namespace paraprint::inline cluster
