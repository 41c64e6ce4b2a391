// All pairs of pages with similar sketches (sketch_rule.h): pages are sorted by each band in turn, pages that agree in
// a band meet in a bucket, and a pair is kept if the rest of the rule holds. One pair of unrelated pages in 400,000
// shares a band by chance, and none is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

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

// A part of a join that is divided among tasks. Every bucket of every band belongs to exactly one part.
struct SketchPart {
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
};

// The parts that need the sketch: those with its bucket in any band. Ascending, each once, at most one per band.
void find_sketch_parts(SketchBytes pair_hashes, std::uint32_t parts, std::vector<std::uint32_t>& found);

// Memory, on the budget: 136 bytes per sketch, and while joining 16 more for each band that is sorted at a time. Not on
// it: 18 MB per thread, and 4 bytes per bucket above the cap. Threads: one at a time.
class SketchJoin {
 public:
  struct Meeting {
    std::uint32_t page_a = 0;  // below page_b
    std::uint32_t page_b = 0;
    // Approximately: the share of equal bytes times the characters of the shorter page.
    std::uint32_t common_characters = 0;
    bool is_whole = false;  // all pages of the bucket in which the pair met were paired
  };
  // Called for a pair at most once with is_whole, and once for each bucket above the cap that links it; one call at a
  // time, on any thread. An error ends the join.
  using PairCallback = std::function<Status(const Meeting& pair)>;

  explicit SketchJoin(MemoryBudget* budget = nullptr) : pages_(budget) {}

  // `page` must be greater than all earlier ones. Adds nothing if `pair_hashes` is empty. Errors: the budget's disk.
  Status add_page(std::uint32_t page, std::uint32_t content_characters, std::span<const std::uint8_t> pair_hashes);

  // Buckets above caps.group_cap yield a thin graph (key_join.h). The order of pairs depends on the pages only. Cost:
  // one sort of the pages per band, and 128 bytes compared per pair that meets. `threads` sort bands, unless memory is
  // short, and compare pairs. Errors: those of `on_pair`, disk errors of the budget, a stop request.
  // `part`: only the buckets of a part are joined, for which all pages that need it must have been added. Several parts
  // may report a pair with is_whole: the result of the whole join has it once with, and as often without.
  Result<SketchJoinStatistics> join(const GroupCaps& caps, const PairCallback& on_pair, unsigned threads = 1,
                                    SketchPart part = {}) const;

 private:
  using PairHashes = std::array<std::uint8_t, PageSketch::kPairHashes>;
  struct SketchedPage {
    std::uint32_t page = 0;
    std::uint32_t content_characters = 0;
    PairHashes pair_hashes{};
  };
  struct BandEntry;
  struct MetPair;
  struct MetPairs;
  struct ComparedPairs;

  class LargeBuckets;
  class SortedBands;
  class PairComparer;

  std::size_t bands_at_once(unsigned threads) const;

  SpillArray<SketchedPage> pages_;
};

}  // namespace paraprint::inline index
