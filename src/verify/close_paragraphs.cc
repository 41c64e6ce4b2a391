// Each list is searched with the vector scan. The second search, with the lists exchanged, is needed only if the first
// one left pairs out.
#include "verify/close_paragraphs.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/bit_select.h"
#include "base/hamming_scan.h"
#include "base/similar_places.h"

namespace paraprint::inline verify {
namespace {

constexpr std::size_t kDistances = 129;  // 0 to 128 bits

}  // namespace

// Appends the places of close_ that are nearest to a place of the other list. Those at the largest distance are
// ascending, so the ones at the most similar places are found by going out from the middle in both directions.
void CloseParagraphs::append_nearest(std::uint32_t from_place, std::uint64_t from_size, std::uint64_t to_size,
                                     std::vector<ClosePair>& pairs) {
  std::array<std::uint32_t, kDistances> with_bits{};
  for (const std::uint8_t bits : bits_) ++with_bits[bits];
  std::size_t limit = 0;
  std::size_t below = 0;
  while (below + with_bits[limit] < kNearestKept) below += with_bits[limit++];
  at_limit_.clear();
  for (std::size_t i = 0; i < close_.size(); ++i) {
    if (bits_[i] < limit) pairs.push_back({from_place, close_[i], bits_[i]});
    if (bits_[i] == limit) at_limit_.push_back(close_[i]);
  }
  const std::uint64_t middle = from_place * to_size;
  const auto is_before_middle = [&](std::uint32_t place, std::uint64_t) { return place * from_size < middle; };
  auto after = std::lower_bound(at_limit_.begin(), at_limit_.end(), middle, is_before_middle);
  auto before = after;
  for (std::size_t kept = below; kept < kNearestKept; ++kept) {
    const bool takes_before =
        before != at_limit_.begin() &&
        (after == at_limit_.end() || middle - *std::prev(before) * from_size <= *after * from_size - middle);
    pairs.push_back({from_place, takes_before ? *--before : *after++, static_cast<int>(limit)});
  }
}

// Appends the pairs that the paragraphs of `from` keep; false if they left out any.
bool CloseParagraphs::append_kept(std::span<const Fingerprint128> from, std::span<const Fingerprint128> to,
                                  int distance_bits, std::vector<ClosePair>& pairs, StopCheck& stop) {
  high_.resize(to.size() + kScanPadding);
  low_.resize(to.size() + kScanPadding);
  for (std::size_t i = 0; i < to.size(); ++i) {
    high_[i] = to[i].high;
    low_[i] = to[i].low;
  }
  const SimilarPlaces compared(from.size(), to.size(), kComparisonsMaximum);
  bool has_all = true;
  for (std::uint32_t place = 0; place < from.size(); ++place) {
    const std::uint64_t begin = compared.begin(place);
    if (stop.after(StopCheck::kUnitsPerNode + compared.end(place) - begin)) break;
    close_.clear();
    find_close_in_run({high_.data() + begin, low_.data() + begin, compared.end(place) - begin}, from[place],
                      distance_bits, close_);
    bits_.clear();
    for (std::uint32_t& other : close_) {
      other += static_cast<std::uint32_t>(begin);
      bits_.push_back(static_cast<std::uint8_t>(count_set_bits(high_[other] ^ from[place].high) +
                                                count_set_bits(low_[other] ^ from[place].low)));
    }
    if (close_.size() > kAllKept) {
      append_nearest(place, from.size(), to.size(), pairs);
      has_all = false;
      continue;
    }
    for (std::size_t i = 0; i < close_.size(); ++i) pairs.push_back({place, close_[i], bits_[i]});
  }
  return has_all;
}

void CloseParagraphs::find(std::span<const Fingerprint128> a, std::span<const Fingerprint128> b, int distance_bits,
                           std::vector<ClosePair>& pairs, StopCheck& stop) {
  pairs.clear();
  if (a.empty() || b.empty() || append_kept(a, b, distance_bits, pairs, stop)) return;
  reverse_.clear();
  append_kept(b, a, distance_bits, reverse_, stop);
  if (stop.is_stopped()) return;
  for (const ClosePair& pair : reverse_) pairs.push_back({pair.b, pair.a, pair.bits});
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace paraprint::inline verify
