// What was found, in the order of the input, until all documents are searched and it is known which passages many of
// them have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "contamination/item_search.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"

namespace paraprint::inline contamination {

struct PendingFind {
  std::uint64_t ordinal = 0;  // of the document in its file
  std::uint32_t file = 0;
  std::uint32_t item = 0;
  ItemVerdict verdict = ItemVerdict::kPart;
  std::uint64_t row_end = 0;    // where its row ends among all rows
  std::uint64_t words_end = 0;  // likewise, its words_of_part
};

// Memory: on the budget, 40 bytes per find, its row, and 12 bytes per word of a part.
class PendingFinds {
 public:
  explicit PendingFinds(MemoryBudget* budget) : finds_(budget), rows_(budget), words_(budget) {}

  // `row`: the line of contaminated.jsonl. Errors: those of the budget's disk.
  Status add(std::uint32_t file, std::uint64_t ordinal, const FoundItem& found, std::string_view row);

  std::size_t size() const { return finds_.size(); }
  const PendingFind& operator[](std::size_t number) const { return finds_[number]; }
  bool have_one_document(std::size_t first, std::size_t second) const;
  std::string_view row(std::size_t number) const;
  std::span<const MatchedWord> words_of_part(std::size_t number) const;

 private:
  SpillArray<PendingFind> finds_;
  SpillArray<char> rows_;
  SpillArray<MatchedWord> words_;
};

}  // namespace paraprint::inline contamination
