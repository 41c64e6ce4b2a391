// Sets of 64-bit elements, as the joins over sets take them: equal sets once, rare elements first.
//
// Most elements of real pages (shingles) stand in one page only. They can match nothing, so only their number is kept;
// the others get a rank by rising document frequency. Two sets that share elements then share their rarest one early
// in both, which is what prefix filters live on (S. Chaudhuri, V. Ganti, R. Kaushik, ICDE 2006).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

// Plain views of the caller's data. Set i is values[i], ascending and without repeats, with weights[i] (finite, not
// negative, as many as values); `weights` may be empty: every weight is 1.
struct SetCollection {
  std::span<const std::span<const std::uint64_t>> values;
  std::span<const std::span<const float>> weights = {};
};

// kInvalidArgument where the views break the rules above, kLimitExceeded for 2^32 - 1 or more sets or elements of a
// set. O(elements).
Status check_sets(const SetCollection& sets);

// Called with two or more ascending indices of sets that are equal in values and weights.
using EqualSetsCallback = std::function<void(std::span<const std::uint32_t> indices)>;

// The smallest index of every group of equal sets, ascending; empty sets are left out. O(elements + sets log sets).
std::vector<std::uint32_t> distinct_sets(const SetCollection& sets, const EqualSetsCallback& on_equal);

struct RankedElement {
  std::uint32_t rank = 0;  // by rising document frequency; ties by value
  float weight = 0;
};

// The chosen sets' elements that two or more of them have, by rising rank.
struct RankedSets {
  std::vector<std::uint64_t> begins;  // of set i in `elements`, one more than there are sets
  std::vector<RankedElement> elements;
  std::uint32_t rank_count = 0;

  std::span<const RankedElement> set(std::size_t index) const {
    return std::span(elements).subspan(begins[index], begins[index + 1] - begins[index]);
  }
};

// Of sets.values[chosen[i]], which becomes set i. Memory: 8 bytes an element while it works, 8 bytes a shared element
// in the result. kLimitExceeded for 2^32 - 1 or more different shared elements. O(elements) up to the sort.
Result<RankedSets> rank_elements(const SetCollection& sets, std::span<const std::uint32_t> chosen);

}  // namespace paraprint
