// A table is never sorted. Its records, 32 (or 64) bits of the permuted fingerprint plus the index, are partitioned by
// the first digit of the key in memory and by the second in cache; hamming_kernel.h then compares all pairs of each
// bucket. Comparisons are so cheap that few tables with large buckets beat many tables with small ones, as long as a
// bucket fits into the L1 cache. The 32 (64) bits are a filter without false negatives: a subset of the bits can only
// be closer than the whole fingerprint. Pairs that pass are verified on the full values.
#include "index/hamming_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "index/hamming_blocks.h"
#include "index/hamming_kernel.h"
#include "memory/spill_array.h"

namespace paraprint::inline index {
namespace {

using namespace hamming_internal;

// Per fingerprint width: how a fingerprint is stored (Value), computed with (Word) and filtered by (Check).
struct Width64 {
  using Value = std::uint64_t;
  using Word = std::uint64_t;
  using Check = std::uint32_t;
  struct Record {
    Check check_bits;
    std::uint32_t index;
    Check check() const { return check_bits; }
    static Record make(Check check, std::uint32_t index) { return {check, index}; }
  };
  static constexpr int kBits = 64;
  static Word word(Value value) { return value; }
  static Value value(Word word) { return word; }
  static std::uint64_t hash(Value value) { return mix64(value); }
};

struct Width128 {
  using Value = Fingerprint128;
  using Word = Word128;
  using Check = std::uint64_t;
  struct Record {  // 12 bytes without padding
    std::uint32_t check_high;
    std::uint32_t check_low;
    std::uint32_t index;
    Check check() const { return Check{check_high} << 32 | check_low; }
    static Record make(Check check, std::uint32_t index) {
      return {static_cast<std::uint32_t>(check >> 32), static_cast<std::uint32_t>(check), index};
    }
  };
  static constexpr int kBits = 128;
  static Word word(const Value& value) { return Word{value.high} << 64 | value.low; }
  static Value value(Word word) { return {static_cast<std::uint64_t>(word >> 64), static_cast<std::uint64_t>(word)}; }
  static std::uint64_t hash(const Value& value) { return mix64(mix64(value.high) + value.low); }
};

// Buckets with more records than this are split again by their remaining bits instead of comparing all pairs.
constexpr std::size_t kSplitAboveRecords = 8192;
constexpr int kMaximumDepth = 2;  // of splitting; every level multiplies the number of tables

template <class Width>
class Joiner {
 public:
  using Value = typename Width::Value;
  using Word = typename Width::Word;
  using Check = typename Width::Check;
  using Record = typename Width::Record;
  using Emit = std::function<void(std::uint32_t, std::uint32_t, int)>;  // positions in either order, distance

  Joiner(const HammingJoinOptions& options, HammingJoinStatistics& statistics)
      : options_(options), statistics_(statistics) {}

  // Emits each pair of distinct positions in `values` within k bits once. Only the top `bits` bits of a value count;
  // depth is 0 for the whole join and higher for split buckets. Errors: disk errors of the budget.
  Status join(std::span<const Value> values, int bits, int depth, const Emit& emit) {
    const int k = options_.distance_bits;
    const bool is_part = depth == 0 && options_.part;
    const auto planned = static_cast<double>(is_part ? options_.part->fingerprints : values.size());
    const int block_count =
        options_.block_count != 0 && depth == 0 ? options_.block_count : choose_block_count(bits, k, planned);
    const BlockPlan<Word> plan(bits, k, block_count);
    if (depth == 0) {
      statistics_.block_count = block_count;
      statistics_.table_count = static_cast<int>(plan.tables.size());
      if (const unsigned threads = threads_for(values.size()); threads > 1) {
        return search_on_threads(values, planned, bits, plan, emit, threads);
      }
    }
    Level level{values, planned, bits, depth, plan, emit, SpillArray<Record>(options_.budget), {}, {}, {}, {}, {}, {}};
    level.status = level.records.resize_for_overwrite(values.size());
    for (const Table& table : plan.tables) {
      if (level.status) search_table(level, table);
    }
    return level.status;
  }

 private:
  using Table = typename BlockPlan<Word>::Table;

  struct FoundPair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    int distance_bits = 0;
  };

