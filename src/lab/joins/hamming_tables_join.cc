// Collapses equal values, builds the tables of the distinct ones and looks each of them up. Every pair is found from
// both ends and reported from the smaller index only.
#include "lab/joins/hamming_tables_join.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/propagate.h"
#include "index/compressed_hamming_tables.h"
#include "index/hamming_tables.h"

namespace paraprint::inline lab::inline joins {
namespace {

// Returns the smallest index of each distinct value, ascending, and reports groups of equal values. A stable sort keeps
// the indices of a group ascending.
template <class Value>
std::vector<std::uint32_t> first_indices(std::span<const Value> fingerprints, const EqualGroupCallback& on_equal) {
  std::vector<std::uint32_t> order(fingerprints.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return fingerprints[a] < fingerprints[b]; });
  std::vector<std::uint32_t> firsts;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && fingerprints[order[end]] == fingerprints[order[begin]]) ++end;
    if (end - begin > 1) on_equal(std::span(order).subspan(begin, end - begin));
    firsts.push_back(order[begin]);
    begin = end;
  }
  // From the order of values back to the order of indices.
  std::sort(firsts.begin(), firsts.end());
  return firsts;
}

// Looks up all distinct fingerprints, whose indices are `firsts`, in tables of them.
template <class Tables, class Value>
Result<HammingTablesJoinStatistics> look_up_all(std::span<const Value> distinct, std::span<const std::uint32_t> firsts,
                                                const HammingDesign& design, const HammingPairCallback& on_pair) {
  PARAPRINT_ASSIGN(const Tables tables, Tables::build(distinct, design));
  HammingTablesJoinStatistics statistics;
  statistics.tables = tables.table_count();
  statistics.table_bytes = tables.memory_bytes();
  statistics.distinct_values = distinct.size();
  std::vector<HammingHit> hits;
  for (std::uint32_t i = 0; i < distinct.size(); ++i) {
    statistics.comparisons += tables.find(distinct[i], hits).comparisons;
    for (const HammingHit& hit : hits) {
      // Also skips the query itself.
      if (hit.index <= i) continue;
      ++statistics.pairs;
      on_pair(firsts[i], firsts[hit.index], hit.distance_bits);
    }
  }
  return statistics;
}

}  // namespace

template <class Value>
Result<HammingTablesJoinStatistics> join_by_hamming_tables(std::span<const Value> fingerprints,
                                                           const HammingDesign& design, HammingTableForm form,
                                                           const HammingPairCallback& on_pair,
                                                           const EqualGroupCallback& on_equal) {
  const std::vector<std::uint32_t> firsts = first_indices(fingerprints, on_equal);
  std::vector<Value> distinct;
  distinct.reserve(firsts.size());
  for (const std::uint32_t index : firsts) distinct.push_back(fingerprints[index]);
  if (form == HammingTableForm::kCompressed) {
    return look_up_all<CompressedHammingTables<Value>, Value>(distinct, firsts, design, on_pair);
  }
  return look_up_all<HammingTables<Value>, Value>(distinct, firsts, design, on_pair);
}

template Result<HammingTablesJoinStatistics> join_by_hamming_tables(std::span<const std::uint64_t>,
                                                                    const HammingDesign&, HammingTableForm,
                                                                    const HammingPairCallback&,
                                                                    const EqualGroupCallback&);
template Result<HammingTablesJoinStatistics> join_by_hamming_tables(std::span<const Fingerprint128>,
                                                                    const HammingDesign&, HammingTableForm,
                                                                    const HammingPairCallback&,
                                                                    const EqualGroupCallback&);

}  // namespace paraprint::inline lab::inline joins
