// How many keywords to keep (docs/algorithms/tianwang.md): how much of a page a cut after its N heaviest keywords
// keeps, how stable the cut is, and where the most stable cut lies. Pure functions over keywords by descending weight;
// all keywords of the page (select_keywords without a limit) unless stated otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lab/signatures/keywords.h"

namespace paraprint::inline lab::inline signatures {

struct CutQuality {
  double kept_energy = 1;  // E(N): share of the squared weights; its root is the cosine with the uncut vector
  double margin = 1;       // g(N) = (w_N - w_N+1) / w_N: 0 if a tie is broken by bytes, 1 if nothing is cut off
};

// The quality of a cut after the first `kept` keywords; kept >= 1. O(keywords).
CutQuality cut_quality(std::span<const Keyword> keywords, std::size_t kept);

// The N from `first` to `last` with the largest margin, the smallest N if several are equal; all keywords if there are
// at most `first`. Reads no keyword after number last + 1.
std::size_t firmest_cut(std::span<const Keyword> keywords, std::size_t first, std::size_t last);

// Means over pages. Sums are integers, so the result does not depend on the order of the pages.
class CutStatistics {
 public:
  void add(const CutQuality& quality);
  void add(const CutStatistics& other);

  std::uint64_t pages() const { return pages_; }
  double mean_kept_energy() const;  // 0 without pages
  double tied_share() const;        // share of pages with a margin of 0; 0 without pages

 private:
  std::uint64_t pages_ = 0;
  std::uint64_t tied_pages_ = 0;
  std::uint64_t energy_parts_ = 0;  // in 2^-32
};

}  // namespace paraprint::inline lab::inline signatures
