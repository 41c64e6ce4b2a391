// Grouping streams the sorted records, one group at a time; the join then works on distinct fingerprints only, so that
// a paragraph on 100,000 pages is one value in it. Pairs of pages are generated from groups, thinned above the cap.
#include "index/near_join.h"

#include <algorithm>
#include <limits>

namespace paraprint::inline index {
namespace {

Status push_pair(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t weight, CandidatePairSorter& pairs) {
  // A page with two near paragraphs is in both groups.
  if (page_a == page_b) return {};
  return pairs.push({std::min(page_a, page_b), std::max(page_a, page_b), weight, 1, kSourceSimhash});
}

// Pages that share a fingerprint are paired as pages that share an exact key are (key_join.cc).
Status join_equal(std::span<const NearPageKey> group, const GroupCaps& caps, CandidatePairSorter& pairs,
                  KeyJoinStatistics& statistics) {
  return push_group_pairs(group.size(), caps, pairs, statistics, [&](std::size_t first, std::size_t second) {
    const NearPageKey& a = group[first];
    const NearPageKey& b = group[second];
    return CandidatePair{a.page, b.page, std::min(a.weight, b.weight), 1, kSourceSimhash};
  });
}

}  // namespace

Status NearGroups::add(const Fingerprint128& fingerprint, std::uint32_t weight, std::span<const std::uint32_t> pages,
                       std::uint32_t page_count) {
  // 16 bits per group keep the memory small; longer paragraphs count as 65,535 characters.
  constexpr std::uint32_t kWeightMaximum = std::numeric_limits<std::uint16_t>::max();
  Status status;
  if (page_count != pages.size()) status = cut_groups_.push_back({size(), page_count});
  if (status) status = fingerprints_.push_back(fingerprint);
  if (status) status = weights_.push_back(static_cast<std::uint16_t>(std::min(weight, kWeightMaximum)));
  if (status) status = pages_.append(pages);
  if (status) status = ends_.push_back(static_cast<std::uint32_t>(pages_.size()));
  return status;
}

std::uint32_t NearGroups::page_count(std::uint32_t group) const {
  const CutGroup* const cut =
      std::lower_bound(cut_groups_.begin(), cut_groups_.end(), group,
                       [](const CutGroup& each, std::uint32_t sought) { return each.group < sought; });
  if (cut != cut_groups_.end() && cut->group == group) return cut->page_count;
  return static_cast<std::uint32_t>(pages_of(group).size());
}

Result<NearGroups> group_near_keys(NearKeySorter& keys, const GroupCaps& caps, CandidatePairSorter& pairs,
                                   KeyJoinStatistics& statistics, MemoryBudget* budget) {
  NearGroups groups(budget);
  SpillArray<NearPageKey> group(budget);
  SpillArray<std::uint32_t> pages(budget);
  // Registers a group of equal fingerprints for the join and pairs its pages. The weight of the group is the largest of
  // its pages, an upper bound for every pair.
  const auto close_group = [&]() -> Status {
    if (group.empty()) return {};
    std::uint32_t weight = 0;
    Status status;
    pages.clear();
    const std::size_t joined = pages_to_join(group.size(), caps);
    for (const NearPageKey& key : group) {
      weight = std::max(weight, key.weight);
      if (status && pages.size() < joined) status = pages.push_back(key.page);
    }
    const auto count = static_cast<std::uint32_t>(group.size());
    if (status) status = groups.add(group.front().fingerprint, weight, pages, count);
    if (status) status = join_equal(group, caps, pairs, statistics);
    group.clear();
    return status;
  };
  Status status;
  NearPageKey key;
  while (status && keys.next(key)) {
    if (!group.empty() && group.front().fingerprint != key.fingerprint) status = close_group();
    if (status) status = group.push_back(key);
  }
  if (status) status = keys.status();
  if (status) status = close_group();
  if (!status) return tl::unexpected<Error>(status.error());
  return groups;
}

Result<NearJoinStatistics> join_near_groups(const NearGroups& groups, const NearJoinOptions& options,
                                            CandidatePairSorter& pairs) {
  NearJoinStatistics statistics;
  Status status;
  // The callback cannot stop the join: it keeps its first error in `status`, which is reported at the end.
  const auto on_pair = [&](std::uint32_t i, std::uint32_t j, int) {
    if (!status) return;
    tick(options.budget);
    std::span<const std::uint32_t> pages_i = groups.pages_of(i);
    std::span<const std::uint32_t> pages_j = groups.pages_of(j);
    const std::uint64_t all = std::uint64_t{groups.page_count(i)} * groups.page_count(j);
    // The pages of one fingerprint are already linked to each other, so a few links between two large groups are enough
    // to reach every page of both.
    if (all > options.caps.group_cap) {
      pages_i = pages_i.first(std::min<std::size_t>(pages_i.size(), options.caps.star_pages));
      pages_j = pages_j.first(std::min<std::size_t>(pages_j.size(), options.caps.star_pages));
      statistics.page_pairs_not_generated += all - std::uint64_t{pages_i.size()} * pages_j.size();
    }
    const std::uint32_t weight = std::min(groups.weight(i), groups.weight(j));
    for (const std::uint32_t page_i : pages_i) {
      for (const std::uint32_t page_j : pages_j) {
        if (status) status = push_pair(page_i, page_j, weight, pairs);
      }
    }
  };
  HammingJoinOptions hamming;
  hamming.distance_bits = options.distance_bits;
  hamming.bucket_cap = options.caps.group_cap;
  // Groups have distinct fingerprints by construction, which saves the search for equal ones.
  hamming.all_different = true;
  hamming.part = options.part;
  hamming.budget = options.budget;
  hamming.threads = options.threads;
  const auto joined = hamming_join_128(groups.fingerprints(), hamming, on_pair, [](std::span<const std::uint32_t>) {});
  if (!joined) return tl::unexpected<Error>(joined.error());
  if (!status) return tl::unexpected<Error>(status.error());
  statistics.hamming = *joined;
  return statistics;
}

}  // namespace paraprint::inline index