  // The state of one join() call; recursive calls for split buckets have their own.
  struct Level {
    std::span<const Value> values;
    double planned;  // number of values of the whole join
    int bits;
    int depth;
    const BlockPlan<Word>& plan;
    const Emit& emit;
    SpillArray<Record> records;          // partitioned by the first digit
    std::vector<Check> checks;           // one partition, grouped by the second digit
    std::vector<std::uint32_t> indices;  // parallel to `checks`
    std::vector<std::uint32_t> group_begin;
    std::vector<BucketPair> close;    // pairs that the kernel found in a bucket
    std::vector<BucketPair> pending;  // pairs of positions in `values` still to be verified
    Status status;                    // first error of the joins of its buckets
  };

  // Records of several tables can't be on the budget, because threads that write to them do not wait for each other.
  unsigned threads_for(std::size_t values) const {
    constexpr std::size_t kValuesForThreads = 2000;  // with fewer, starting threads takes longer than the work
    constexpr std::uint64_t kShareOfTarget = 8;
    if (values < kValuesForThreads) return 1;
    const std::uint64_t bytes = std::uint64_t{options_.threads} * values * sizeof(Record);
    const bool fits = options_.budget == nullptr || bytes <= options_.budget->target_bytes() / kShareOfTarget;
    return fits ? options_.threads : 1;
  }

  // What one thread has for itself. Its pairs are handed on many at once.
  struct Searcher {
    HammingJoinStatistics statistics;
    std::vector<FoundPair> found;
  };

  Status search_on_threads(std::span<const Value> values, double planned, int bits, const BlockPlan<Word>& plan,
                           const Emit& emit, unsigned threads) {
    std::vector<Searcher> searchers(threads);
    std::mutex emitting;
    const auto hand_on = [&](std::vector<FoundPair>& found) {
      const std::lock_guard lock(emitting);
      for (const FoundPair& pair : found) emit(pair.first, pair.second, pair.distance_bits);
      found.clear();
    };
    std::size_t next = 0;
    PARAPRINT_TRY((run_in_order<std::size_t, Status>(
        threads,
        [&]() -> Result<std::optional<std::size_t>> {
          return next < plan.tables.size() ? std::optional(next++) : std::nullopt;
        },
        [&](unsigned number, std::size_t table) {
          constexpr std::size_t kPairsAtOnce = 4096;
          Searcher& searcher = searchers[number];
          const Emit keep = [&](std::uint32_t first, std::uint32_t second, int distance_bits) {
            searcher.found.push_back({first, second, distance_bits});
            if (searcher.found.size() == kPairsAtOnce) hand_on(searcher.found);
          };
          Joiner own(options_, searcher.statistics);
          Level level{values, planned, bits, 0, plan, keep, SpillArray<Record>(), {}, {}, {}, {}, {}, {}};
          level.status = level.records.resize_for_overwrite(values.size());
          if (level.status) own.search_table(level, plan.tables[table]);
          hand_on(searcher.found);
          return std::move(level.status);
        },
        [](Status&& searched) { return std::move(searched); })));
    for (const Searcher& searcher : searchers) {
      statistics_.comparisons += searcher.statistics.comparisons;
      statistics_.buckets_over_cap += searcher.statistics.buckets_over_cap;
      statistics_.comparisons_not_made += searcher.statistics.comparisons_not_made;
    }
    return {};
  }

  // Passes over all records tick this often, not only per partition: each record may touch a different memory page.
  void tick_at(std::size_t index) {
    constexpr std::size_t kRecordsPerTick = 32;
    if (index % kRecordsPerTick == 0) tick(options_.budget);
  }

