#include "store/search_head.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <vector>

#include "base/assert.h"

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

// Where the chains of a hash table begin: the leading bits of a key choose one. Entries, which are elsewhere, are
// numbered from 1; 0 ends a chain.
class ChainHeads {
 public:
  ChainHeads(int key_bits, int chosen_bits)
      : shift_(key_bits - chosen_bits),
        chains_(std::size_t{1} << chosen_bits),
        heads_(zeroed_array<std::atomic<std::uint32_t>>(chains_)) {}

  std::size_t chain_of(std::uint64_t key) const { return static_cast<std::size_t>(key >> shift_); }
  std::uint32_t first(std::size_t chain) const { return heads_[chain].load(std::memory_order_acquire); }
  int chosen_bits() const { return std::countr_zero(chains_); }
  std::size_t chains() const { return chains_; }
  void prefetch(std::size_t chain) const { __builtin_prefetch(&heads_[chain]); }
  // The entry's successor is stored by the caller before it is published here.
  std::uint32_t successor_of_new(std::uint64_t key) const {
    return heads_[chain_of(key)].load(std::memory_order_relaxed);
  }
  void publish(std::uint64_t key, std::uint32_t number) {
    heads_[chain_of(key)].store(number, std::memory_order_release);
  }
  // Heads of random chains touch about a page each until all are touched.
  std::uint64_t used_bytes(std::uint64_t entries) const {
    return std::min<std::uint64_t>(entries * 4096, chains_ * sizeof(std::uint32_t));
  }

 private:
  int shift_;
  std::size_t chains_;
  ZeroedArray<std::atomic<std::uint32_t>> heads_;
};

// About two entries a chain when the head is full.
int chain_bits(int key_bits, std::uint32_t entry_capacity) {
  return std::min(key_bits, static_cast<int>(std::bit_width(entry_capacity)) - 2);
}

}  // namespace

// One entry a fingerprint, in the chains of all its blocks; one an exact key; room for kShortKeysMaximum sketch keys a
// text, so that an entry's number names its text. A chain of the sketch table has one key, so its entries need not name
// that either.
struct SearchHead::State {
  struct BlockLinks {
    std::uint32_t text = 0;
    std::array<std::uint32_t, kBlockTables> next{};
  };
  struct ExactEntry {
    std::uint32_t key = 0;
    std::uint32_t text = 0;
    std::uint32_t next = 0;
  };

  State(std::uint32_t text_capacity, std::uint32_t fingerprints_maximum, std::uint32_t exact_maximum)
      : fingerprint_capacity(fingerprints_maximum),
        exact_capacity(exact_maximum),
        fingerprints(zeroed_array<Fingerprint128>(std::size_t{fingerprints_maximum} + 1)),
        links(zeroed_array<BlockLinks>(std::size_t{fingerprints_maximum} + 1)),
        exact_heads(kTableKeyBits[kExactTable], chain_bits(kTableKeyBits[kExactTable], exact_maximum)),
        exact(zeroed_array<ExactEntry>(std::size_t{exact_maximum} + 1)),
        sketch_heads(kTableKeyBits[kSketchTable], kTableKeyBits[kSketchTable]),
        sketch_next(zeroed_array<std::uint32_t>(std::size_t{text_capacity} * kShortKeysMaximum + 1)),
        texts(zeroed_array<std::uint32_t>(text_capacity)),
        length_classes(zeroed_array<std::uint8_t>(text_capacity)) {
    for (std::size_t table = 0; table < kBlockTables; ++table) {
      block_heads.emplace_back(kBlockBits, chain_bits(kBlockBits, fingerprints_maximum));
    }
  }

  // Calls visit(entry number) for the chain, newest first, until it answers false.
  template <class Visitor>
  void visit_block_chain(std::size_t table, std::size_t chain, Visitor&& visit) const {
    for (std::uint32_t at = block_heads[table].first(chain); at != 0; at = links[at].next[table]) {
      if (!visit(at)) return;
    }
  }
  template <class Visitor>
  void visit_sketch_chain(std::uint32_t key, Visitor&& visit) const {
    for (std::uint32_t at = sketch_heads.first(sketch_heads.chain_of(key)); at != 0; at = sketch_next[at]) {
      if (!visit(texts[(at - 1) / kShortKeysMaximum])) return;
    }
  }

