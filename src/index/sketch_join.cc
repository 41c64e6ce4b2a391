// One array of (band value, page) entries is refilled and sorted for each band, so that memory does not grow with the
// number of bands. A pair that agrees in several bands is reported by the first of them; no list of seen pairs is kept.
#include "index/sketch_join.h"

#include <algorithm>

#include "base/assert.h"
#include "base/propagate.h"

namespace paraprint {

// Sorted by value and then by index, so that buckets are ascending by page.
struct SketchJoin::BandEntry {
  std::uint32_t key = 0;
  std::uint32_t index = 0;  // into pages_
  friend auto operator<=>(const BandEntry&, const BandEntry&) = default;
};

// Whether the pair already met in an earlier band, which then reported it.
bool SketchJoin::meet_before(const PairHashes& a, const PairHashes& b, std::size_t band) {
  for (std::size_t earlier = 0; earlier < band; ++earlier) {
    if (sketch_band(a, earlier) == sketch_band(b, earlier)) return true;
  }
  return false;
}

Status SketchJoin::add_page(std::uint32_t page, std::uint32_t content_characters,
                            std::span<const std::uint8_t> pair_hashes) {
  if (pair_hashes.empty()) return {};
  PARAPRINT_ASSERT(pair_hashes.size() == PageSketch::kPairHashes);
  PARAPRINT_ASSERT(pages_.empty() || page > pages_.back().page);
  SketchedPage added{page, content_characters, {}};
  std::copy(pair_hashes.begin(), pair_hashes.end(), added.pair_hashes.begin());
  return pages_.push_back(added);
}

Result<SketchJoinStatistics> SketchJoin::join(const GroupCaps& caps, const PairCallback& on_pair,
                                              BandRange bands) const {
  SketchJoinStatistics statistics;
  statistics.sketches = pages_.size();
  SpillArray<BandEntry> entries(pages_.budget());
  PARAPRINT_TRY(entries.resize_for_overwrite(pages_.size()));
  for (std::size_t band = bands.begin; band < bands.end; ++band) {
    for (std::uint32_t index = 0; index < entries.size(); ++index) {
      entries[index] = {sketch_band(pages_[index].pair_hashes, band), index};
      tick(pages_.budget());
    }
    std::sort(entries.begin(), entries.end());
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
      join_bucket(std::span<const BandEntry>(entries).subspan(begin, end - begin), band, caps, on_pair, statistics);
    }
  }
  return statistics;
}

void SketchJoin::join_bucket(std::span<const BandEntry> bucket, std::size_t band, const GroupCaps& caps,
                             const PairCallback& on_pair, SketchJoinStatistics& statistics) const {
  const bool is_whole = bucket.size() <= caps.group_cap;
  statistics.buckets_over_cap += is_whole ? 0 : 1;
  for_each_group_pair(bucket.size(), caps, [&](std::size_t first, std::size_t second) {
    const SketchedPage& a = pages_[bucket[first].index];
    const SketchedPage& b = pages_[bucket[second].index];
    tick(pages_.budget());
    // A bucket above the cap visits only some of its pairs and does not rely on earlier bands, which may have skipped
    // them. A whole bucket does: a pair skipped by an earlier large bucket is linked by the thin graph of that one
    // only.
    if (is_whole && meet_before(a.pair_hashes, b.pair_hashes, band)) return;
    ++statistics.pairs_met;
    const std::size_t equal = equal_sketch_bytes(a.pair_hashes, b.pair_hashes);
    if (equal == 0) return;
    ++statistics.pairs_kept;
    const std::uint32_t fewer = std::min(a.content_characters, b.content_characters);
    on_pair(a.page, b.page, characters_in_common(fewer, equal));
  });
}

}  // namespace paraprint
