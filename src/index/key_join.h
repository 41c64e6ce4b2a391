// Pages that share exact keys (sentence anchors, paragraph hashes): the cheap half of the candidate search.
//
// (key, page) records go through an external sorter; the pages that share a key form a group, and every pair in a group
// is a hit. A second sorter adds up the hits of each pair over all its keys. Both sorters spill to disk, so memory is
// bounded whatever the input (docs/algorithms/clustering.md).
//
// A group of g pages has g(g-1)/2 pairs: a footer shared by 100,000 pages would cost five billion. Groups above
// `group_cap` yield a thin graph instead: each page is paired with the first `star_pages` pages of the group and with
// the next `neighbour_pages` pages in page order. The graph stays connected and costs O(g), so clusters of mirrors are
// still found whole: cluster/clustering.h grows clusters along such links and checks every member against the kept
// page. Skipped pairs are counted in the statistics.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

// How a pair was found. Bits of CandidatePair::sources.
enum CandidateSource : std::uint16_t {
  kSourceAnchor = 1,     // an equal heavy sentence
  kSourceParagraph = 2,  // an equal paragraph
  kSourceSimhash = 4,    // paragraphs within the Hamming distance
  kSourceSketch = 8,     // texts that are similar as wholes
};

// One key of one page. `weight` is in content characters, saturating.
struct PageKey {
  std::uint64_t key = 0;
  std::uint32_t page = 0;
  std::uint16_t weight = 0;
  std::uint16_t source = 0;
  friend auto operator<=>(const PageKey&, const PageKey&) = default;
};

// Two pages worth comparing, page_a < page_b.
struct CandidatePair {
  std::uint32_t page_a = 0;
  std::uint32_t page_b = 0;
  std::uint32_t weight = 0;   // content characters of all common keys, saturating; sentence and paragraph both count
  std::uint16_t hits = 0;     // number of common keys, saturating
  std::uint16_t sources = 0;  // bits of CandidateSource
  friend auto operator<=>(const CandidatePair&, const CandidatePair&) = default;
};

template <class Number>
constexpr Number saturating_add(Number left, Number right) {
  return right > std::numeric_limits<Number>::max() - left ? std::numeric_limits<Number>::max()
                                                           : static_cast<Number>(left + right);
}

struct PageKeyTraits {
  static std::uint64_t key(const PageKey& record) { return record.key; }
  // A key that occurs several times in a page counts once, with its largest weight, which sorts last.
  static bool combine(PageKey& into, const PageKey& from) {
    if (into.key != from.key || into.page != from.page) return false;
    into.weight = from.weight;
    return true;
  }
};

struct CandidatePairTraits {
  static std::uint64_t key(const CandidatePair& pair) { return std::uint64_t{pair.page_a} << 32 | pair.page_b; }
  static bool combine(CandidatePair& into, const CandidatePair& from) {
    if (key(into) != key(from)) return false;
    into.weight = saturating_add(into.weight, from.weight);
    into.hits = saturating_add(into.hits, from.hits);
    into.sources = static_cast<std::uint16_t>(into.sources | from.sources);
    return true;
  }
};

using PageKeySorter = ExternalSorter<PageKey, PageKeyTraits>;
using CandidatePairSorter = ExternalSorter<CandidatePair, CandidatePairTraits>;

struct GroupCaps {
  std::uint32_t group_cap = 256;      // largest group in which all pages are paired with each other
  std::uint32_t star_pages = 4;       // above the cap: the first pages of the group are paired with all others
  std::uint32_t neighbour_pages = 8;  // above the cap: each page is paired with this many successors
};

struct KeyJoinStatistics {
  std::uint64_t groups = 0;  // keys shared by two or more pages
  std::uint64_t groups_over_cap = 0;
  std::uint64_t largest_group = 0;
  std::uint64_t pairs_generated = 0;      // before hits of the same pair are added up
  std::uint64_t pairs_not_generated = 0;  // skipped in groups above the cap
};

// In a group of `size` pages, the page at position `first` is paired with those after it and before this position.
inline std::size_t end_of_partners(std::size_t first, std::size_t size, const GroupCaps& caps) {
  const bool all = size <= caps.group_cap || first < caps.star_pages;
  return all ? size : std::min(size, first + 1 + caps.neighbour_pages);
}

// Calls `visit(first, second)` with first < second for each pair of positions in a group of `size` pages that `caps`
// allows, once per pair; returns their number. Exposed for tests and for the other joins.
template <class Visitor>
std::uint64_t for_each_group_pair(std::size_t size, const GroupCaps& caps, Visitor&& visit) {
  std::uint64_t generated = 0;
  for (std::size_t first = 0; first + 1 < size; ++first) {
    const std::size_t end = end_of_partners(first, size, caps);
    for (std::size_t second = first + 1; second < end; ++second) visit(first, second);
    generated += end - first - 1;
  }
  return generated;
}

// Pushes pair_of(first, second) for the same pairs and updates the statistics. The group must be ascending by page,
// each page once.
template <class PairOf>
Status push_group_pairs(std::size_t size, const GroupCaps& caps, CandidatePairSorter& pairs,
                        KeyJoinStatistics& statistics, PairOf&& pair_of) {
  if (size < 2) return {};
  const std::uint64_t pages = size;
  ++statistics.groups;
  statistics.largest_group = std::max(statistics.largest_group, pages);
  if (size > caps.group_cap) ++statistics.groups_over_cap;
  Status status;
  const std::uint64_t generated = for_each_group_pair(size, caps, [&](std::size_t first, std::size_t second) {
    if (status) status = pairs.push(pair_of(first, second));
  });
  statistics.pairs_generated += generated;
  statistics.pairs_not_generated += pages * (pages - 1) / 2 - generated;
  return status;
}

// Reads the finished sorter `keys` to its end and pushes one CandidatePair per hit into `pairs`. Errors: those of the
// sorters and of the budget's disk. Memory in addition to the sorters: 16 bytes per page of the largest group, on the
// budget (may be null).
Status join_keys(PageKeySorter& keys, const GroupCaps& caps, CandidatePairSorter& pairs, KeyJoinStatistics& statistics,
                 MemoryBudget* budget = nullptr);

}  // namespace paraprint::inline index
