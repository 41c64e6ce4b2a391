// Sets of 64-bit elements, prepared for the joins over sets: equal sets collapsed, rare elements first.
//
// Most elements of real pages (shingles) occur in one page only. They can match nothing, so only their number matters;
// the others are ranked by ascending document frequency. Two sets that share elements then share their rarest one early
// in both lists, which prefix filters rely on (S. Chaudhuri, V. Ganti, R. Kaushik, ICDE 2006).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline lab::inline joins {

// Views of the caller's data, which must outlive them. Set i is values[i], ascending and without duplicates, with
// weights[i] (finite, non-negative, one per value). `weights` may be empty: then every weight is 1.
struct SetCollection {
  std::span<const std::span<const std::uint64_t>> values;
  std::span<const std::span<const float>> weights = {};
};

// kInvalidArgument if the views violate the rules above, kLimitExceeded for 2^32 - 1 or more sets or elements per set.
// O(elements).
Status check_sets(const SetCollection& sets);

// Called with two or more ascending indices of sets that have equal values and weights.
using EqualSetsCallback = std::function<void(std::span<const std::uint32_t> indices)>;

// The smallest index of every group of equal sets, ascending; empty sets are omitted. O(elements + sets log sets).
std::vector<std::uint32_t> distinct_sets(const SetCollection& sets, const EqualSetsCallback& on_equal);

struct RankedElement {
  std::uint32_t rank = 0;  // by ascending document frequency; ties by value
  float weight = 0;
};

// The elements that occur in two or more of the chosen sets, by ascending rank within each set.
struct RankedSets {
  std::vector<std::uint64_t> begins;  // of each set in `elements`, plus the end
  std::vector<RankedElement> elements;
  std::uint32_t rank_count = 0;

  std::span<const RankedElement> set(std::size_t index) const {
    return std::span(elements).subspan(begins[index], begins[index + 1] - begins[index]);
  }
};

// Ranks the elements of sets.values[chosen[i]], which becomes set i. kLimitExceeded for 2^32 - 1 or more distinct
// shared elements. Memory: 8 bytes per element temporarily, 8 bytes per shared element in the result. O(elements) plus
// the sort.
Result<RankedSets> rank_elements(const SetCollection& sets, std::span<const std::uint32_t> chosen);

}  // namespace paraprint::inline lab::inline joins
