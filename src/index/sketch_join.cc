// One array of (band value, page) entries is refilled and sorted for each band, so that memory does not grow with the
// number of bands. No list of seen pairs is kept: a pair is reported by the first band in which all pages of its bucket
// are paired. Buckets above the cap are remembered, because a later band must not rely on them. In a part of a divided
// join, only the buckets of that part can have reported a pair before.
//
// Pages that meet are anywhere in the array of sketches. Compared as they meet, they would fault two pages of memory
// for each pair once sketches are on disk, which took as long as everything else; so pairs are compared in batches,
// each in two ascending passes over the array.
#include "index/sketch_join.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/assert.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "memory/radix_sort.h"

namespace paraprint::inline index {

namespace {

std::uint32_t part_of_sketch_bucket(std::size_t band, std::uint32_t key, std::uint32_t parts) {
  return static_cast<std::uint32_t>(mix64(std::uint64_t{band} << 32 | key) % parts);
}

bool has_bucket(const SketchPart& part, std::size_t band, std::uint32_t key) {
  return part.parts == 1 || part_of_sketch_bucket(band, key, part.parts) == part.part;
}

}  // namespace

void find_sketch_parts(SketchBytes pair_hashes, std::uint32_t parts, std::vector<std::uint32_t>& found) {
  found.clear();
  for (std::size_t band = 0; band < kSketchBands; ++band) {
    found.push_back(part_of_sketch_bucket(band, sketch_band(pair_hashes, band), parts));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

// Sorted by value and then by index, so that buckets are ascending by page.
struct SketchJoin::BandEntry {
  std::uint32_t key = 0;
  std::uint32_t index = 0;  // into pages_
  friend auto operator<=>(const BandEntry&, const BandEntry&) = default;
  // The key has only 24 bits; from its first one on.
  std::uint64_t sort_key() const { return std::uint64_t{key} << 40 | std::uint64_t{index} << 8; }
};

// The buckets above the cap. They are few, so one sorted list of all bands is enough. Bands, and the keys of a band,
// are added in ascending order.
class SketchJoin::LargeBuckets {
 public:
  explicit LargeBuckets(SketchPart part) : part_(part) {}

  void add(std::size_t band, std::uint32_t key) { buckets_.push_back(bucket_of(band, key)); }
  bool contains(std::size_t band, std::uint32_t key) const {
    return std::binary_search(buckets_.begin(), buckets_.end(), bucket_of(band, key));
  }
  // Whether the pair met in an earlier band in a bucket of this part whose pages were all paired. One above the cap may
  // have skipped the pair.
  bool meet_before(const PairHashes& a, const PairHashes& b, std::size_t band) const {
    for (std::size_t earlier = 0; earlier < band; ++earlier) {
      const std::uint32_t key = sketch_band(a, earlier);
      if (key == sketch_band(b, earlier) && has_bucket(part_, earlier, key) && !contains(earlier, key)) return true;
    }
    return false;
  }

 private:
  static std::uint32_t bucket_of(std::size_t band, std::uint32_t key) {
    static_assert(kSketchBands <= 256 && kSketchBandBytes == 3);
    return static_cast<std::uint32_t>(band) << 24 | key;
  }
  SketchPart part_;
  std::vector<std::uint32_t> buckets_;
};

// The pairs that met in one band and are not compared yet.
class SketchJoin::PairBatch {
 public:
  PairBatch(const SketchJoin& join, const LargeBuckets& large, const PairCallback& on_pair,
            SketchJoinStatistics& statistics)
      : join_(join), large_(large), on_pair_(on_pair), statistics_(statistics) {}

  // Indices into pages_. `is_whole`: all pages of their bucket are paired.
  void add(std::uint32_t first, std::uint32_t second, std::size_t band, bool is_whole) {
    if (pairs_.size() == kPairsMaximum) compare(band);
    pairs_.push_back({std::uint64_t{first} << 32 | second, 0, is_whole});
  }

  // Of one band, because a pair may meet again in the next one.
  void compare(std::size_t band) {
    sort();
    firsts_.clear();
    for (MetPair& pair : pairs_) {
      pair.place = static_cast<std::uint32_t>(firsts_.size());
      firsts_.push_back(join_.pages_[pair.indices >> 32]);
      pair.indices = std::rotl(pair.indices, 32);
      tick(join_.pages_.budget());
    }
    sort();
    for (const MetPair& pair : pairs_) {
      compare(firsts_[pair.place], join_.pages_[pair.indices >> 32], band, pair.is_whole);
      tick(join_.pages_.budget());
    }
    pairs_.clear();
  }

 private:
  // A batch takes some 10 MB. Larger ones touch less memory for each pair once sketches are on disk.
  static constexpr std::size_t kPairsMaximum = std::size_t{1} << 16;

  struct MetPair {
    std::uint64_t indices = 0;  // the one to be read next, and the other
    std::uint32_t place = 0;    // in firsts_
    bool is_whole = false;
    friend bool operator<(const MetPair& a, const MetPair& b) { return a.indices < b.indices; }
  };

  void sort() {
    radix_sort(std::span(pairs_), [](const MetPair& pair) { return pair.indices; });
  }

  // The thin graph of a bucket above the cap is connected only if all its pairs are reported, whatever earlier bands
  // did.
  void compare(const SketchedPage& a, const SketchedPage& b, std::size_t band, bool is_whole) {
    if (is_whole && large_.meet_before(a.pair_hashes, b.pair_hashes, band)) return;
    ++statistics_.pairs_met;
    const std::size_t equal = equal_sketch_bytes(a.pair_hashes, b.pair_hashes);
    if (equal == 0) return;
    ++statistics_.pairs_kept;
    const std::uint32_t fewer = std::min(a.content_characters, b.content_characters);
    on_pair_({a.page, b.page, characters_in_common(fewer, equal), is_whole});
  }

  const SketchJoin& join_;
  const LargeBuckets& large_;
  const PairCallback& on_pair_;
  SketchJoinStatistics& statistics_;
  std::vector<MetPair> pairs_;
  std::vector<SketchedPage> firsts_;
};

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
                                              SketchPart part) const {
  SketchJoinStatistics statistics;
  statistics.sketches = pages_.size();
  SpillArray<BandEntry> entries(pages_.budget());
  LargeBuckets large(part);
  PairBatch met(*this, large, on_pair, statistics);
  for (std::size_t band = 0; band < kSketchBands; ++band) {
    entries.clear();
    for (std::uint32_t index = 0; index < pages_.size(); ++index) {
      const std::uint32_t key = sketch_band(pages_[index].pair_hashes, band);
      if (has_bucket(part, band, key)) PARAPRINT_TRY(entries.push_back({key, index}));
      tick(pages_.budget());
    }
    radix_sort(std::span(entries.begin(), entries.end()), [](const BandEntry& entry) { return entry.sort_key(); });
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
      const bool is_whole = end - begin <= caps.group_cap;
      if (!is_whole) large.add(band, entries[begin].key);
      statistics.buckets_over_cap += is_whole ? 0 : 1;
      for_each_group_pair(end - begin, caps, [&](std::size_t first, std::size_t second) {
        met.add(entries[begin + first].index, entries[begin + second].index, band, is_whole);
      });
    }
    met.compare(band);
  }
  return statistics;
}

}  // namespace paraprint::inline index
