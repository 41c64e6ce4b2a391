#include "store/search_head.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "base/assert.h"
#include "base/radix_sort.h"

namespace paraprint {
namespace {

// Room a text may take on average before the head counts as full: paragraphs and keys of a long page.
constexpr std::uint32_t kFingerprintsPerText = 16;
constexpr std::uint32_t kExactKeysPerText = 32;
// A page at its limits (65,534 paragraphs) must fit an empty head.
constexpr std::uint32_t kEntriesMinimum = 1 << 18;

int distance_bits(const Fingerprint128& a, const Fingerprint128& b) {
  return std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
}

// Zeroed memory that the system gives page by page as it is touched.
template <class Value>
struct FreeDeleter {
  void operator()(Value* memory) const { std::free(memory); }
};
template <class Value>
using ZeroedArray = std::unique_ptr<Value[], FreeDeleter<Value>>;
template <class Value>
ZeroedArray<Value> zeroed_array(std::size_t count) {
  auto* memory = static_cast<Value*>(std::calloc(count, sizeof(Value)));
  PARAPRINT_ASSERT(memory != nullptr);
  return ZeroedArray<Value>(memory);
}

}  // namespace

// A hash table with chaining: the leading bits of a key choose its chain. Entries are numbered from 1; 0 ends a chain.
struct SearchHead::Chains {
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t value = 0;
    std::uint32_t next = 0;
  };

  Chains(int key_width, std::uint32_t entry_capacity)
      : key_bits(key_width),
        head_bits(std::min(key_width, static_cast<int>(std::bit_width(entry_capacity)) - 1)),
        capacity(entry_capacity),
        heads(zeroed_array<std::atomic<std::uint32_t>>(std::size_t{1} << head_bits)),
        entries(zeroed_array<Entry>(std::size_t{entry_capacity} + 1)) {}

  std::size_t chain_of(std::uint64_t key) const { return static_cast<std::size_t>(key >> (key_bits - head_bits)); }

  void add(std::uint64_t key, std::uint32_t value) {
    const std::uint32_t number = count.load(std::memory_order_relaxed) + 1;
    PARAPRINT_ASSERT(number <= capacity);
    std::atomic<std::uint32_t>& head = heads[chain_of(key)];
    entries[number] = {key, value, head.load(std::memory_order_relaxed)};
    head.store(number, std::memory_order_release);
    count.store(number, std::memory_order_release);
  }

  // Calls visit(entry, its number) for the chain, newest first, until it answers false.
  template <class Visitor>
  void visit_chain(std::size_t chain, Visitor&& visit) const {
    for (std::uint32_t at = heads[chain].load(std::memory_order_acquire); at != 0; at = entries[at].next) {
      if (!visit(entries[at], at)) return;
    }
  }

  int key_bits;
  int head_bits;
  std::uint32_t capacity;
  std::atomic<std::uint32_t> count{0};
  ZeroedArray<std::atomic<std::uint32_t>> heads;
  ZeroedArray<Entry> entries;
};

SearchHead::SearchHead(std::uint64_t first_text, std::uint32_t text_capacity)
    : first_text_(first_text), text_capacity_(text_capacity), end_text_(first_text) {
  const std::uint32_t fingerprints = std::max(kEntriesMinimum, text_capacity * kFingerprintsPerText);
  const std::uint32_t exact = std::max(kEntriesMinimum * 4, text_capacity * kExactKeysPerText);
  for (std::size_t table = 0; table < kBlockTables; ++table) {
    tables_[table] = std::make_unique<Chains>(table_key_bits(table), fingerprints);
  }
  tables_[kExactTable] = std::make_unique<Chains>(table_key_bits(kExactTable), exact);
  tables_[kSketchTable] =
      std::make_unique<Chains>(table_key_bits(kSketchTable), text_capacity * std::uint32_t{kShortKeysMaximum});
  fingerprints_ = std::make_unique_for_overwrite<Fingerprint128[]>(std::size_t{fingerprints} + 1);
}

SearchHead::~SearchHead() = default;

bool SearchHead::has_room(const TextKeys& keys) const {
  const std::uint64_t next = end_text_.load(std::memory_order_relaxed);
  const auto left = [&](std::size_t table) {
    return tables_[table]->capacity - tables_[table]->count.load(std::memory_order_relaxed);
  };
  return next - first_text_ < text_capacity_ && keys.fingerprints.size() <= left(0) &&
         keys.exact.size() <= left(kExactTable);
}

