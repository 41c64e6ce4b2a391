// Publication order is what makes lock-free reading correct: an entry's content is stored first, its number is
// published with release afterwards, and readers load numbers with acquire. A reader therefore sees either all of an
// entry or none of it. A text may be visible in one table before another; callers read the text itself before they use
// a hit.
//
// The arrays are allocated zeroed for the full capacity, and 0 is never a valid number, so an unset link ends a chain.
#include "store/search_head.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/assert.h"
#include "base/hamming_scan.h"
#include "base/prefetch.h"
#include "base/scheduled.h"
#include "memory/seeded_hash.h"
#include "store/block_lines.h"
#include "store/zeroed_array.h"

namespace paraprint::inline store {
namespace {

// Average room per text before the head counts as full: the paragraphs and keys of a long page.
constexpr std::uint32_t kFingerprintsPerText = 16;
constexpr std::uint32_t kExactKeysPerText = 32;
// A page with the maximum of 65,534 paragraphs must fit into an empty head. Its sentences are not limited by the format
// of profiles, hence fits_when_empty().
constexpr std::uint32_t kFingerprintsMinimum = 1 << 18;
constexpr std::uint32_t kExactKeysMinimum = 1 << 20;

// The heads of 2^n chains. Entries are stored elsewhere and numbered from 1; 0 ends a chain.
class ChainHeads {
 public:
  explicit ChainHeads(int chain_bits)
      : chains_(std::size_t{1} << chain_bits), heads_(zeroed_array<std::atomic<std::uint32_t>>(chains_)) {}

  std::uint32_t first(std::size_t chain) const { return heads_[chain].load(std::memory_order_acquire); }
  std::size_t chains() const { return chains_; }
  void prefetch_chain(std::size_t chain) const { prefetch(&heads_[chain]); }
  // The first entry of the chain. The caller stores it as the new entry's successor before calling publish().
  std::uint32_t successor_of_new(std::size_t chain) const { return heads_[chain].load(std::memory_order_relaxed); }
  void publish(std::size_t chain, std::uint32_t number) { heads_[chain].store(number, std::memory_order_release); }
  // Estimated resident memory: each random chain touches about one memory page, until all pages are touched.
  std::uint64_t used_bytes(std::uint64_t entries) const {
    return std::min<std::uint64_t>(entries * 4096, chains_ * sizeof(std::uint32_t));
  }

 private:
  std::size_t chains_;
  ZeroedArray<std::atomic<std::uint32_t>> heads_;
};

// Chooses a chain for each exact key of a table, with about two entries per chain when the head is full. Seeded,
// because texts whose keys agree in the bits that choose a chain would be made in 2^19 attempts each, and a page of a
// thousand such keys would follow the chain of all of them a thousand times. Hits do not depend on the seed.
class ChainChoice {
 public:
  explicit ChainChoice(std::uint32_t entry_capacity)
      : chain_bits_(std::min(kTableKeyBits[kExactTable], static_cast<int>(std::bit_width(entry_capacity)) - 2)) {}
  int chain_bits() const { return chain_bits_; }
  std::size_t chain_of(std::uint64_t table_key) const {
    return static_cast<std::size_t>(seeded_mix64(table_key, seed_) >> (64 - chain_bits_));
  }

 private:
  int chain_bits_;
  HashSeed seed_ = process_hash_seed();
};

}  // namespace

// Each fingerprint has one entry, referenced from the lines of all its blocks; each exact key has one entry. Each text
// has room for kShortKeysMaximum sketch entries, so an entry's number determines its text. Sketch keys are so short
// that each has its own chain, so entries need not store the key either.
struct SearchHead::State {
  struct ExactEntry {
    std::uint32_t key = 0;
    std::uint32_t text = 0;
    std::uint32_t next = 0;
  };

