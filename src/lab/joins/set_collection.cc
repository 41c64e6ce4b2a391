// Document frequencies come from one radix sort of all elements. Only the shared ones, a small part of them on real
// pages, go into a hash table of ranks.
#include "lab/joins/set_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/propagate.h"
#include "memory/radix_sort.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline lab::inline joins {
namespace {

constexpr std::uint64_t kIndexLimit = std::numeric_limits<std::uint32_t>::max();

// The joins rely on all of this: merges on the order, bounds on weights without NaN, and indices on 32 bits.
Status check_set(const SetCollection& sets, std::size_t index) {
  const std::span<const std::uint64_t> values = sets.values[index];
  if (values.size() >= kIndexLimit) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("set {} has {} elements; the limit is 2^32 - 2", index, values.size()));
  }
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i - 1] < values[i]) continue;
    return failure(ErrorCode::kInvalidArgument, fmt::format("set {} is not ascending at element {}", index, i));
  }
  if (sets.weights.empty()) return {};
  const std::span<const float> weights = sets.weights[index];
  const bool is_sound = weights.size() == values.size() &&
                        std::all_of(weights.begin(), weights.end(), [](float w) { return std::isfinite(w) && w >= 0; });
  if (is_sound) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("set {} needs one finite, non-negative weight per element", index));
}

template <class Number>
std::string_view bytes_of(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

bool are_equal(const SetCollection& sets, std::uint32_t a, std::uint32_t b) {
  return std::ranges::equal(sets.values[a], sets.values[b]) &&
         (sets.weights.empty() || std::ranges::equal(sets.weights[a], sets.weights[b]));
}

// Equality is decided by are_equal(); the hash only brings candidates together.
struct SetHash {
  std::uint64_t hash = 0;
  std::uint32_t index = 0;
  friend auto operator<=>(const SetHash&, const SetHash&) = default;
};

// Splits sets with equal hashes into groups of equal sets: one group, unless hashes collide.
void split_group(const SetCollection& sets, std::span<const SetHash> group, const EqualSetsCallback& on_equal,
                 std::vector<std::uint32_t>& distinct) {
  std::vector<std::uint32_t> rest;
  for (const SetHash& member : group) rest.push_back(member.index);
  while (!rest.empty()) {
    const auto others = std::stable_partition(
        rest.begin(), rest.end(), [&](std::uint32_t index) { return are_equal(sets, rest.front(), index); });
    distinct.push_back(rest.front());
    if (others - rest.begin() > 1) on_equal({rest.begin(), others});
    rest.erase(rest.begin(), others);
  }
}

// A hash table from elements to ranks: open addressing with linear probing, at most half full, never grows.
class RankTable {
 public:
  explicit RankTable(std::size_t size) : slots_(std::bit_ceil(2 * size + 1)), mask_(slots_.size() - 1) {}

  void insert(std::uint64_t value, std::uint32_t rank) {
    std::size_t slot = seeded_mix64(value, seed_) & mask_;
    while (slots_[slot].rank_plus_one != 0) slot = (slot + 1) & mask_;
    slots_[slot] = {value, rank + 1};
  }

  // rank + 1, or 0 if the element is not shared.
  std::uint32_t find(std::uint64_t value) const {
    std::size_t slot = seeded_mix64(value, seed_) & mask_;
    while (slots_[slot].rank_plus_one != 0 && slots_[slot].value != value) slot = (slot + 1) & mask_;
    return slots_[slot].rank_plus_one;
  }

 private:
  struct Slot {
    std::uint64_t value = 0;
    std::uint32_t rank_plus_one = 0;
  };
  std::vector<Slot> slots_;
  std::size_t mask_;
  HashSeed seed_ = process_hash_seed();
};

struct ElementCount {
  std::uint64_t sets = 0;
  std::uint64_t value = 0;
  friend auto operator<=>(const ElementCount&, const ElementCount&) = default;
};

// The elements that occur in two or more of the chosen sets, rarest first. Sets have no duplicates, so the length of a
// run of equal elements is the number of sets.
std::vector<ElementCount> shared_elements(const SetCollection& sets, std::span<const std::uint32_t> chosen) {
  std::vector<std::uint64_t> all;
  std::size_t element_count = 0;
  for (const std::uint32_t index : chosen) element_count += sets.values[index].size();
  all.reserve(element_count);
  for (const std::uint32_t index : chosen) all.insert(all.end(), sets.values[index].begin(), sets.values[index].end());
  radix_sort(std::span(all), [](std::uint64_t value) { return value; });
  std::vector<ElementCount> shared;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end] == all[begin]) ++end;
    if (end - begin > 1) shared.push_back({end - begin, all[begin]});
    begin = end;
  }
  std::sort(shared.begin(), shared.end());
  return shared;
}

}  // namespace

