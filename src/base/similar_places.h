// Which places of one list are compared with a place of another, if comparing all of them would take too long.
//
//   const SimilarPlaces places(a.size(), b.size(), 1 << 20);
//   for (i of a) compare(a[i], b[places.begin(i)] to b[places.end(i)])
//
// Two pages can have 20,000 paragraphs each, made to be 400 million pairs. Up to a maximum of comparisons, all places
// are compared; beyond that, those that are about as far from the beginning as the other place, both measured in
// lengths of their list. Exchanging the lists gives the same pairs.
#pragma once

#include <algorithm>
#include <cstdint>

namespace paraprint::inline base {

class SimilarPlaces {
 public:
  // Beyond the maximum, each place of the shorter list is compared with at least this many of the other.
  static constexpr std::uint64_t kPlacesCompared = 256;

  // Sizes and maximum up to 2^31. `from_size` may be 0 if no place is asked for.
  SimilarPlaces(std::uint64_t from_size, std::uint64_t to_size, std::uint64_t comparisons_maximum)
      : from_size_(from_size), to_size_(to_size) {
    reach_ = from_size * to_size <= comparisons_maximum
                 ? from_size * to_size
                 : std::max(kPlacesCompared * std::min(from_size, to_size), comparisons_maximum) / 2;
  }

  // The places of the other list that are compared with this one: [begin, end).
  std::uint64_t begin(std::uint64_t place) const {
    const std::uint64_t scaled = place * to_size_;
    return scaled <= reach_ ? 0 : (scaled - reach_ + from_size_ - 1) / from_size_;
  }
  std::uint64_t end(std::uint64_t place) const {
    return std::min(to_size_, (place * to_size_ + reach_) / from_size_ + 1);
  }

 private:
  std::uint64_t from_size_;
  std::uint64_t to_size_;
  std::uint64_t reach_ = 0;  // largest difference of two scaled places
};

}  // namespace paraprint::inline base
