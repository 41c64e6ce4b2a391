// Streams the sorted records and holds one group at a time: all records of a key are adjacent and ascending by page.
#include "index/key_join.h"

#include <algorithm>
#include <span>

#include "base/propagate.h"
#include "memory/spill_array.h"

namespace paraprint::inline index {
namespace {

Status join_group(std::span<const PageKey> group, const GroupCaps& caps, CandidatePairSorter& pairs,
                  KeyJoinStatistics& statistics) {
  return push_group_pairs(group.size(), caps, pairs, statistics, [&](std::size_t first, std::size_t second) {
    const PageKey& a = group[first];
    const PageKey& b = group[second];
    // Equal keys can have different weights in two pages; the smaller one is common to both.
    return CandidatePair{a.page, b.page, std::min(a.weight, b.weight), 1,
                         static_cast<std::uint16_t>(a.source | b.source)};
  });
}

}  // namespace

Status join_keys(PageKeySorter& keys, const GroupCaps& caps, CandidatePairSorter& pairs, KeyJoinStatistics& statistics,
                 MemoryBudget* budget) {
  SpillArray<PageKey> group(budget);  // pages of one key, ascending
  PageKey record;
  // Also ends after a failed read, which status() reports below: a truncated group must not count as the last one.
  while (keys.next(record)) {
    if (!group.empty() && group.front().key != record.key) {
      PARAPRINT_TRY(join_group(group, caps, pairs, statistics));
      group.clear();
    }
    PARAPRINT_TRY(group.push_back(record));
  }
  if (!keys.status()) return keys.status();
  return join_group(group, caps, pairs, statistics);
}

}  // namespace paraprint::inline index
