// What people decided about pairs of pages: copies or not, whatever their scores say.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "paraprint/model.h"

namespace paraprint::inline cluster {

enum class PairRuling : std::uint8_t { kNone, kNever, kAlways };

struct RuledPair {
  std::uint32_t page_a = 0;  // < page_b
  std::uint32_t page_b = 0;
  PairRuling ruling = PairRuling::kNone;
};

// 12 bytes per pair. After finish(), any number of threads may read.
class PairRulings {
 public:
  // The pages, which differ, in either order. The same pair may be added again.
  void add(std::uint32_t page_a, std::uint32_t page_b, PairRuling ruling);
  // Call once, after the last add(). Returns a pair that was added with both rulings, if there is one.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> finish();

  // Of the pages in either order. O(log pairs).
  PairRuling find(std::uint32_t page_a, std::uint32_t page_b) const;
  // Makes the verdict kDistinct or kNear if there is a ruling. Scores stay as they were measured.
  void decide(Match& match) const;

  // Ascending by (page_a, page_b), each pair once.
  std::span<const RuledPair> pairs() const { return pairs_; }

 private:
  std::vector<RuledPair> pairs_;
};

}  // namespace paraprint::inline cluster