  // One counting pass and one scatter pass by the first digit, then one partition at a time.
  void search_table(Level& level, const Table& table) {
    constexpr int kWordBits = static_cast<int>(sizeof(Word)) * 8;
    constexpr int kCheckBits = static_cast<int>(sizeof(Check)) * 8;
    const int key_bits = bucket_bits(table.key_bits, level.planned);
    const auto number = static_cast<std::size_t>(&table - level.plan.tables.data());
    const bool is_part = level.depth == 0 && options_.part;
    const auto is_own = [&](Word permuted) {
      const auto bucket = static_cast<std::uint64_t>(permuted >> (kWordBits - key_bits));
      return !is_part || part_of_bucket(number, bucket, options_.part->parts) == options_.part->part;
    };
    // Equal digits keep both the number of partitions and the number of buckets per partition small.
    const int first_bits = (key_bits + 1) / 2;
    const int second_bits = key_bits - first_bits;

    std::vector<std::size_t> begin((std::size_t{1} << first_bits) + 1, 0);
    for (std::size_t index = 0; index < level.values.size(); ++index) {
      const Word permuted = table.permute(Width::word(level.values[index]));
      if (is_own(permuted)) ++begin[static_cast<std::size_t>(permuted >> (kWordBits - first_bits)) + 1];
      tick_at(index);
    }
    for (std::size_t digit = 1; digit < begin.size(); ++digit) begin[digit] += begin[digit - 1];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t index = 0; index < level.values.size(); ++index) {
      const Word permuted = table.permute(Width::word(level.values[index]));
      if (!is_own(permuted)) continue;
      const auto digit = static_cast<std::size_t>(permuted >> (kWordBits - first_bits));
      // The check starts after the first digit. Its top bits are the second digit; the rest is compared.
      const auto check = static_cast<Check>(static_cast<Word>(permuted << first_bits) >> (kWordBits - kCheckBits));
      level.records[next[digit]++] = Record::make(check, index);
      tick_at(index);
    }
    const std::span<const Record> records = level.records;
    for (std::size_t digit = 0; digit + 1 < begin.size(); ++digit) {
      search_partition(level, table, records.subspan(begin[digit], begin[digit + 1] - begin[digit]), second_bits,
                       key_bits);
      tick(options_.budget);
    }
    verify_pending(level, table);
  }

  // Groups one partition by the second digit, in cache, into the arrays that the kernel reads; then searches its
  // buckets.
  void search_partition(Level& level, const Table& table, std::span<const Record> records, int second_bits,
                        int key_bits) {
    constexpr int kCheckBits = static_cast<int>(sizeof(Check)) * 8;
    if (records.size() < 2) return;
    const auto digit_of = [&](Check check) {
      return second_bits == 0 ? std::size_t{0} : static_cast<std::size_t>(check >> (kCheckBits - second_bits));
    };
    if (level.checks.size() < records.size() + kBucketPadding) {
      level.checks.resize(records.size() + kBucketPadding);
      level.indices.resize(records.size());
    }
    const std::size_t buckets = std::size_t{1} << second_bits;
    std::vector<std::uint32_t>& end = level.group_begin;  // begins turn into ends while the records are placed
    end.assign(buckets, 0);
    for (const Record& record : records) ++end[digit_of(record.check())];
    std::uint32_t total = 0;
    for (std::uint32_t& slot : end) {
      const std::uint32_t count = slot;
      slot = total;
      total += count;
    }
    for (const Record& record : records) {
      const std::uint32_t place = end[digit_of(record.check())]++;
      level.checks[place] = record.check();
      level.indices[place] = record.index;
    }
    std::uint32_t begin = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      if (end[bucket] - begin > 1) search_bucket(level, table, begin, end[bucket] - begin, key_bits);
      begin = end[bucket];
    }
  }

  // Dense above the cap: compare with the next few only. Large but not dense: split, as long as enough bits are left
  // for blocks. Otherwise compare all pairs, or under a cap as many of the next ones: a bucket that is still large
  // after splitting has fingerprints that agree in most blocks and yet are not close, which takes intent.
  void search_bucket(Level& level, const Table& table, std::uint32_t begin, std::uint32_t size, int key_bits) {
    const int bits_left = level.bits - key_bits;
    const bool is_large = size > kSplitAboveRecords;
    // Each further level multiplies the tables, so it must separate at least half of the fingerprints.
    const bool was_split_in_vain = level.depth > 0 && size > level.values.size() / 2;
    const bool can_split = level.depth < kMaximumDepth && bits_left > 2 * options_.distance_bits &&
                           (options_.bucket_cap == 0 || !was_split_in_vain);
    std::size_t reach = size;
    if (options_.bucket_cap != 0 && size > options_.bucket_cap &&
        is_dense_bucket(size, options_.distance_bits,
                        [&](std::size_t i) { return Width::word(level.values[level.indices[begin + i]]); })) {
      reach = std::min<std::size_t>(options_.bucket_cap, kDenseReach);
    } else if (is_large && can_split) {
      split_bucket(level, table, std::span(level.indices).subspan(begin, size), key_bits);
      return;
    } else if (is_large && options_.bucket_cap != 0) {
      reach = std::min<std::size_t>(options_.bucket_cap, size);
    }
    count_comparisons(size, reach, statistics_);
    for_each_close_pair(
        level.checks.data() + begin, size, reach, options_.distance_bits, level.close, [&](const BucketPair& pair) {
          add_pending(level, table, level.indices[begin + pair.first], level.indices[begin + pair.second]);
        });
  }

  // The members of the bucket agree in the key bits, so they are joined by the remaining bits. reports() is still asked
  // about the whole difference: it decides between the tables of this level, the inner join between its own.
  void split_bucket(Level& level, const Table& table, std::span<const std::uint32_t> indices, int key_bits) {
    std::vector<Value> rest;
    rest.reserve(indices.size());
    for (const std::uint32_t index : indices) {
      rest.push_back(Width::value(static_cast<Word>(table.permute(Width::word(level.values[index])) << key_bits)));
    }
    const auto emit = [&](std::uint32_t first, std::uint32_t second, int distance) {
      const Word difference = Width::word(level.values[indices[first]]) ^ Width::word(level.values[indices[second]]);
      if (level.plan.reports(table, difference)) level.emit(indices[first], indices[second], distance);
    };
    Status joined = join(rest, level.bits - key_bits, level.depth + 1, emit);
    if (level.status) level.status = std::move(joined);
  }

  // Exact distances need the full values, which are anywhere in memory. Prefetch them now and read them in batches, so
  // that the cache misses overlap.
  void add_pending(Level& level, const Table& table, std::uint32_t first, std::uint32_t second) {
    constexpr std::size_t kPendingPairs = 256;
    __builtin_prefetch(&level.values[first]);
    __builtin_prefetch(&level.values[second]);
    level.pending.push_back({first, second});
    if (level.pending.size() >= kPendingPairs) verify_pending(level, table);
  }

  void verify_pending(Level& level, const Table& table) {
    for (const BucketPair& pair : level.pending) {
      tick(options_.budget);
      const Word difference = Width::word(level.values[pair.first]) ^ Width::word(level.values[pair.second]);
      const int distance = count_bits(difference);
      if (distance <= options_.distance_bits && level.plan.reports(table, difference))
        level.emit(pair.first, pair.second, distance);
    }
    level.pending.clear();
  }

  const HammingJoinOptions& options_;
  HammingJoinStatistics& statistics_;
};

