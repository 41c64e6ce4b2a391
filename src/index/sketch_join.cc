// Arrays of (band value, page) entries, one per thread, are refilled and sorted for each band, so that memory does not
// grow with the number of bands. No list of seen pairs is kept: a pair is reported by the first band in which all pages
// of its bucket are paired. Buckets above the cap are remembered, because a later band must not rely on them. In a part
// of a divided join, only the buckets of that part can have reported a pair before.
//
// Pages that meet are anywhere in the array of sketches. Compared as they meet, they would fault two pages of memory
// for each pair once sketches are on disk, which took as long as everything else; so pairs are compared in batches,
// each in two ascending passes over the array.
#include "index/sketch_join.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/hash.h"
#include "base/ordered_parallel.h"
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
};

// The buckets above the cap. They are few, so one sorted list of all bands is enough. Bands, and the keys of a band,
// are added in ascending order.
class SketchJoin::LargeBuckets {
 public:
  explicit LargeBuckets(SketchPart part) : part_(part) {}

  std::size_t size() const { return buckets_.size(); }
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

struct SketchJoin::MetPair {
  std::uint64_t indices = 0;  // into pages_: of the page to be read next, and of the other
  std::uint32_t place = 0;    // in PairComparer::firsts_
  bool is_whole = false;      // all pages of the bucket are paired
  friend bool operator<(const MetPair& a, const MetPair& b) { return a.indices < b.indices; }
};

// Of one band, because a pair may meet again in the next one.
struct SketchJoin::MetPairs {
  // With the sketches, a batch takes some 10 MB. Larger ones touch less memory for each pair once sketches are on disk.
  static constexpr std::size_t kPairsMaximum = std::size_t{1} << 16;

  std::size_t band = 0;
  std::vector<MetPair> pairs;
};

struct SketchJoin::ComparedPairs {
  std::vector<Meeting> meetings;
  std::uint64_t pairs_met = 0;
};

// Successive bands, sorted at the same time on different threads; then the pairs that meet in their buckets.
class SketchJoin::SortedBands {
 public:
  SortedBands(const SketchJoin& join, const GroupCaps& caps, SketchPart part, std::size_t bands_at_once)
      : pages_(join.pages_), caps_(caps), part_(part) {
    for (std::size_t band = 0; band < bands_at_once; ++band) bands_.emplace_back(pages_.budget());
  }

  std::size_t bands_at_once() const { return bands_.size(); }

  // Sorts the bands from `first_band` on and adds their buckets above the cap.
  Status sort(std::size_t first_band, LargeBuckets& large) {
    first_band_ = first_band;
    used_bands_ = std::min(bands_.size(), kSketchBands - first_band);
    for (std::size_t band = 0; band < used_bands_; ++band) {
      PARAPRINT_TRY(bands_[band].entries.resize_for_overwrite(pages_.size()));
      PARAPRINT_TRY(bands_[band].scratch.resize_for_overwrite(pages_.size()));
    }
    std::size_t next = 0;
    PARAPRINT_TRY((run_in_order<std::size_t, std::pair<std::size_t, std::vector<std::uint32_t>>>(
        static_cast<unsigned>(used_bands_),
        [&]() -> Result<std::optional<std::size_t>> {
          return next < used_bands_ ? std::optional(next++) : std::nullopt;
        },
        [&](unsigned, std::size_t band) { return std::pair(band, sort_band(band)); },
        [&](std::pair<std::size_t, std::vector<std::uint32_t>>&& sorted) -> Status {
          for (const std::uint32_t key : sorted.second) large.add(first_band_ + sorted.first, key);
          return {};
        })));
    band_ = bucket_begin_ = bucket_end_ = first_ = second_ = 0;
    return {};
  }

  // The next pairs of one band; nullopt at the end.
  std::optional<MetPairs> next_pairs() {
    for (; band_ < used_bands_; ++band_, bucket_begin_ = bucket_end_ = 0) {
      MetPairs met{first_band_ + band_, {}};
      while (met.pairs.size() < MetPairs::kPairsMaximum && find_bucket()) add_pairs_of_bucket(met.pairs);
      if (!met.pairs.empty()) return met;
    }
    return std::nullopt;
  }

 private:
  // The entries of a band, and as much again for sorting.
  struct Band {
    explicit Band(MemoryBudget* budget) : entries(budget), scratch(budget) {}
    SpillArray<BandEntry> entries;
    SpillArray<BandEntry> scratch;
  };

  // Returns the keys of buckets above the cap.
  std::vector<std::uint32_t> sort_band(std::size_t number) {
    Band& sorted = bands_[number];
    const std::size_t band = first_band_ + number;
    std::size_t size = 0;
    for (std::uint32_t index = 0; index < pages_.size(); ++index) {
      const std::uint32_t key = sketch_band(pages_[index].pair_hashes, band);
      if (has_bucket(part_, band, key)) sorted.scratch[size++] = {key, index};
      // The budget may move arrays to disk, but not while other threads write to theirs.
      if (used_bands_ == 1) tick(pages_.budget());
    }
    static_assert(kSketchBandBytes % 2 == 1, "the sorted entries must end up in the other array");
    sorted.entries.shrink(size);
    stable_radix_sort<kSketchBandBytes>(std::span(sorted.scratch.data(), size), std::span(sorted.entries.data(), size),
                                        [](const BandEntry& entry) { return entry.key; });
    std::vector<std::uint32_t> large;
    for (std::size_t begin = 0; begin < size;) {
      const std::size_t end = end_of_bucket(sorted.entries, begin);
      if (end - begin > caps_.group_cap) large.push_back(sorted.entries[begin].key);
      begin = end;
    }
    return large;
  }

  static std::size_t end_of_bucket(const SpillArray<BandEntry>& entries, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
    return end;
  }