  State(std::uint32_t text_capacity, std::uint32_t fingerprints_maximum, std::uint32_t exact_maximum,
        bool has_text_summaries)
      : fingerprint_capacity(fingerprints_maximum),
        exact_capacity(exact_maximum),
        fingerprints(zeroed_array<Fingerprint128>(std::size_t{fingerprints_maximum} + 1)),
        fingerprint_texts(zeroed_array<std::uint32_t>(std::size_t{fingerprints_maximum} + 1)),
        exact_chains(exact_maximum),
        exact_heads(exact_chains.chain_bits()),
        exact(zeroed_array<ExactEntry>(std::size_t{exact_maximum} + 1)),
        sketch_heads(kTableKeyBits[kSketchTable]),
        sketch_next(zeroed_array<std::uint32_t>(std::size_t{text_capacity} * kShortKeysMaximum + 1)),
        texts(zeroed_array<std::uint32_t>(text_capacity)),
        length_classes(zeroed_array<std::uint8_t>(text_capacity)),
        has_summaries(has_text_summaries),
        summaries(zeroed_array<Fingerprint128>(has_text_summaries ? text_capacity : 1)) {
    for (auto& table : block_lines) table = std::make_unique<BlockLines>(fingerprints_maximum);
  }

  // Visits the texts of a sketch key, newest first, until `visit` returns false.
  template <class Visitor>
  void visit_sketch_chain(std::uint32_t key, Visitor&& visit) const {
    for (std::uint32_t at = sketch_heads.first(key); at != 0; at = sketch_next[at]) {
      if (!visit(texts[(at - 1) / kShortKeysMaximum])) return;
    }
  }

  void prefetch_blocks(const Fingerprint128& fingerprint) const;

  std::uint64_t pairs_of(std::size_t table) const {
    const auto& count = table == kSketchTable  ? sketch_key_count
                        : table == kExactTable ? exact_count
                                               : fingerprint_count;
    return count.load(std::memory_order_acquire);
  }
  // Collects all pairs of a table in ascending order. No text may be added meanwhile.
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
        pairs.push_back({table_key_of_block(table, blocks_of(fingerprints[at])[table]), fingerprint_texts[at]});
      }
    }
    std::sort(pairs.begin(), pairs.end());
  }

  std::uint32_t fingerprint_capacity;
  std::uint32_t exact_capacity;
  // Written only by the adding thread.
  std::atomic<std::uint32_t> fingerprint_count{0};
  std::atomic<std::uint32_t> exact_count{0};
  std::atomic<std::uint32_t> sketch_key_count{0};
  std::atomic<std::uint32_t> text_count{0};

  std::array<std::unique_ptr<BlockLines>, kBlockTables> block_lines;
  ZeroedArray<Fingerprint128> fingerprints;
  ZeroedArray<std::uint32_t> fingerprint_texts;
  ChainChoice exact_chains;
  ChainHeads exact_heads;
  ZeroedArray<ExactEntry> exact;
  ChainHeads sketch_heads;
  ZeroedArray<std::uint32_t> sketch_next;
  ZeroedArray<std::uint32_t> texts;  // in the order of addition, which is ascending
  ZeroedArray<std::uint8_t> length_classes;
  bool has_summaries;
  ZeroedArray<Fingerprint128> summaries;
};

SearchHead::SearchHead(std::uint64_t first_text, std::uint32_t text_capacity, bool has_summaries)
    : first_text_(first_text), text_capacity_(text_capacity), end_text_(first_text) {
  state_ = std::make_unique<State>(text_capacity, std::max(kFingerprintsMinimum, text_capacity * kFingerprintsPerText),
                                   std::max(kExactKeysMinimum, text_capacity * kExactKeysPerText), has_summaries);
}

SearchHead::~SearchHead() = default;

bool SearchHead::fits_when_empty(const TextKeys& keys) {
  return keys.fingerprints.size() <= kFingerprintsMinimum && keys.exact.size() <= kExactKeysMinimum;
}

bool SearchHead::has_room(const TextKeys& keys) const {
  const State& state = *state_;
  const std::uint64_t next = end_text_.load(std::memory_order_relaxed);
  return next - first_text_ < text_capacity_ &&
         keys.fingerprints.size() <= state.fingerprint_capacity - state.fingerprint_count.load() &&
         keys.exact.size() <= state.exact_capacity - state.exact_count.load();
}

