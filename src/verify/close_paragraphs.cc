// Each list is searched with the vector scan. The second search, with the lists exchanged, is needed only if the first
// one left pairs out.
#include "verify/close_paragraphs.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/similar_places.h"
#include "verify/distance_select.h"

namespace paraprint::inline verify {

// Appends the places from `begin` on, whose distances are `bits`, that are nearest to a place of the other list,
// ascending. Of those at the largest distance, the ones at the most similar places are neighbours: they are found by
// going out from the middle in both directions.
void CloseParagraphs::append_nearest(std::uint32_t from_place, std::uint64_t from_size, std::uint64_t to_size,
                                     std::uint64_t begin, std::span<const std::uint8_t> bits, int distance_bits,
                                     std::vector<ClosePair>& pairs) {
  const unsigned limit = limit_of_smallest(bits, kNearestKept, static_cast<unsigned>(distance_bits));
  selected_.clear();
  append_up_to(bits, limit, selected_);
  at_limit_.clear();
  for (const std::uint32_t position : selected_) {
    if (bits[position] == limit) at_limit_.push_back(static_cast<std::uint32_t>(begin + position));
  }
  const std::uint64_t middle = from_place * to_size;
  const auto is_before_middle = [&](std::uint32_t place, std::uint64_t) { return place * from_size < middle; };
  auto after = std::lower_bound(at_limit_.begin(), at_limit_.end(), middle, is_before_middle);
  auto before = after;
  for (std::size_t kept = selected_.size() - at_limit_.size(); kept < kNearestKept; ++kept) {
    const bool takes_before =
        before != at_limit_.begin() &&
        (after == at_limit_.end() || middle - *std::prev(before) * from_size <= *after * from_size - middle);
    takes_before ? --before : ++after;
  }
  // At least one is kept, or the limit would be smaller.
  const std::uint32_t first = *before;
  const std::uint32_t last = *std::prev(after);
  for (const std::uint32_t position : selected_) {
    const auto place = static_cast<std::uint32_t>(begin + position);
    if (bits[position] < limit || (place >= first && place <= last))
      pairs.push_back({from_place, place, bits[position]});
  }
}

// Appends the pairs that the paragraphs of `from` keep, ascending; false if they left out any.
bool CloseParagraphs::append_kept(std::span<const Fingerprint128> from, std::span<const Fingerprint128> to,
                                  int distance_bits, std::vector<ClosePair>& pairs, StopCheck& stop) {
  searched_.assign(to, std::identity());
  bits_.resize(to.size() + std::max(kScanPadding, kDistanceBlock));
  const SimilarPlaces compared(from.size(), to.size(), kComparisonsMaximum);
  bool has_all = true;
  for (std::uint32_t place = 0; place < from.size(); ++place) {
    const std::uint64_t begin = compared.begin(place);
    const std::size_t size = compared.end(place) - begin;
    if (stop.after(StopCheck::kUnitsPerNode + size)) break;
    const std::size_t close =
        distances_in_run(searched_.run(begin, begin + size), from[place], distance_bits, bits_.data());
    if (close == 0) continue;
    const std::span<std::uint8_t> bits = std::span(bits_).first(whole_distance_blocks(size));
    std::fill(bits.begin() + static_cast<std::ptrdiff_t>(size), bits.end(), kNoDistance);
    if (close > kAllKept) {
      append_nearest(place, from.size(), to.size(), begin, bits, distance_bits, pairs);
      has_all = false;
      continue;
    }
    selected_.clear();
    append_up_to(bits, static_cast<unsigned>(distance_bits), selected_);
    for (const std::uint32_t position : selected_)
      pairs.push_back({place, static_cast<std::uint32_t>(begin + position), bits[position]});
  }
  return has_all;
}

// Adds the pairs of the second search, which are ascending by the place of the second list, to those of the first.
void CloseParagraphs::unite(std::size_t size_a, std::vector<ClosePair>& pairs) {
  begins_.assign(size_a + 1, 0);
  for (const ClosePair& pair : reverse_) ++begins_[pair.b + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  by_first_.resize(reverse_.size());
  for (const ClosePair& pair : reverse_) by_first_[begins_[pair.b]++] = {pair.b, pair.a, pair.bits};
  united_.resize(pairs.size() + by_first_.size());
  united_.erase(std::set_union(pairs.begin(), pairs.end(), by_first_.begin(), by_first_.end(), united_.begin()),
                united_.end());
  pairs.swap(united_);
}

void CloseParagraphs::find(std::span<const Fingerprint128> a, std::span<const Fingerprint128> b, int distance_bits,
                           std::vector<ClosePair>& pairs, StopCheck& stop) {
  pairs.clear();
  if (a.empty() || b.empty() || append_kept(a, b, distance_bits, pairs, stop)) return;
  reverse_.clear();
  append_kept(b, a, distance_bits, reverse_, stop);
  if (!stop.is_stopped()) unite(a.size(), pairs);
}

}  // namespace paraprint::inline verify
