#include "index/key_join.h"

#include <algorithm>
#include <span>

#include "base/spill_array.h"

namespace paraprint {
namespace {

Status join_group(std::span<const PageKey> group, const GroupCaps& caps, CandidatePairSorter& pairs,
                  KeyJoinStatistics& statistics) {
  const std::uint64_t size = group.size();
  if (size < 2) return {};
  ++statistics.groups;
  statistics.largest_group = std::max(statistics.largest_group, size);
  if (size > caps.group_cap) ++statistics.groups_over_cap;
  Status status;
  const std::uint64_t generated = for_each_group_pair(group.size(), caps, [&](std::size_t first, std::size_t second) {
    if (!status) return;
    const PageKey& a = group[first];
    const PageKey& b = group[second];
    status =
        pairs.push({a.page, b.page, std::min(a.weight, b.weight), 1, static_cast<std::uint16_t>(a.source | b.source)});
  });
  statistics.pairs_generated += generated;
  statistics.pairs_not_generated += size * (size - 1) / 2 - generated;
  return status;
}

}  // namespace

Status join_keys(PageKeySorter& keys, const GroupCaps& caps, CandidatePairSorter& pairs, KeyJoinStatistics& statistics,
                 MemoryBudget* budget) {
  SpillArray<PageKey> group(budget);  // pages of one key, ascending
  PageKey record;
  while (keys.next(record)) {
    if (!group.empty() && group.front().key != record.key) {
      if (Status joined = join_group(group, caps, pairs, statistics); !joined) return joined;
      group.clear();
    }
    if (Status pushed = group.push_back(record); !pushed) return pushed;
  }
  if (!keys.status()) return keys.status();
  return join_group(group, caps, pairs, statistics);
}

}  // namespace paraprint
