// What the tasks of the stage "keys" have in common, whatever the algorithm: they read every batch of their pages, and
// know which of these repeat an earlier text.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/propagate.h"
#include "distribute/task_base.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {

class KeysTaskBase : public TaskBase {
 public:
  explicit KeysTaskBase(TaskInput&& input) : TaskBase(std::move(input)), copies_(&budget_) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) final {
    return for_each_record(bytes, "copies", read_copied_page,
                           [this](const CopiedPage& copy) { return copies_.push_back(copy.page); });
  }

  Status end_parcels() final {
    std::sort(copies_.begin(), copies_.end());
    return {};
  }

  bool needs_pages(std::uint64_t, std::uint64_t) const final { return true; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) final {
    return for_each_own_page(first_position, facts, profiles,
                             [&](std::uint32_t number, const DriverPage& page, std::string_view bytes) -> Status {
                               if (!is_page(number)) return corrupt("profiles");
                               return add_page(number, page, bytes);
                             });
  }

  Status finish() final {
    end_boxes();
    return {};
  }

 protected:
  // Sends what a page is found by; `bytes` is its record of "profiles".
  virtual Status add_page(std::uint32_t number, const DriverPage& page, std::string_view bytes) = 0;

  // The first page of the text has the same keys and collects them once for the whole group.
  bool is_copy(std::uint32_t number) const { return std::binary_search(copies_.begin(), copies_.end(), number); }

 private:
  SpillArray<std::uint32_t> copies_;  // ascending
};

}  // namespace paraprint::distribute
