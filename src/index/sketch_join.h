// All pairs of pages with similar sketches (sketch_rule.h): pages are sorted by each band in turn, pages that agree in
// a band meet in a bucket, and a pair is kept if the rest of the rule holds. One pair of unrelated pages in 400,000
// shares a band by chance, and none is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "index/key_join.h"
#include "index/sketch_rule.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline index {

struct SketchJoinStatistics {
  std::uint64_t sketches = 0;
  std::uint64_t buckets_over_cap = 0;
  std::uint64_t pairs_met = 0;  // compared; once per pair except in large buckets
  std::uint64_t pairs_kept = 0;
};

// Memory, on the budget: 136 bytes per sketch, and 8 more while joining. Not on it: 10 MB, 4 bytes per bucket above the
// cap, and half a byte per sketch if only some bands are joined. Threads: one at a time.
class SketchJoin {
 public:
  // Receives page_a < page_b and the approximate number of common characters: the share of equal bytes times the
  // characters of the shorter page. Called once per pair, or several times for pairs in buckets above the cap.
  using PairCallback = std::function<void(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t common_characters)>;

  explicit SketchJoin(MemoryBudget* budget = nullptr) : pages_(budget) {}

  // `page` must be greater than all earlier ones. Adds nothing if `pair_hashes` is empty. Errors: the budget's disk.
  Status add_page(std::uint32_t page, std::uint32_t content_characters, std::span<const std::uint8_t> pair_hashes);

  // Buckets above caps.group_cap yield a thin graph (key_join.h). The order of pairs depends on the pages only. Cost:
  // one sort of the pages per band, and 128 bytes compared per pair that meets. Errors: disk errors of the budget.
  // `bands`: the bands to sort by. Which bands report a pair does not depend on the bands joined here, so bands can be
  // distributed over machines; only the buckets above the cap of earlier bands are counted again.
  struct BandRange {
    std::size_t begin = 0;
    std::size_t end = kSketchBands;
  };
  Result<SketchJoinStatistics> join(const GroupCaps& caps, const PairCallback& on_pair, BandRange bands) const;
  Result<SketchJoinStatistics> join(const GroupCaps& caps, const PairCallback& on_pair) const {
    return join(caps, on_pair, BandRange{});
  }

 private:
  using PairHashes = std::array<std::uint8_t, PageSketch::kPairHashes>;
  struct SketchedPage {
    std::uint32_t page = 0;
    std::uint32_t content_characters = 0;
    PairHashes pair_hashes{};
  };
  struct BandEntry;

  class LargeBuckets;
  class PairBatch;

  Status count_large_buckets(std::size_t band, const GroupCaps& caps, LargeBuckets& large) const;

  SpillArray<SketchedPage> pages_;
};

}  // namespace paraprint::inline index
