// Pages of equal text with their ids, by the first page of each text: what a match of first pages is expanded by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/propagate.h"
#include "memory/spill_array.h"

namespace paraprint::distribute::tables {

// Call order: add*, finish, of* and id*. Errors: those of the budget's disk. Memory, on the budget: 24 bytes per page
// and its id.
class TextGroups {
 public:
  struct Member {
    std::uint32_t first = 0;
    std::uint32_t page = 0;
    std::uint32_t content_characters = 0;
    std::uint32_t id_bytes = 0;
    std::uint64_t id_begin = 0;
  };

  explicit TextGroups(MemoryBudget* budget) : members_(budget), ids_(budget) {}

  // The first page of a text is a member of its group, too.
  Status add(Member member, std::string_view id) {
    member.id_bytes = static_cast<std::uint32_t>(id.size());
    member.id_begin = ids_.size();
    PARAPRINT_TRY(members_.push_back(member));
    return ids_.append(id);
  }

  void finish() {
    std::sort(members_.begin(), members_.end(), [](const Member& x, const Member& y) {
      return x.first != y.first ? x.first < y.first : x.page < y.page;
    });
  }

  // The members in the order of their pages; the first page comes first.
  std::span<const Member> of(std::uint32_t first) const {
    const auto [begin, end] = std::equal_range(members_.begin(), members_.end(), Member{.first = first},
                                               [](const Member& x, const Member& y) { return x.first < y.first; });
    return {begin, end};
  }

  std::string_view id(const Member& member) const { return {ids_.data() + member.id_begin, member.id_bytes}; }
  const SpillArray<Member>& members() const { return members_; }

 private:
  SpillArray<Member> members_;
  SpillArray<char> ids_;
};

}  // namespace paraprint::distribute::tables
