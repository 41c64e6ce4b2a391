// Pages with paragraphs whose fingerprints are equal or near: the Hamming half of the candidate search.
//
// (fingerprint, page) records go through an external sorter. Pages that share a fingerprint are paired like pages that
// share an exact key (key_join.h); the distinct fingerprints are then joined by hamming_join.h, and pages with near
// fingerprints are paired. One cap holds for both: texts made to be near each other would otherwise cost more pairs
// than equal ones. A batch run does both over all pages. On a cluster of machines, tasks group ranges of fingerprints
// and then join the buckets of one part each (docs/spark.md): groups and buckets are independent of each other, so the
// pairs are the same.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "index/hamming_join.h"
#include "index/key_join.h"
#include "memory/external_sort.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// One paragraph fingerprint of one page. `weight` is in content characters.
struct NearPageKey {
  Fingerprint128 fingerprint;
  std::uint32_t page = 0;
  std::uint32_t weight = 0;
  friend auto operator<=>(const NearPageKey&, const NearPageKey&) = default;
};

struct NearPageKeyTraits {
  static std::uint64_t key(const NearPageKey& record) { return record.fingerprint.high; }
  // A fingerprint that occurs several times in a page counts once, with its largest weight, which sorts last.
  static bool combine(NearPageKey& into, const NearPageKey& from) {
    if (into.fingerprint != from.fingerprint || into.page != from.page) return false;
    into.weight = from.weight;
    return true;
  }
};

using NearKeySorter = ExternalSorter<NearPageKey, NearPageKeyTraits>;

// The distinct fingerprints, ascending, with the pages that the join may pair. Memory, on the budget: 22 bytes per
// fingerprint, 4 per page, 8 per group with pages left out.
class NearGroups {
 public:
  explicit NearGroups(MemoryBudget* budget)
      : fingerprints_(budget), weights_(budget), ends_(budget), pages_(budget), cut_groups_(budget) {}

  // `fingerprint` must be greater than all earlier ones. `pages`: at least the first pages_to_join() of its
  // `page_count` pages, ascending. `weight`: the largest weight of any of its pages. Errors: disk errors of the budget.
  Status add(const Fingerprint128& fingerprint, std::uint32_t weight, std::span<const std::uint32_t> pages,
             std::uint32_t page_count);

  std::uint32_t size() const { return static_cast<std::uint32_t>(fingerprints_.size()); }
  std::span<const Fingerprint128> fingerprints() const { return fingerprints_; }
  std::uint16_t weight(std::uint32_t group) const { return weights_[group]; }
  std::span<const std::uint32_t> pages_of(std::uint32_t group) const {
    const std::uint32_t begin = group == 0 ? 0 : ends_[group - 1];
    return std::span<const std::uint32_t>(pages_).subspan(begin, ends_[group] - begin);
  }
  // Of all pages with the fingerprint, of which pages_of() may have only the first ones.
  std::uint32_t page_count(std::uint32_t group) const;

 private:
  struct CutGroup {
    std::uint32_t group = 0;
    std::uint32_t page_count = 0;
  };
  SpillArray<Fingerprint128> fingerprints_;
  SpillArray<std::uint16_t> weights_;  // saturating
  SpillArray<std::uint32_t> ends_;     // end of each group in pages_
  SpillArray<std::uint32_t> pages_;
  SpillArray<CutGroup> cut_groups_;  // those with pages left out, ascending
};

// How many of the pages of a fingerprint, the first ones, are paired with the pages of near fingerprints. A group above
// the cap never has all its pages paired, whatever the other group.
inline std::size_t pages_to_join(std::size_t page_count, const GroupCaps& caps) {
  return page_count > caps.group_cap ? std::min<std::size_t>(page_count, caps.star_pages) : page_count;
}

// Reads the finished sorter `keys` to its end into groups and pairs the pages of each group. Errors: those of the
// sorters and the budget.
Result<NearGroups> group_near_keys(NearKeySorter& keys, const GroupCaps& caps, CandidatePairSorter& pairs,
                                   KeyJoinStatistics& statistics, MemoryBudget* budget);

struct NearJoinOptions {
  int distance_bits = 6;
  GroupCaps caps;  // group_cap is also the bucket_cap of hamming_join.h: many near fingerprints are paired thinly, too
  std::optional<HammingPart> part;  // of the Hamming join; all parts together give the result of a join without it
  MemoryBudget* budget = nullptr;
  unsigned threads = 1;
};

struct NearJoinStatistics {
  HammingJoinStatistics hamming;
  std::uint64_t page_pairs_not_generated = 0;  // skipped: both near fingerprints have many pages
};

// Pairs the pages of different fingerprints within the distance. Errors: those of hamming_join_128 and the sorter.
Result<NearJoinStatistics> join_near_groups(const NearGroups& groups, const NearJoinOptions& options,
                                            CandidatePairSorter& pairs);

}  // namespace paraprint::inline index