  // Moves on to the next bucket of the band that has pairs, unless this one has some left.
  bool find_bucket() {
    const SpillArray<BandEntry>& entries = bands_[band_].entries;
    while (first_ + 1 >= bucket_end_ - bucket_begin_) {
      if (bucket_end_ == entries.size()) return false;
      bucket_begin_ = bucket_end_;
      bucket_end_ = end_of_bucket(entries, bucket_begin_);
      first_ = 0;
      second_ = 1;
    }
    return true;
  }

  // Pairs of a large bucket may be too many for one batch.
  void add_pairs_of_bucket(std::vector<MetPair>& pairs) {
    const BandEntry* const bucket = bands_[band_].entries.begin() + bucket_begin_;
    const std::size_t size = bucket_end_ - bucket_begin_;
    for (; first_ + 1 < size; ++first_, second_ = first_ + 1) {
      for (const std::size_t end = end_of_partners(first_, size, caps_); second_ < end; ++second_) {
        if (pairs.size() == MetPairs::kPairsMaximum) return;
        pairs.push_back(
            {std::uint64_t{bucket[first_].index} << 32 | bucket[second_].index, 0, size <= caps_.group_cap});
      }
    }
  }

  const SpillArray<SketchedPage>& pages_;
  const GroupCaps& caps_;
  const SketchPart part_;
  std::vector<Band> bands_;
  std::size_t first_band_ = 0;
  std::size_t used_bands_ = 0;
  // The next pair.
  std::size_t band_ = 0;  // in bands_
  std::size_t bucket_begin_ = 0;
  std::size_t bucket_end_ = 0;
  std::size_t first_ = 0;  // in the bucket
  std::size_t second_ = 0;
};

// The scratch memory of one thread.
class SketchJoin::PairComparer {
 public:
  PairComparer(const SketchJoin& join, const LargeBuckets& large) : pages_(join.pages_), large_(large) {}

  ComparedPairs compare(MetPairs&& met) {
    ComparedPairs compared;
    sort(met.pairs);
    firsts_.clear();
    for (MetPair& pair : met.pairs) {
      pair.place = static_cast<std::uint32_t>(firsts_.size());
      firsts_.push_back(pages_[pair.indices >> 32]);
      pair.indices = std::rotl(pair.indices, 32);
      tick(pages_.budget());
    }
    sort(met.pairs);
    for (const MetPair& pair : met.pairs) {
      compare(firsts_[pair.place], pages_[pair.indices >> 32], met.band, pair.is_whole, compared);
      tick(pages_.budget());
    }
    return compared;
  }

 private:
  static void sort(std::vector<MetPair>& pairs) {
    radix_sort(std::span(pairs), [](const MetPair& pair) { return pair.indices; });
  }

  // The thin graph of a bucket above the cap is connected only if all its pairs are reported, whatever earlier bands
  // did.
  void compare(const SketchedPage& a, const SketchedPage& b, std::size_t band, bool is_whole,
               ComparedPairs& compared) const {
    if (is_whole && large_.meet_before(a.pair_hashes, b.pair_hashes, band)) return;
    ++compared.pairs_met;
    const std::size_t equal = equal_sketch_bytes(a.pair_hashes, b.pair_hashes);
    if (equal == 0) return;
    const std::uint32_t fewer = std::min(a.content_characters, b.content_characters);
    compared.meetings.push_back({a.page, b.page, characters_in_common(fewer, equal), is_whole});
  }

  const SpillArray<SketchedPage>& pages_;
  const LargeBuckets& large_;
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

// While several bands are sorted, nothing can be moved to disk, so they and the sketches have to fit.
std::size_t SketchJoin::bands_at_once(unsigned threads) const {
  constexpr std::uint64_t kShareOfTarget = 4;
  const std::uint64_t bytes = pages_.size() * (sizeof(SketchedPage) + threads * 2 * sizeof(BandEntry));
  const bool fits = pages_.budget() == nullptr || bytes <= pages_.budget()->target_bytes() / kShareOfTarget;
  return fits ? threads : 1;
}

Result<SketchJoinStatistics> SketchJoin::join(const GroupCaps& caps, const PairCallback& on_pair, unsigned threads,
                                              SketchPart part) const {
  // With fewer, starting threads takes longer than the work.
  constexpr std::size_t kPagesForThreads = 2000;
  if (pages_.size() < kPagesForThreads) threads = 1;
  SketchJoinStatistics statistics;
  statistics.sketches = pages_.size();
  LargeBuckets large(part);
  SortedBands bands(*this, caps, part, bands_at_once(threads));
  std::vector<PairComparer> comparers(threads, PairComparer(*this, large));
  if (pages_.budget() != nullptr && bands.bands_at_once() > 1) {
    // Threads that sort bands cannot make room while they do.
    pages_.budget()->make_room_for(pages_.size() * bands.bands_at_once() * 2 * sizeof(BandEntry));
  }
  for (std::size_t band = 0; band < kSketchBands; band += bands.bands_at_once()) {
    PARAPRINT_TRY(bands.sort(band, large));
    PARAPRINT_TRY((run_in_order<MetPairs, ComparedPairs>(
        threads, [&]() -> Result<std::optional<MetPairs>> { return bands.next_pairs(); },
        [&](unsigned worker, MetPairs&& met) { return comparers[worker].compare(std::move(met)); },
        [&](ComparedPairs&& compared) -> Status {
          statistics.pairs_met += compared.pairs_met;
          statistics.pairs_kept += compared.meetings.size();
          for (const Meeting& meeting : compared.meetings) PARAPRINT_TRY(on_pair(meeting));
          return {};
        })));
  }
  statistics.buckets_over_cap = large.size();
  return statistics;
}

}  // namespace paraprint::inline index
