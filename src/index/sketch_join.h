// All pairs of pages whose sketches are alike (sketch_rule.h): pages are sorted by one band after the other, those that
// agree in one meet in a bucket, and pairs of a bucket are kept when the rest of the rule holds. Of unrelated pages one
// pair in 400,000 meets by chance, and none is kept.
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

namespace paraprint {

struct SketchJoinStatistics {
  std::uint64_t sketches = 0;
  std::uint64_t buckets_over_cap = 0;
  std::uint64_t pairs_met = 0;  // compared, each once but for large buckets
  std::uint64_t pairs_kept = 0;
};

// Memory, on the budget: 136 bytes a sketch, and 8 more while joining. Threads: one at a time.
class SketchJoin {
 public:
  // Receives page_a < page_b and about how many characters they have in common: the share of equal bytes, of the page
  // with fewer. A pair comes once, or a few times from buckets over the cap.
  using PairCallback = std::function<void(std::uint32_t page_a, std::uint32_t page_b, std::uint32_t common_characters)>;

  explicit SketchJoin(MemoryBudget* budget = nullptr) : pages_(budget) {}

  // `page` has to be greater than all before it. Nothing is added when `pair_hashes` is empty. Errors: those of the
  // budget's disk.
  Status add_page(std::uint32_t page, std::uint32_t content_characters, std::span<const std::uint8_t> pair_hashes);

  // Buckets above caps.group_cap give a thin graph (key_join.h). Pairs come in an order that depends on the pages
  // alone. Cost: 42 sorts of the pages, and 128 bytes compared a pair that meets. Errors: those of the budget's disk.
  // `bands`: the ones to sort by. A pair comes from a band whatever the others are, so bands can be shared out.
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

  static bool meet_before(const PairHashes& a, const PairHashes& b, std::size_t band);
  void join_bucket(std::span<const BandEntry> bucket, std::size_t band, const GroupCaps& caps,
                   const PairCallback& on_pair, SketchJoinStatistics& statistics) const;

  SpillArray<SketchedPage> pages_;
};

}  // namespace paraprint