void SearchHead::add(std::uint64_t text, const TextKeys& keys) {
  PARAPRINT_ASSERT(text >= end_text_.load(std::memory_order_relaxed));
  const auto value = static_cast<std::uint32_t>(text - first_text_);
  for (const std::uint64_t key : keys.exact) tables_[kExactTable]->add(table_key_of(key), value);
  PARAPRINT_ASSERT(keys.sketch.size() <= kShortKeysMaximum);
  for (const std::uint32_t key : keys.sketch) tables_[kSketchTable]->add(key, value);
  for (const Fingerprint128& fingerprint : keys.fingerprints) {
    fingerprints_[tables_[0]->count.load(std::memory_order_relaxed) + 1] = fingerprint;
    const auto blocks = blocks_of(fingerprint);
    for (std::size_t table = 0; table < kBlockTables; ++table) tables_[table]->add(blocks[table], value);
  }
  end_text_.store(text + 1, std::memory_order_release);
}

void SearchHead::find_exact(std::uint64_t key, HitCollector& collector) const {
  const Chains& chains = *tables_[kExactTable];
  const std::uint64_t wanted = table_key_of(key);
  collector.begin_key();
  chains.visit_chain(chains.chain_of(wanted), [&](const Chains::Entry& entry, std::uint32_t) {
    return entry.key != wanted || collector.add(first_text_ + entry.value);
  });
}

void SearchHead::find_near(const Fingerprint128& fingerprint, HitCollector& collector) const {
  const auto blocks = blocks_of(fingerprint);
  for (std::size_t table = 0; table < kBlockTables; ++table) {
    const Chains& chains = *tables_[table];
    const int radius = table < kFlippedTables ? 1 : 0;
    const std::uint64_t block = blocks[table];
    const std::size_t home = chains.chain_of(block);
    const int flips = radius == 0 ? 0 : chains.head_bits;
    for (int bit = 0; bit < flips; ++bit) __builtin_prefetch(&chains.heads[home ^ (std::size_t{1} << bit)]);
    const auto visit = [&](const Chains::Entry& entry, std::uint32_t number) {
      if (std::popcount(entry.key ^ block) > radius) return true;
      if (distance_bits(fingerprints_[number], fingerprint) > kSearchDistanceBits) return true;
      return collector.add(first_text_ + entry.value);
    };
    collector.begin_key();
    chains.visit_chain(home, visit);
    for (int bit = 0; bit < flips; ++bit) {
      collector.begin_key();
      chains.visit_chain(home ^ (std::size_t{1} << bit), visit);
    }
  }
}

void SearchHead::find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const {
  const Chains& chains = *tables_[kSketchTable];
  for (const std::uint32_t key : keys) __builtin_prefetch(&chains.heads[chains.chain_of(key)]);
  collector.begin_sketch();
  for (const std::uint32_t key : keys) {
    collector.begin_sketch_key(texts().size());
    chains.visit_chain(chains.chain_of(key), [&](const Chains::Entry& entry, std::uint32_t) {
      return entry.key != key || collector.add_sketch(first_text_ + entry.value);
    });
  }
  collector.end_sketch(keys.size());
}

std::uint64_t SearchHead::used_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& table : tables_) {
    const std::uint64_t count = table->count.load(std::memory_order_acquire);
    bytes += count * sizeof(Chains::Entry);
    // Heads of random chains touch about a page each until all are touched.
    bytes += std::min<std::uint64_t>(count * 4096, (std::uint64_t{1} << table->head_bits) * sizeof(std::uint32_t));
  }
  return bytes + tables_[0]->count.load(std::memory_order_acquire) * sizeof(Fingerprint128);
}

Status SearchHead::write_segment(const std::string& path, std::uint64_t end_text) const {
  PARAPRINT_ASSERT(end_text >= texts().end);
  std::vector<PackedPair> pairs;
  std::size_t filled = kSearchTables;  // the table in `pairs`
  std::array<TableSource, kSearchTables> sources;
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    const Chains& chains = *tables_[table];
    sources[table].count = chains.count.load(std::memory_order_acquire);
    sources[table].next = [&, table, at = std::size_t{0}](PackedPair& pair) mutable {
      if (filled != table) {
        pairs.clear();
        for (std::uint64_t number = 1; number <= sources[table].count; ++number) {
          pairs.push_back({chains.entries[number].key, chains.entries[number].value});
        }
        std::sort(pairs.begin(), pairs.end());
        filled = table;
      }
      if (at == pairs.size()) return false;
      pair = pairs[at++];
      return true;
    };
  }
  return write_search_segment(path, {first_text_, end_text}, sources);
}

}  // namespace paraprint