// Finds equal values: partitions by hash, then uses a small hash table per partition. Linear even if many are equal,
// since duplicates are listed instead of inserted.
template <class Width>
class EqualFinder {
 public:
  using Value = typename Width::Value;

  struct Duplicate {
    std::uint32_t first = 0;  // smallest index of the value
    std::uint32_t index = 0;
    friend auto operator<=>(const Duplicate&, const Duplicate&) = default;
  };

  // All indices except the first of each value, ascending by (first, index).
  static std::vector<Duplicate> find(std::span<const Value> values) {
    // By hash rather than by value: near-equal fingerprints share leading bits and would overfill partitions.
    const int digit_bits =
        std::clamp(static_cast<int>(std::bit_width(values.size() / kPartitionRecords)), 1, kMaximumDigitBits);
    std::vector<std::size_t> begin((std::size_t{1} << digit_bits) + 1, 0);
    for (const Value& value : values) ++begin[(Width::hash(value) >> (64 - digit_bits)) + 1];
    for (std::size_t digit = 1; digit < begin.size(); ++digit) begin[digit] += begin[digit - 1];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    std::vector<Slot> records(values.size());
    for (std::uint32_t index = 0; index < values.size(); ++index) {
      const std::uint64_t hash = Width::hash(values[index]);
      records[next[hash >> (64 - digit_bits)]++] = {static_cast<std::uint32_t>(hash), index};
    }
    std::vector<Duplicate> duplicates;
    std::vector<Slot> slots;
    for (std::size_t digit = 0; digit + 1 < begin.size(); ++digit) {
      find_in_partition(values, std::span(records).subspan(begin[digit], begin[digit + 1] - begin[digit]), slots,
                        duplicates);
    }
    std::sort(duplicates.begin(), duplicates.end());
    return duplicates;
  }

