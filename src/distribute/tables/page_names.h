// The ids that pages have in the tables: as in the input, with a number after those that occurred before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/propagate.h"
#include "distribute/records.h"
#include "distribute/tables/table_records.h"
#include "memory/spill_array.h"

namespace paraprint::distribute::tables {

// The task of the stage "names" that an id goes to.
std::uint32_t task_of_id(std::string_view id, std::uint32_t partitions);

// What becomes of an id that occurs again.
inline std::string numbered_name(std::string_view id, std::uint32_t number) {
  return std::string(id) + '#' + std::to_string(number);
}

// The repeated ids among the pages of a task. Call order: add_parcel*, finish, name_of*.
class PageNames {
 public:
  explicit PageNames(MemoryBudget* budget) : repeated_(budget) {}

  // A parcel of kind "names". `is_own(page)`: whether the page is one of the task.
  template <class IsOwn>
  Status add_parcel(std::string_view bytes, IsOwn&& is_own) {
    return for_each_record(bytes, "names", read_numbered_id, [&](const NumberedId& repeated) -> Status {
      return is_own(repeated.page) ? repeated_.push_back(repeated) : corrupt("names");
    });
  }

  void finish() { std::sort(repeated_.begin(), repeated_.end()); }

  // `id`: that of the input. The result is valid until the next call.
  std::string_view name_of(std::uint32_t page, std::string_view id) {
    const NumberedId* const found = std::lower_bound(repeated_.begin(), repeated_.end(), NumberedId{page, 0});
    if (found == repeated_.end() || found->page != page) return id;
    name_ = numbered_name(id, found->number);
    return name_;
  }

 private:
  SpillArray<NumberedId> repeated_;
  std::string name_;
};

}  // namespace paraprint::distribute::tables
