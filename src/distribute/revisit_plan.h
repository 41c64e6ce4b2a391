// The driver's part in resolving the revisit records of the input: it joins what tasks found in single inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_codec.h"
#include "memory/memory_budget.h"
#include "paraprint/result.h"
#include "payloads/link_tables.h"
#include "payloads/revisit_names.h"

namespace paraprint::distribute {

// Parcels "claims" hold revisit records, parcels "captures" what these may refer to.
void write_linked_record(const LinkedRecord& record, ByteWriter& out);
LinkedRecord read_linked_record(ByteReader& in);

// The names that revisit records state, for tasks.
std::string write_claimed_names(const ClaimedNames& claimed, std::size_t bytes_maximum);
struct StoredNames {
  std::vector<std::uint64_t> words;
  bool is_bit_table = false;

  ClaimedNames names() const { return {words, is_bit_table}; }
};
Result<StoredNames> read_claimed_names(std::string_view bytes);

// LinkTables for records of other processes. Errors: kCorruptData, and those of the budget's disk.
class RevisitPlan {
 public:
  RevisitPlan(std::size_t input_count, MemoryBudget* budget) : input_count_(input_count), tables_(budget) {}

  Status add_claims(std::string_view parcel);
  Result<std::string> end_claims(std::size_t bytes_maximum);
  Status add_captures(std::string_view parcel);
  Result<RevisitLinks> finish() { return tables_.finish(); }

 private:
  std::size_t input_count_;
  LinkTables tables_;
};

}  // namespace paraprint::distribute
