// All pairs within k bits by lookups: every fingerprint is looked up in sorted tables of all fingerprints
// (hamming_tables.h), as G. S. Manku, A. Jain and A. Das Sarma do for a crawl (WWW 2007). The result equals that of
// hamming_join.h, which is faster and needs a tenth of the memory; this join exists to measure the published index.
#pragma once

#include <cstdint>
#include <span>

#include "index/hamming_design.h"
#include "index/hamming_join.h"

namespace paraprint::inline lab::inline joins {

// How tables hold fingerprints.
enum class HammingTableForm : std::uint8_t {
  kSorted,      // hamming_tables.h
  kCompressed,  // compressed_hamming_tables.h
};

struct HammingTablesJoinStatistics {
  std::size_t tables = 0;
  std::uint64_t table_bytes = 0;
  std::uint64_t distinct_values = 0;
  std::uint64_t pairs = 0;  // reported, of different values
  std::uint64_t comparisons = 0;
};

// Callbacks as in hamming_join_64(): all groups of equal fingerprints first, then each pair of different values once,
// between the smallest indices of the values. Value: std::uint64_t or Fingerprint128.
// The answer is the same for both forms.
// Errors: those of HammingTables::build. Memory: the tables plus 24 bytes per fingerprint. Deterministic.
template <class Value>
Result<HammingTablesJoinStatistics> join_by_hamming_tables(std::span<const Value> fingerprints,
                                                           const HammingDesign& design, HammingTableForm form,
                                                           const HammingPairCallback& on_pair,
                                                           const EqualGroupCallback& on_equal);

extern template Result<HammingTablesJoinStatistics> join_by_hamming_tables(std::span<const std::uint64_t>,
                                                                           const HammingDesign&, HammingTableForm,
                                                                           const HammingPairCallback&,
                                                                           const EqualGroupCallback&);
extern template Result<HammingTablesJoinStatistics> join_by_hamming_tables(std::span<const Fingerprint128>,
                                                                           const HammingDesign&, HammingTableForm,
                                                                           const HammingPairCallback&,
                                                                           const EqualGroupCallback&);

}  // namespace paraprint::inline lab::inline joins
