// Which pages name each other, or one address, as canonical: evidence beside the text that two pages have in common,
// never a reason to call them copies.
#pragma once

#include <cstdint>
#include <string_view>

#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline provenance {

enum class CanonicalRelation : std::uint8_t {
  kNone,
  kNamesA,  // b names a, and a names no other page
  kNamesB,
  kSameAddress,  // both name one address, which is that of neither or of both
};

// By page number. Addresses are compared by their hashes, whatever their scheme, "www." and slash at the end
// (address_key.h). Memory: 16 bytes per page, on the budget. Thread-safe once it is filled.
class CanonicalAddresses {
 public:
  explicit CanonicalAddresses(MemoryBudget* budget) : pages_(budget) {}

  // Of the next page. `canonical_url`: empty if it states none. Errors: those of the budget's disk.
  Status add(std::string_view url, std::string_view canonical_url);

  CanonicalRelation relation(std::uint32_t page_a, std::uint32_t page_b) const;

 private:
  struct Hashes {
    std::uint64_t own = 0;        // 0: unknown
    std::uint64_t canonical = 0;  // 0: none is stated
  };
  SpillArray<Hashes> pages_;
};

}  // namespace paraprint::inline provenance
