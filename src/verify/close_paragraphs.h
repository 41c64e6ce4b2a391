// The pairs of paragraphs of two pages whose fingerprints are close, bounded for pages that are made to have too many.
//
// Two pages can have thousands of paragraphs that are all close to each other, such as rows of a list that differ in
// one word. All their pairs would be millions, of which an assignment uses one per paragraph. So
//   - a paragraph with more than kAllKept close ones keeps the kNearestKept nearest of them: those at the smallest
//     distance, among equals those at the most similar place in their page. A pair is kept if either paragraph keeps
//     it;
//   - very long pages are compared at similar places only (base/similar_places.h).
// Neither bound depends on which page comes first. Below them the pairs are all there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hamming_scan.h"
#include "base/stop.h"
#include "paraprint/model.h"
#include "verify/assignment.h"

namespace paraprint::inline verify {

// Positions in two lists of fingerprints, and the bits in which the two differ.
struct ClosePair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  int bits = 0;
  friend auto operator<=>(const ClosePair&, const ClosePair&) = default;
};

// Holds scratch memory: use one instance per thread.
class CloseParagraphs {
 public:
  // A paragraph with more close ones is in a component that best_assignment() solves greedily, so nothing exact is
  // lost.
  static constexpr std::size_t kAllKept = kExactComponentNodes - 1;
  static constexpr std::size_t kNearestKept = 16;
  // Nearly all pages have fewer than 100 paragraphs. Two of 512 are compared in the time that reading them takes.
  static constexpr std::uint64_t kComparisonsMaximum = std::uint64_t{1} << 18;

  // Replaces `pairs` with the pairs within `distance_bits`, ascending by (a, b): at most kAllKept for each fingerprint.
  // The lists are in the order of the pages. Not all if `stop` is stopped in between. Cost: twice the comparisons that
  // SimilarPlaces allows.
  void find(std::span<const Fingerprint128> a, std::span<const Fingerprint128> b, int distance_bits,
            std::vector<ClosePair>& pairs, StopCheck& stop);

 private:
  bool append_kept(std::span<const Fingerprint128> from, std::span<const Fingerprint128> to, int distance_bits,
                   std::vector<ClosePair>& pairs, StopCheck& stop);
  void append_nearest(std::uint32_t from_place, std::uint64_t from_size, std::uint64_t to_size, std::uint64_t begin,
                      std::span<const std::uint8_t> bits, int distance_bits, std::vector<ClosePair>& pairs);
  void unite(std::size_t size_a, std::vector<ClosePair>& pairs);

  FingerprintColumns searched_;          // the list that is searched
  std::vector<std::uint8_t> bits_;       // of its places compared, padded
  std::vector<std::uint32_t> selected_;  // positions in bits_
  std::vector<std::uint32_t> at_limit_;  // places at the largest distance that is kept
  // Of the second search: its pairs, where those of each fingerprint of the first list begin, and those of both.
  std::vector<ClosePair> reverse_;
  std::vector<std::size_t> begins_;
  std::vector<ClosePair> by_first_;
  std::vector<ClosePair> united_;
};

}  // namespace paraprint::inline verify