 private:
  static constexpr std::size_t kPartitionRecords = 4096;  // so that its hash table stays in the L2 cache
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = kFree;
  };

  // Open addressing, at most half full. Records come in index order (the scatter pass is stable), so the first one that
  // is inserted is the smallest index of its value.
  static void find_in_partition(std::span<const Value> values, std::span<const Slot> records, std::vector<Slot>& slots,
                                std::vector<Duplicate>& duplicates) {
    const std::size_t mask = std::bit_ceil(records.size() * 2 + 1) - 1;
    slots.assign(mask + 1, Slot{});
    for (const Slot& record : records) {
      for (std::size_t at = record.hash & mask;; at = (at + 1) & mask) {
        Slot& slot = slots[at];
        if (slot.index == kFree) {
          slot = record;
          break;
        }
        if (slot.hash == record.hash && values[slot.index] == values[record.index]) {
          duplicates.push_back({slot.index, record.index});
          break;
        }
      }
    }
  }
};

template <class Duplicate>
void report_equal_groups(const std::vector<Duplicate>& duplicates, const EqualGroupCallback& on_equal,
                         HammingJoinStatistics& statistics) {
  std::vector<std::uint32_t> group;
  for (std::size_t begin = 0; begin < duplicates.size();) {
    group.assign(1, duplicates[begin].first);
    std::size_t end = begin;
    for (; end < duplicates.size() && duplicates[end].first == duplicates[begin].first; ++end)
      group.push_back(duplicates[end].index);
    ++statistics.equal_groups;
    on_equal(group);
    begin = end;
  }
}

template <class Width>
Result<HammingJoinStatistics> hamming_join(std::span<const typename Width::Value> values,
                                           const HammingJoinOptions& options, const HammingPairCallback& on_pair,
                                           const EqualGroupCallback& on_equal) {
  PARAPRINT_TRY(check_hamming_options(options, Width::kBits));
  if (values.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{} fingerprints in one Hamming join; the limit is 2^32 - 2", values.size()));
  }
  HammingJoinStatistics statistics;
  // With equal values, the join runs on a copy without them and `original` translates positions back to indices.
  std::vector<typename Width::Value> different;
  std::vector<std::uint32_t> original;  // index of each entry of `different`; both empty if all values differ
  if (options.all_different) {
    statistics.distinct_values = values.size();
  } else {
    const auto duplicates = EqualFinder<Width>::find(values);
    report_equal_groups(duplicates, on_equal, statistics);
    statistics.distinct_values = values.size() - duplicates.size();
    if (!duplicates.empty()) {
      std::vector<bool> is_duplicate(values.size(), false);
      for (const auto& duplicate : duplicates) is_duplicate[duplicate.index] = true;
      different.reserve(statistics.distinct_values);
      original.reserve(statistics.distinct_values);
      for (std::uint32_t index = 0; index < values.size(); ++index) {
        if (is_duplicate[index]) continue;
        different.push_back(values[index]);
        original.push_back(index);
      }
    }
  }
  if (options.distance_bits == 0 || statistics.distinct_values < 2) return statistics;
  const auto emit = [&](std::uint32_t first, std::uint32_t second, int distance) {
    ++statistics.pairs;
    if (!original.empty()) {
      first = original[first];
      second = original[second];
    }
    on_pair(std::min(first, second), std::max(first, second), distance);
  };
  Joiner<Width> joiner(options, statistics);
  PARAPRINT_TRY(joiner.join(original.empty() ? values : std::span<const typename Width::Value>(different), Width::kBits,
                            0, emit));
  return statistics;
}

}  // namespace

Result<HammingJoinStatistics> hamming_join_64(std::span<const std::uint64_t> fingerprints,
                                              const HammingJoinOptions& options, const HammingPairCallback& on_pair,
                                              const EqualGroupCallback& on_equal) {
  return hamming_join<Width64>(fingerprints, options, on_pair, on_equal);
}

Result<HammingJoinStatistics> hamming_join_128(std::span<const Fingerprint128> fingerprints,
                                               const HammingJoinOptions& options, const HammingPairCallback& on_pair,
                                               const EqualGroupCallback& on_equal) {
  return hamming_join<Width128>(fingerprints, options, on_pair, on_equal);
}

}  // namespace paraprint::inline index