// The text's length class and summary are stored before its keys: a reader that finds a key may ask for them at once.
// end_text_ is published last.
void SearchHead::add(std::uint64_t text, const TextKeys& keys) {
  PARAPRINT_ASSERT(text >= end_text_.load(std::memory_order_relaxed) && keys.sketch.size() <= kShortKeysMaximum);
  PARAPRINT_ASSERT(text - first_text_ < kSegmentEntriesMaximum);
  State& state = *state_;
  const auto value = static_cast<std::uint32_t>(text - first_text_);
  const std::uint32_t slot = state.text_count.load(std::memory_order_relaxed);
  PARAPRINT_ASSERT(slot < text_capacity_);
  state.texts[slot] = value;
  state.length_classes[slot] = length_class_of(keys.content_characters);
  if (state.has_summaries) state.summaries[slot] = keys.summary;
  state.text_count.store(slot + 1, std::memory_order_release);
  for (const std::uint64_t exact_key : keys.exact) {
    const auto key = static_cast<std::uint32_t>(table_key_of(exact_key));
    const std::uint32_t number = state.exact_count.load(std::memory_order_relaxed) + 1;
    PARAPRINT_ASSERT(number <= state.exact_capacity);
    const std::size_t chain = state.exact_chains.chain_of(key);
    state.exact[number] = {key, value, state.exact_heads.successor_of_new(chain)};
    state.exact_heads.publish(chain, number);
    state.exact_count.store(number, std::memory_order_release);
  }
  schedule_point();  // searches see the exact keys of the text, but not its others
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
    state.fingerprint_texts[number] = value;
    for (std::size_t table = 0; table < kBlockTables; ++table) state.block_lines[table]->add(blocks[table], number);
    state.fingerprint_count.store(number, std::memory_order_release);
  }
  end_text_.store(text + 1, std::memory_order_release);
}

// Prefetches in two rounds, chain heads and then first entries, so that the cache misses of all queries overlap.
void SearchHead::find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const {
  const State& state = *state_;
  const auto first_of = [&](const ExactQuery& query) {
    return state.exact_heads.first(state.exact_chains.chain_of(table_key_of(query.key)));
  };
  for (const ExactQuery& query : queries)
    state.exact_heads.prefetch_chain(state.exact_chains.chain_of(table_key_of(query.key)));
  for (const ExactQuery& query : queries) prefetch(&state.exact[first_of(query)]);
  for (const ExactQuery& query : queries) {
    const std::uint64_t wanted = table_key_of(query.key);
    collector.weight = query.weight;
    if (query.prefers_youngest) {
      collector.begin_text_key();
    } else {
      collector.begin_short_key(texts().size(), query.key_bits);
    }
    for (std::uint32_t at = first_of(query); at != 0; at = state.exact[at].next) {
      if (state.exact[at].key == wanted && !collector.add(first_text_ + state.exact[at].text)) break;
    }
  }
}

void SearchHead::State::prefetch_blocks(const Fingerprint128& fingerprint) const {
  const auto blocks = blocks_of(fingerprint);
  for (std::size_t table = 0; table < kFlippedTables; ++table) {
    block_lines[table]->prefetch_lines_within_one_bit(blocks[table]);
  }
  for (std::size_t table = kFlippedTables; table < kBlockTables; ++table)
    block_lines[table]->prefetch_line(blocks[table]);
}

// While one query is searched, the lines of the next one are prefetched. BlockLines compares only some bits of a block,
// so the fingerprint itself is compared: first the rest of the block, then the distance.
void SearchHead::find_near(std::span<const NearQuery> queries, HitCollector& collector) const {
  const State& state = *state_;
  if (!queries.empty()) state.prefetch_blocks(queries.front().fingerprint);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (i + 1 < queries.size()) state.prefetch_blocks(queries[i + 1].fingerprint);
    const Fingerprint128& wanted = queries[i].fingerprint;
    const auto blocks = blocks_of(wanted);
    collector.weight = queries[i].weight;
    const auto begin = [&] { collector.begin_key(); };
    const auto may_read_on = [&](std::uint32_t lines) { return collector.may_read_on(lines); };
    for (std::size_t table = 0; table < kBlockTables; ++table) {
      const bool is_flipped = table < kFlippedTables;
      const auto visit = [&](std::uint32_t number) {
        const Fingerprint128& found = state.fingerprints[number];
        const std::uint32_t different = blocks_of(found)[table] ^ blocks[table];
        const bool agrees = is_flipped ? (different & (different - 1)) == 0 : different == 0;
        if (!agrees || !is_within_distance(found, wanted, kSearchDistanceBits)) return true;
        return collector.add(first_text_ + state.fingerprint_texts[number]);
      };
      if (is_flipped) {
        state.block_lines[table]->find_within_one_bit(blocks[table], begin, visit, may_read_on);
      } else {
        begin();
        state.block_lines[table]->find(blocks[table], visit, may_read_on);
      }
    }
  }
}