  std::uint64_t pairs_of(std::size_t table) const {
    const auto& count = table == kSketchTable  ? sketch_key_count
                        : table == kExactTable ? exact_count
                                               : fingerprint_count;
    return count.load(std::memory_order_acquire);
  }
  // All pairs of a table, ascending. Nothing may be added meanwhile.
  void collect_pairs(std::size_t table, std::vector<PackedPair>& pairs) const {
    pairs.clear();
    const std::uint64_t count = pairs_of(table);
    if (table == kSketchTable) {
      for (std::uint32_t key = 0; key < sketch_heads.chains(); ++key) {
        visit_sketch_chain(key, [&](std::uint32_t text) {
          pairs.push_back({key, text});
          return true;
        });
      }
    } else if (table == kExactTable) {
      for (std::uint64_t at = 1; at <= count; ++at) pairs.push_back({exact[at].key, exact[at].text});
    } else {
      for (std::uint64_t at = 1; at <= count; ++at) {
        pairs.push_back({table_key_of_block(table, blocks_of(fingerprints[at])[table]), links[at].text});
      }
    }
    std::sort(pairs.begin(), pairs.end());
  }

  std::uint32_t fingerprint_capacity;
  std::uint32_t exact_capacity;
  // Written by the thread that adds.
  std::atomic<std::uint32_t> fingerprint_count{0};
  std::atomic<std::uint32_t> exact_count{0};
  std::atomic<std::uint32_t> sketch_key_count{0};
  std::atomic<std::uint32_t> text_count{0};

  std::vector<ChainHeads> block_heads;
  ZeroedArray<Fingerprint128> fingerprints;
  ZeroedArray<BlockLinks> links;
  ChainHeads exact_heads;
  ZeroedArray<ExactEntry> exact;
  ChainHeads sketch_heads;
  ZeroedArray<std::uint32_t> sketch_next;
  ZeroedArray<std::uint32_t> texts;  // as they were added, ascending
  ZeroedArray<std::uint8_t> length_classes;
};

SearchHead::SearchHead(std::uint64_t first_text, std::uint32_t text_capacity)
    : first_text_(first_text), text_capacity_(text_capacity), end_text_(first_text) {
  state_ = std::make_unique<State>(text_capacity, std::max(kEntriesMinimum, text_capacity * kFingerprintsPerText),
                                   std::max(kEntriesMinimum * 4, text_capacity * kExactKeysPerText));
}

SearchHead::~SearchHead() = default;

bool SearchHead::has_room(const TextKeys& keys) const {
  const State& state = *state_;
  const std::uint64_t next = end_text_.load(std::memory_order_relaxed);
  return next - first_text_ < text_capacity_ &&
         keys.fingerprints.size() <= state.fingerprint_capacity - state.fingerprint_count.load() &&
         keys.exact.size() <= state.exact_capacity - state.exact_count.load();
}

void SearchHead::add(std::uint64_t text, const TextKeys& keys) {
  PARAPRINT_ASSERT(text >= end_text_.load(std::memory_order_relaxed) && keys.sketch.size() <= kShortKeysMaximum);
  State& state = *state_;
  const auto value = static_cast<std::uint32_t>(text - first_text_);
  const std::uint32_t slot = state.text_count.load(std::memory_order_relaxed);
  PARAPRINT_ASSERT(slot < text_capacity_);
  state.texts[slot] = value;
  state.length_classes[slot] = length_class_of(keys.content_characters);
  state.text_count.store(slot + 1, std::memory_order_release);
  for (const std::uint64_t exact_key : keys.exact) {
    const auto key = static_cast<std::uint32_t>(table_key_of(exact_key));
    const std::uint32_t number = state.exact_count.load(std::memory_order_relaxed) + 1;
    PARAPRINT_ASSERT(number <= state.exact_capacity);
    state.exact[number] = {key, value, state.exact_heads.successor_of_new(key)};
    state.exact_heads.publish(key, number);
    state.exact_count.store(number, std::memory_order_release);
  }
  state.sketch_key_count.fetch_add(static_cast<std::uint32_t>(keys.sketch.size()), std::memory_order_relaxed);
  std::uint32_t sketch_entry = slot * std::uint32_t{kShortKeysMaximum};
  for (const std::uint32_t short_key : keys.sketch) {
    const std::uint32_t key = table_key_of_sketch(short_key);
    state.sketch_next[++sketch_entry] = state.sketch_heads.successor_of_new(key);
    state.sketch_heads.publish(key, sketch_entry);
  }
  for (const Fingerprint128& fingerprint : keys.fingerprints) {
    const std::uint32_t number = state.fingerprint_count.load(std::memory_order_relaxed) + 1;
    PARAPRINT_ASSERT(number <= state.fingerprint_capacity);
    const auto blocks = blocks_of(fingerprint);
    state.fingerprints[number] = fingerprint;
    State::BlockLinks& links = state.links[number];
    links.text = value;
    for (std::size_t table = 0; table < kBlockTables; ++table) {
      links.next[table] = state.block_heads[table].successor_of_new(blocks[table]);
    }
    for (std::size_t table = 0; table < kBlockTables; ++table) state.block_heads[table].publish(blocks[table], number);
    state.fingerprint_count.store(number, std::memory_order_release);
  }
  end_text_.store(text + 1, std::memory_order_release);
}

