// How many keywords to keep (algorithms.md 4): what a cut behind the N weightiest of a page keeps, how firm it is, and
// where the firmest cut lies. Pure functions over keywords by falling weight, all of a page's (select_keywords without
// a limit) unless said otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lab/signatures/keywords.h"

namespace paraprint {

struct CutQuality {
  double kept_energy = 1;  // E(N): share of the squared weights; its root is the cosine to the uncut vector
  double margin = 1;       // g(N) = (w_N - w_N+1) / w_N: 0 if only bytes decide who stays, 1 if nothing is cut off
};

// Of the cut behind the first `kept`, at least 1. O(keywords).
CutQuality cut_quality(std::span<const Keyword> keywords, std::size_t kept);

// The N from `first` to `last` with the largest margin, of equal ones the smallest; all if there are at most `first`.
// Needs no keyword behind number last + 1.
std::size_t firmest_cut(std::span<const Keyword> keywords, std::size_t first, std::size_t last);

// Means over pages, whatever their order: sums are integers.
class CutStatistics {
 public:
  void add(const CutQuality& quality);
  void add(const CutStatistics& other);

  std::uint64_t pages() const { return pages_; }
  double mean_kept_energy() const;  // 0 without pages
  double tied_share() const;        // of pages with a margin of 0; 0 without pages

 private:
  std::uint64_t pages_ = 0;
  std::uint64_t tied_pages_ = 0;
  std::uint64_t energy_parts_ = 0;  // in 2^-32
};

}  // namespace paraprint