// Keys are capped in relation to the number of texts, because short keys collide by chance.
void SearchHead::find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const {
  const State& state = *state_;
  for (const std::uint32_t key : keys) state.sketch_heads.prefetch_chain(table_key_of_sketch(key));
  collector.begin_sketch();
  for (const std::uint32_t key : keys) {
    collector.begin_sketch_key(texts().size());
    state.visit_sketch_chain(table_key_of_sketch(key),
                             [&](std::uint32_t text) { return collector.add_sketch(first_text_ + text); });
  }
  collector.end_sketch(keys.size());
}

// Text numbers may have gaps, so the slot is found by bisection.
std::optional<std::size_t> SearchHead::slot_of(std::uint64_t text) const {
  const std::uint32_t* begin = state_->texts.get();
  const std::uint32_t* end = begin + state_->text_count.load(std::memory_order_acquire);
  const std::uint32_t* at = std::lower_bound(begin, end, static_cast<std::uint32_t>(text - first_text_));
  if (at == end || *at != text - first_text_) return std::nullopt;
  return static_cast<std::size_t>(at - begin);
}

std::uint32_t SearchHead::least_characters(std::uint64_t text) const {
  const std::optional<std::size_t> slot = slot_of(text);
  return slot ? least_characters_of(state_->length_classes[*slot]) : 0;
}

std::optional<Fingerprint128> SearchHead::summary(std::uint64_t text) const {
  if (!state_->has_summaries) return std::nullopt;
  const std::optional<std::size_t> slot = slot_of(text);
  return slot ? std::optional(state_->summaries[*slot]) : std::nullopt;
}

std::uint64_t SearchHead::used_bytes() const {
  const State& state = *state_;
  const std::uint64_t texts = state.text_count.load(std::memory_order_acquire);
  const std::uint64_t fingerprints = state.fingerprint_count.load(std::memory_order_acquire);
  const std::uint64_t exact = state.exact_count.load(std::memory_order_acquire);
  std::uint64_t bytes = state.exact_heads.used_bytes(exact) + state.sketch_heads.used_bytes(texts * kShortKeysMaximum);
  for (const auto& lines : state.block_lines) bytes += lines->used_bytes(fingerprints);
  return bytes + exact * sizeof(State::ExactEntry) + fingerprints * (sizeof(Fingerprint128) + sizeof(std::uint32_t)) +
         texts *
             ((kShortKeysMaximum + 1) * sizeof(std::uint32_t) + 1 + (state.has_summaries ? sizeof(Fingerprint128) : 0));
}

// One table at a time is collected and sorted, when the writer asks for its first pair, to bound memory. Texts without
// keys and gaps in the range get length class 0 and no bits in their summary.
Status SearchHead::write_segment(const std::string& path, std::uint64_t end_text) const {
  PARAPRINT_ASSERT(end_text >= texts().end);
  const State& state = *state_;
  std::vector<PackedPair> pairs;
  std::size_t filled = kSearchTables;  // the table currently in `pairs`; none at first
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
  std::string summaries(state.has_summaries ? length_classes.size() * kSummaryBytes : 0, '\0');
  for (std::uint32_t slot = 0; slot < text_count && state.has_summaries; ++slot) {
    encode_summary(state.summaries[slot], summaries.data() + state.texts[slot] * kSummaryBytes);
  }
  return write_search_segment(path, {first_text_, end_text}, {length_classes, summaries}, sources);
}

}  // namespace paraprint::inline store