Status check_sets(const SetCollection& sets) {
  if (sets.values.size() >= kIndexLimit)
    return failure(ErrorCode::kLimitExceeded, "too many sets to join; the limit is 2^32 - 2");
  if (!sets.weights.empty() && sets.weights.size() != sets.values.size()) {
    return failure(ErrorCode::kInvalidArgument, "the number of weight lists differs from the number of sets");
  }
  for (std::size_t index = 0; index < sets.values.size(); ++index) {
    PARAPRINT_TRY(check_set(sets, index));
  }
  return {};
}

std::vector<std::uint32_t> distinct_sets(const SetCollection& sets, const EqualSetsCallback& on_equal) {
  // Sorting by (hash, index) brings equal sets together with ascending indices.
  std::vector<SetHash> hashes;
  for (std::uint32_t index = 0; index < sets.values.size(); ++index) {
    if (sets.values[index].empty()) continue;
    std::uint64_t hash = hash64(bytes_of(sets.values[index]));
    // Mixed, so that values and weights with equal bytes do not cancel out.
    if (!sets.weights.empty()) hash ^= mix64(hash64(bytes_of(sets.weights[index])));
    hashes.push_back({hash, index});
  }
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::uint32_t> distinct;
  for (std::size_t begin = 0; begin < hashes.size();) {
    std::size_t end = begin + 1;
    while (end < hashes.size() && hashes[end].hash == hashes[begin].hash) ++end;
    split_group(sets, std::span(hashes).subspan(begin, end - begin), on_equal, distinct);
    begin = end;
  }
  std::sort(distinct.begin(), distinct.end());
  return distinct;
}

Result<RankedSets> rank_elements(const SetCollection& sets, std::span<const std::uint32_t> chosen) {
  RankedSets ranked;
  const std::vector<ElementCount> shared = shared_elements(sets, chosen);
  if (shared.size() >= kIndexLimit)
    return failure(ErrorCode::kLimitExceeded, "too many distinct shared elements to join; the limit is 2^32 - 2");
  ranked.rank_count = static_cast<std::uint32_t>(shared.size());
  RankTable ranks(shared.size());
  for (std::uint32_t rank = 0; rank < ranked.rank_count; ++rank) ranks.insert(shared[rank].value, rank);
  // Elements arrive by value and are sorted by rank within each set; those that only one set has are dropped.
  ranked.begins.push_back(0);
  for (const std::uint32_t index : chosen) {
    const std::span<const std::uint64_t> values = sets.values[index];
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t rank_plus_one = ranks.find(values[i]);
      if (rank_plus_one == 0) continue;
      ranked.elements.push_back({rank_plus_one - 1, sets.weights.empty() ? 1 : sets.weights[index][i]});
    }
    std::sort(ranked.elements.begin() + static_cast<std::ptrdiff_t>(ranked.begins.back()), ranked.elements.end(),
              [](const RankedElement& a, const RankedElement& b) { return a.rank < b.rank; });
    ranked.begins.push_back(ranked.elements.size());
  }
  return ranked;
}

}  // namespace paraprint::inline lab::inline joins