void SearchHead::find_exact(std::uint64_t key, HitCollector& collector) const {
  const State& state = *state_;
  const std::uint64_t wanted = table_key_of(key);
  collector.begin_key();
  std::uint32_t at = state.exact_heads.first(state.exact_heads.chain_of(wanted));
  for (; at != 0; at = state.exact[at].next) {
    if (state.exact[at].key == wanted && !collector.add(first_text_ + state.exact[at].text)) return;
  }
}

void SearchHead::find_near(const Fingerprint128& fingerprint, HitCollector& collector) const {
  const State& state = *state_;
  const auto blocks = blocks_of(fingerprint);
  for (std::size_t table = 0; table < kBlockTables; ++table) {
    const ChainHeads& heads = state.block_heads[table];
    const std::uint32_t block = blocks[table];
    const std::size_t home = heads.chain_of(block);
    const int flips = table < kFlippedTables ? heads.chosen_bits() : 0;
    for (int bit = 0; bit < flips; ++bit) heads.prefetch(home ^ (std::size_t{1} << bit));
    const auto visit = [&](std::uint32_t number) {
      const Fingerprint128& found = state.fingerprints[number];
      const std::uint32_t different = blocks_of(found)[table] ^ block;
      const bool agrees = table < kFlippedTables ? (different & (different - 1)) == 0 : different == 0;
      if (!agrees || distance_bits(found, fingerprint) > kSearchDistanceBits) return true;
      return collector.add(first_text_ + state.links[number].text);
    };
    collector.begin_key();
    state.visit_block_chain(table, home, visit);
    for (int bit = 0; bit < flips; ++bit) {
      collector.begin_key();
      state.visit_block_chain(table, home ^ (std::size_t{1} << bit), visit);
    }
  }
}

void SearchHead::find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const {
  const State& state = *state_;
  for (const std::uint32_t key : keys) state.sketch_heads.prefetch(table_key_of_sketch(key));
  collector.begin_sketch();
  for (const std::uint32_t key : keys) {
    collector.begin_sketch_key(texts().size());
    state.visit_sketch_chain(table_key_of_sketch(key),
                             [&](std::uint32_t text) { return collector.add_sketch(first_text_ + text); });
  }
  collector.end_sketch(keys.size());
}

std::uint32_t SearchHead::least_characters(std::uint64_t text) const {
  const State& state = *state_;
  const std::uint32_t* begin = state.texts.get();
  const std::uint32_t* end = begin + state.text_count.load(std::memory_order_acquire);
  const std::uint32_t* at = std::lower_bound(begin, end, static_cast<std::uint32_t>(text - first_text_));
  return at == end || *at != text - first_text_ ? 0 : least_characters_of(state.length_classes[at - begin]);
}

std::uint64_t SearchHead::used_bytes() const {
  const State& state = *state_;
  const std::uint64_t texts = state.text_count.load(std::memory_order_acquire);
  const std::uint64_t fingerprints = state.fingerprint_count.load(std::memory_order_acquire);
  const std::uint64_t exact = state.exact_count.load(std::memory_order_acquire);
  std::uint64_t bytes = state.exact_heads.used_bytes(exact) + state.sketch_heads.used_bytes(texts * kShortKeysMaximum);
  for (const ChainHeads& heads : state.block_heads) bytes += heads.used_bytes(fingerprints);
  return bytes + exact * sizeof(State::ExactEntry) +
         fingerprints * (sizeof(Fingerprint128) + sizeof(State::BlockLinks)) +
         texts * ((kShortKeysMaximum + 1) * sizeof(std::uint32_t) + 1);
}

Status SearchHead::write_segment(const std::string& path, std::uint64_t end_text) const {
  PARAPRINT_ASSERT(end_text >= texts().end);
  const State& state = *state_;
  std::vector<PackedPair> pairs;
  std::size_t filled = kSearchTables;  // the table in `pairs`
  std::array<TableSource, kSearchTables> sources;
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    sources[table].count = state.pairs_of(table);
    sources[table].next = [&, table, at = std::size_t{0}](PackedPair& pair) mutable {
      if (filled != table) state.collect_pairs(table, pairs);
      filled = table;
      if (at == pairs.size()) return false;
      pair = pairs[at++];
      return true;
    };
  }
  std::string length_classes(end_text - first_text_, '\0');
  const std::uint32_t text_count = state.text_count.load(std::memory_order_acquire);
  for (std::uint32_t slot = 0; slot < text_count; ++slot) {
    length_classes[state.texts[slot]] = static_cast<char>(state.length_classes[slot]);
  }
  return write_search_segment(path, {first_text_, end_text}, length_classes, sources);
}

}  // namespace paraprint
