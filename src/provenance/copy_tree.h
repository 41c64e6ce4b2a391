// Which part of a cluster's tree of copies is drawn, and in which order: a cluster may have thousands of pages, and a
// picture has room for some dozens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace paraprint::inline provenance {

inline constexpr std::uint32_t kNoPlace = std::numeric_limits<std::uint32_t>::max();

struct DrawnCopy {
  std::uint32_t place = 0;             // of the page, in `sources`
  std::uint32_t depth = 0;             // 0: of a page without a source
  std::uint32_t source = kNoPlace;     // its source's index among the drawn pages
  std::uint32_t direct_copies = 0;     // made of it
  std::uint64_t copies = 0;            // the same and those made of them, directly or over others
  std::uint64_t copies_not_drawn = 0;  // of these
};

// What is asked for.
struct TreePart {
  std::uint32_t first = 0;    // drawn in any case and before all others
  bool is_alone = false;      // only the first one and its copies
  std::uint64_t skipped = 0;  // of the direct copies of the first one, as many that would be chosen before others
  std::size_t maximum = 0;    // pages drawn
};

struct DrawnTree {
  std::vector<DrawnCopy> copies;  // a source before its copies, each with all of its own copies before the next
  std::uint64_t pages = 0;        // of the tree, drawn or not
  std::uint64_t pages_apart = 0;  // that have no source and no copies, or name each other in a circle: not in the tree
};

// `sources`: of each page, the place of the page that it was copied from, or kNoPlace. Pages are given in the order in
// which copies of one page are to be drawn. Draws at most `part.maximum` pages: those with the most copies, directly or
// over others, so that every drawn page but the first ones has its source drawn; of those with as many, the first ones.
//
// Requires places below sources.size(), and a maximum of at least 1. Safe for circles. Pure. Cost: O(n), and
// O(n log n) if copies are skipped.
DrawnTree draw_tree(std::span<const std::uint32_t> sources, const TreePart& part);

}  // namespace paraprint::inline provenance
