// How much memory a step may use, and where the rest goes.
#pragma once

#include <cstdint>
#include <string>

#include "memory/memory_budget.h"

namespace paraprint::inline memory {

// The folder that sorters spill to and the memory that they share. `budget` bounds everything else; it may be null.
struct SpillOptions {
  std::string folder;
  std::uint64_t memory_bytes = 0;
  MemoryBudget* budget = nullptr;
};

}  // namespace paraprint::inline memory
