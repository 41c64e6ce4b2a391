#include "index/hamming_join_external.h"

#include <algorithm>
#include <compare>
#include <span>
#include <utility>

#include "index/hamming_blocks.h"
#include "index/hamming_kernel.h"

namespace paraprint {
namespace {

using namespace hamming_internal;

constexpr std::size_t kBufferFingerprints = 4096;  // 64 KiB a read or write

struct TableRecord {
  std::uint64_t high = 0;  // of the permuted fingerprint
  std::uint64_t low = 0;
  std::uint32_t index = 0;
  friend auto operator<=>(const TableRecord&, const TableRecord&) = default;
};

struct TableTraits {
  static std::uint64_t key(const TableRecord& record) { return record.high; }
  static bool combine(TableRecord&, const TableRecord&) { return false; }
};

using Plan = BlockPlan<Word128>;

// The fingerprints of one table that agree in the key.
struct Bucket {
  std::vector<Word128> permuted;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint64_t> checks;
  std::vector<BucketPair> close;

  void clear() {
    permuted.clear();
    indices.clear();
    checks.clear();
  }
};

void search_bucket(Bucket& bucket, const Plan& plan, const Plan::Table& table, const HammingJoinOptions& options,
                   const HammingPairCallback& on_pair, HammingJoinStatistics& statistics) {
  const std::size_t size = bucket.indices.size();
  if (size < 2) return;
  std::size_t reach = size;
  if (options.bucket_cap != 0 && size > options.bucket_cap &&
      is_dense_bucket(size, options.distance_bits, [&](std::size_t i) { return bucket.permuted[i]; })) {
    reach = std::min<std::size_t>(options.bucket_cap, kDenseReach);
  }
  count_comparisons(size, reach, statistics);
  bucket.checks.resize(size + kBucketPadding);
  const auto visit = [&](const BucketPair& pair) {
    const Word128 difference = bucket.permuted[pair.first] ^ bucket.permuted[pair.second];
    const int distance = count_bits(difference);
    if (distance == 0 || distance > options.distance_bits) return;
    if (!plan.reports(table, table.restore(difference))) return;
    ++statistics.pairs;
    const auto [low, high] = std::minmax(bucket.indices[pair.first], bucket.indices[pair.second]);
    on_pair(low, high, distance);
  };
  for_each_close_pair(bucket.checks.data(), size, reach, options.distance_bits, bucket.close, visit);
}

Status search_table(const FingerprintFile& fingerprints, const Plan& plan, const Plan::Table& table,
                    const HammingJoinOptions& options, const ExternalSortOptions& sort,
                    const HammingPairCallback& on_pair, HammingJoinStatistics& statistics) {
  ExternalSorter<TableRecord, TableTraits> sorter(sort);
  Status pushed = fingerprints.for_each([&](std::uint32_t index, const Fingerprint128& fingerprint) {
    const Word128 permuted = table.permute(Word128{fingerprint.high} << 64 | fingerprint.low);
    return sorter.push({static_cast<std::uint64_t>(permuted >> 64), static_cast<std::uint64_t>(permuted), index});
  });
  if (!pushed) return pushed;
  if (Status finished = sorter.finish(); !finished) return finished;

  const int key_bits = std::min({table.key_bits, wanted_key_bits(fingerprints.size()), 63});
  Bucket bucket;
  std::uint64_t bucket_key = 0;
  TableRecord record;
  while (sorter.next(record)) {
    const std::uint64_t key = record.high >> (64 - key_bits);
    if (key != bucket_key) {
      search_bucket(bucket, plan, table, options, on_pair, statistics);
      bucket.clear();
      bucket_key = key;
    }
    const Word128 permuted = Word128{record.high} << 64 | record.low;
    bucket.permuted.push_back(permuted);
    bucket.indices.push_back(record.index);
    bucket.checks.push_back(static_cast<std::uint64_t>(permuted << key_bits >> 64));
  }
  search_bucket(bucket, plan, table, options, on_pair, statistics);
  return sorter.status();
}

}  // namespace

Result<FingerprintFile> FingerprintFile::create(const std::string& directory) {
  auto file = TemporaryFile::create(directory);
  if (!file) return tl::unexpected<Error>(file.error());
  FingerprintFile result;
  result.file_ = std::move(*file);
  result.buffer_.reserve(kBufferFingerprints);
  return result;
}

Status FingerprintFile::push(const Fingerprint128& fingerprint) {
  if (buffer_.size() == kBufferFingerprints) {
    if (Status flushed = flush(); !flushed) return flushed;
  }
  buffer_.push_back(fingerprint);
  ++size_;
  return {};
}

Status FingerprintFile::finish() {
  return flush();
}

Status FingerprintFile::flush() {
  Status written = file_.append(std::as_bytes(std::span<const Fingerprint128>(buffer_)));
  buffer_.clear();
  return written;
}

Status FingerprintFile::for_each(const std::function<Status(std::uint32_t, const Fingerprint128&)>& visit) const {
  std::vector<Fingerprint128> window;
  for (std::uint32_t index = 0; index < size_;) {
    window.resize(std::min<std::size_t>(kBufferFingerprints, size_ - index));
    const std::uint64_t offset_bytes = std::uint64_t{index} * sizeof(Fingerprint128);
    if (Status read = file_.read(offset_bytes, std::as_writable_bytes(std::span(window))); !read) return read;
    for (const Fingerprint128& fingerprint : window) {
      if (Status visited = visit(index++, fingerprint); !visited) return visited;
    }
  }
  return {};
}

Result<HammingJoinStatistics> hamming_join_128_external(const FingerprintFile& fingerprints,
                                                        const HammingJoinOptions& options,
                                                        const ExternalSortOptions& sort,
                                                        const HammingPairCallback& on_pair) {
  constexpr int kBits = 128;
  if (Status valid = check_hamming_options(options, kBits); !valid) return tl::unexpected<Error>(valid.error());
  HammingJoinStatistics statistics;
  statistics.distinct_values = fingerprints.size();
  if (options.distance_bits == 0 || fingerprints.size() < 2) return statistics;
  statistics.block_count = options.block_count != 0
                               ? options.block_count
                               : choose_block_count(kBits, options.distance_bits, fingerprints.size());
  const Plan plan(kBits, options.distance_bits, statistics.block_count);
  statistics.table_count = static_cast<int>(plan.tables.size());
  for (const Plan::Table& table : plan.tables) {
    Status searched = search_table(fingerprints, plan, table, options, sort, on_pair, statistics);
    if (!searched) return tl::unexpected<Error>(searched.error());
  }
  return statistics;
}

}  // namespace paraprint
