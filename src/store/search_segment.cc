// The file is written front to back in one stream and described by a footer, because sizes are known only at the end.
// All bytes are covered by checksums: each section by its own, padding included, header and footer by a common one.
// Sections must be adjacent on reading, so no damaged or additional byte goes unnoticed.
//
// All sections begin at multiples of 8 bytes, so tables are used in place.
#include "store/search_segment.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/file_stamp.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "memory/usable_memory.h"

namespace paraprint::inline store {
namespace {

// Persisted; the layout is described in docs/formats/index.md.
constexpr std::string_view kSearchTablesMagic = "paraprint search tables\n";
constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kTableEntryBytes = 8 + 8 + 4 * 8;
constexpr std::size_t kColumnEntryBytes = 8 + 8;
constexpr std::size_t kFooterBytes = kSearchTables * kTableEntryBytes + kColumnEntryBytes + 8;
constexpr std::size_t kAlignment = 8;

std::uint64_t checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

tl::unexpected<Error> damaged(const std::string& name, std::string_view what) {
  return failure(ErrorCode::kCorruptData, fmt::format("{}: {}", name, what));
}

std::uint64_t rounded_up(std::uint64_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

// Writes one section of a file and computes its checksum, which includes the padding after it.
class SectionWriter {
 public:
  explicit SectionWriter(AtomicFile& file) : file_(file), state_(XXH3_createState()) {
    PARAPRINT_ASSERT(state_ != nullptr);
    XXH3_64bits_reset(state_.get());
  }

  Status write(std::string_view bytes) {
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
    return file_.write(bytes);
  }
  Status pad() {
    const std::string zeros(rounded_up(file_.size_bytes()) - file_.size_bytes(), '\0');
    return write(zeros);
  }
  std::uint64_t checksum_of_section() const { return XXH3_64bits_digest(state_.get()); }

 private:
  struct StateDeleter {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  AtomicFile& file_;
  std::unique_ptr<XXH3_state_t, StateDeleter> state_;
};

struct TableEntry {
  PackedTableShape shape;
  std::uint64_t pairs_offset = 0;
  std::uint64_t directory_offset = 0;
  std::uint64_t pairs_checksum = 0;
  std::uint64_t directory_checksum = 0;
};

// Writes the pairs in pieces. The directory, which grows meanwhile in memory, follows them.
Status write_table(AtomicFile& file, TableSource& source, std::size_t table, int value_bits, TableEntry& entry) {
  constexpr std::uint64_t kPairsPerWrite = 1 << 14;
  PackedTableBuilder builder(choose_packed_shape(source.count, kTableKeyBits[table], value_bits));
  entry.pairs_offset = file.size_bytes();
  SectionWriter pairs(file);
  PackedPair pair;
  for (std::uint64_t number = 1; source.next(pair); ++number) {
    builder.add(pair);
    // Large merges take long, so a stop request is checked here; the unfinished file is then discarded.
    if (number % kPairsPerWrite != 0) continue;
    PARAPRINT_TRY(check_stop());
    PARAPRINT_TRY(pairs.write(builder.take()));
  }
  PARAPRINT_TRY(pairs.write(builder.finish()));
  PARAPRINT_TRY(pairs.pad());
  entry.pairs_checksum = pairs.checksum_of_section();
  entry.directory_offset = file.size_bytes();
  SectionWriter directory(file);
  PARAPRINT_TRY(directory.write(builder.directory()));
  entry.directory_checksum = directory.checksum_of_section();
  entry.shape = builder.shape();
  return {};
}

std::size_t footer_bytes(bool has_summaries) {
  return kFooterBytes + (has_summaries ? kColumnEntryBytes : 0);
}

std::string header_of(const TextRange& texts, bool has_summaries) {
  std::string header(kSearchTablesMagic);
  ByteWriter writer(header);
  writer.fixed(has_summaries ? kSummarySegmentFormatVersion : kSegmentFormatVersion);
  writer.fixed(std::uint32_t{0});
  writer.fixed(texts.first);
  writer.fixed(texts.end);
  header.resize(kHeaderBytes, '\0');
  return header;
}

struct ColumnEntry {
  std::uint64_t offset = 0;
  std::uint64_t checksum = 0;
};

// The content of header and footer.
struct Layout {
  bool has_summaries = false;
  TextRange texts;
  std::array<TableEntry, kSearchTables> tables;
  ColumnEntry lengths;
  ColumnEntry summaries;  // if there are any
};

ColumnEntry read_column(ByteReader& reader) {
  const auto offset = reader.fixed<std::uint64_t>();
  return {offset, reader.fixed<std::uint64_t>()};
}

// Checks the version before the checksum: another version may have another layout and is not damage. Offsets and shapes
// are verified later, when the sections are taken.
Result<Layout> read_layout(std::string_view all, const std::string& name) {
  if (all.size() < kHeaderBytes + kFooterBytes) return damaged(name, "too short to contain search tables");
  if (!all.starts_with(kSearchTablesMagic)) return damaged(name, "not a search table file");
  Layout layout;
  const std::string_view header = all.substr(0, kHeaderBytes);
  ByteReader reader(header.substr(kSearchTablesMagic.size()));
  const auto version = reader.fixed<std::uint32_t>();
  if (version < kSegmentFormatVersion) {
    return damaged(name, fmt::format("search tables in the older format {}", version));
  }
  if (version > kSummarySegmentFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("{}: search tables in unsupported format {}; this build reads formats {} and {}", name,
                               version, kSegmentFormatVersion, kSummarySegmentFormatVersion));
  }
  layout.has_summaries = version == kSummarySegmentFormatVersion;
  const std::size_t footer_size = footer_bytes(layout.has_summaries);
  if (all.size() < kHeaderBytes + footer_size) return damaged(name, "too short to contain search tables");
  reader.fixed<std::uint32_t>();
  layout.texts.first = reader.fixed<std::uint64_t>();
  layout.texts.end = reader.fixed<std::uint64_t>();
  const std::string_view footer = all.substr(all.size() - footer_size);
  ByteReader entries(footer);
  for (TableEntry& entry : layout.tables) {
    entry.shape.count = entries.fixed<std::uint64_t>();
    entry.shape.key_bits = entries.fixed<std::uint8_t>();
    entry.shape.value_bits = entries.fixed<std::uint8_t>();
    entry.shape.bucket_bits = entries.fixed<std::uint8_t>();
    for (int i = 0; i < 5; ++i) entries.fixed<std::uint8_t>();  // padding
    entry.pairs_offset = entries.fixed<std::uint64_t>();
    entry.directory_offset = entries.fixed<std::uint64_t>();
    entry.pairs_checksum = entries.fixed<std::uint64_t>();
    entry.directory_checksum = entries.fixed<std::uint64_t>();
  }
  layout.lengths = read_column(entries);
  if (layout.has_summaries) layout.summaries = read_column(entries);
  const std::string summed = std::string(header) + std::string(footer.substr(0, footer_size - 8));
  if (entries.fixed<std::uint64_t>() != checksum(summed)) return damaged(name, "the header or footer is damaged");
  if (layout.texts.end <= layout.texts.first || layout.texts.size() > kSegmentEntriesMaximum) {
    return damaged(name, "invalid range of texts");
  }
  return layout;
}

// Takes sections in order. They must be adjacent, so that every byte is covered by a checksum.
class SectionReader {
 public:
  SectionReader(std::string_view all, std::size_t footer_size, const std::string& name)
      : all_(all), name_(name), limit_(all.size() - footer_size) {}

  // Returns the next section, without its padding.
  Result<std::string_view> take(std::uint64_t offset, std::uint64_t size, std::uint64_t sum, std::string_view what) {
    // The second condition keeps the rounding in the third from overflowing.
    if (offset != next_ || size > limit_ - next_ || rounded_up(size) > limit_ - next_) {
      return damaged(name_, fmt::format("the {} have an invalid position or size", what));
    }
    next_ += rounded_up(size);
    if (checksum(all_.substr(offset, next_ - offset)) != sum) {
      return damaged(name_, fmt::format("the {} are damaged (bytes {} to {})", what, offset, next_));
    }
    return all_.substr(offset, size);
  }
  bool at_end() const { return next_ == limit_; }

 private:
  std::string_view all_;
  const std::string& name_;
  std::uint64_t next_ = kHeaderBytes;
  std::uint64_t limit_;
};

// Writes one section with a value of each text.
Status write_column(AtomicFile& file, std::string_view bytes, ByteWriter& footer) {
  footer.fixed(file.size_bytes());
  SectionWriter section(file);
  PARAPRINT_TRY(section.write(bytes));
  PARAPRINT_TRY(section.pad());
  footer.fixed(section.checksum_of_section());
  return {};
}

}  // namespace

// AtomicFile makes the file appear complete or not at all, so a kill while writing leaves no partial segment.
Status write_search_segment(const std::string& path, const TextRange& texts, const TextColumns& columns,
                            std::array<TableSource, kSearchTables>& sources) {
  PARAPRINT_ASSERT(texts.end > texts.first && texts.size() <= kSegmentEntriesMaximum);
  PARAPRINT_ASSERT(columns.length_classes.size() == texts.size());
  const bool has_summaries = !columns.summaries.empty();
  PARAPRINT_ASSERT(!has_summaries || columns.summaries.size() == texts.size() * kSummaryBytes);
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  const std::string header = header_of(texts, has_summaries);
  PARAPRINT_TRY(file.write(header));
  // Values are relative to the range, so they need only as many bits as the range.
  const int value_bits = std::max(1, static_cast<int>(std::bit_width(texts.size() - 1)));
  std::string footer;
  ByteWriter writer(footer);
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    TableEntry entry;
    PARAPRINT_TRY(write_table(file, sources[table], table, value_bits, entry));
    writer.fixed(entry.shape.count);
    writer.fixed(static_cast<std::uint8_t>(entry.shape.key_bits));
    writer.fixed(static_cast<std::uint8_t>(entry.shape.value_bits));
    writer.fixed(static_cast<std::uint8_t>(entry.shape.bucket_bits));
    footer.append(5, '\0');
    writer.fixed(entry.pairs_offset);
    writer.fixed(entry.directory_offset);
    writer.fixed(entry.pairs_checksum);
    writer.fixed(entry.directory_checksum);
  }
  PARAPRINT_TRY(write_column(file, columns.length_classes, writer));
  if (has_summaries) PARAPRINT_TRY(write_column(file, columns.summaries, writer));
  writer.fixed(checksum(header + footer));
  PARAPRINT_TRY(file.write(footer));
  return file.commit();
}

std::uint64_t segment_memory_share_bytes() {
  constexpr std::uint64_t kShare = 8;
  static const std::uint64_t share = usable_memory_bytes() / kShare;
  return share;
}

// Verifying the checksums reads every byte, so opening is not cheaper for a mapped file.
Result<std::shared_ptr<const SearchSegment>> SearchSegment::open(const std::string& path, SegmentMemory memory) {
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(path, failed);
  const bool is_read = memory == SegmentMemory::kReadIfSmall && !failed && size <= segment_memory_share_bytes();
  PARAPRINT_ASSIGN(MappedFile file, is_read ? MappedFile::read(path) : MappedFile::open(path));
  auto segment = std::shared_ptr<SearchSegment>(new SearchSegment());
  segment->path_ = path;
  segment->stamp_ = file_stamp(path);
  segment->file_ = std::move(file);
  segment->bytes_ = segment->file_.bytes();
  PARAPRINT_TRY(segment->parse(path));
  if (!is_read) segment->file_.expect_random_reads();  // after verifying the checksums, which reads sequentially
  return segment;
}

Result<std::shared_ptr<const SearchSegment>> SearchSegment::read(std::span<const char> bytes, const std::string& name) {
  PARAPRINT_ASSERT(reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment == 0);
  auto segment = std::shared_ptr<SearchSegment>(new SearchSegment());
  segment->bytes_ = bytes;
  PARAPRINT_TRY(segment->parse(name));
  return segment;
}

// Everything is verified here once, so that searches need no checks.
Status SearchSegment::parse(const std::string& name) {
  const std::string_view all(bytes_.data(), bytes_.size());
  PARAPRINT_ASSIGN(const Layout layout, read_layout(all, name));
  texts_ = layout.texts;
  SectionReader sections(all, footer_bytes(layout.has_summaries), name);
  for (std::size_t number = 0; number < kSearchTables; ++number) {
    const TableEntry& entry = layout.tables[number];
    if (!entry.shape.is_valid() || entry.shape.key_bits != kTableKeyBits[number]) {
      return damaged(name, fmt::format("table {} has an invalid shape", number));
    }
    const auto pairs = sections.take(entry.pairs_offset, entry.shape.pairs_bytes(), entry.pairs_checksum,
                                     fmt::format("pairs of table {}", number));
    if (!pairs) return tl::unexpected<Error>(pairs.error());
    const auto directory = sections.take(entry.directory_offset, entry.shape.directory_bytes(),
                                         entry.directory_checksum, fmt::format("buckets of table {}", number));
    if (!directory) return tl::unexpected<Error>(directory.error());
    Result<PackedTable> table = PackedTable::create(entry.shape, pairs->data(), directory->data());
    if (!table) return damaged(name, table.error().message);
    tables_[number] = *table;
  }
  const auto lengths = sections.take(layout.lengths.offset, texts_.size(), layout.lengths.checksum, "lengths of texts");
  if (!lengths) return tl::unexpected<Error>(lengths.error());
  if (layout.has_summaries) {
    const auto summaries = sections.take(layout.summaries.offset, texts_.size() * kSummaryBytes,
                                         layout.summaries.checksum, "summaries of texts");
    if (!summaries) return tl::unexpected<Error>(summaries.error());
    summaries_ = *summaries;
  }
  if (!sections.at_end()) return damaged(name, "unexpected bytes after the last section");
  length_classes_ = *lengths;
  return {};
}

bool prefers_youngest_text(const ExactQuery& query) {
  return query.prefers_youngest;
}
bool prefers_youngest_text(const NearQuery&) {
  return false;
}
int key_bits_of(const ExactQuery& query) {
  return query.key_bits;
}
int key_bits_of(const NearQuery&) {
  return kBlockBits;
}

// Searches for exact keys, in rounds over all queries that each prefetch the input of the next one.
template <class Query, class KeyOf>
void SearchSegment::find_equal(std::size_t number, std::span<const Query> queries, KeyOf&& key_of,
                               HitCollector& collector) const {
  const PackedTable& table = tables_[number];
  for (const Query& query : queries) table.prefetch_bucket(key_of(query));
  for (const Query& query : queries) table.prefetch_bitmap_of(key_of(query));
  for (const Query& query : queries) table.prefetch_pairs(key_of(query));
  for (const Query& query : queries) {
    const bool prefers_youngest = prefers_youngest_text(query);
    collector.weight = query.weight;
    if (prefers_youngest) {
      collector.begin_youngest();
    } else {
      collector.begin_short_key(texts_.size(), key_bits_of(query));
    }
    table.find(key_of(query), [&](std::uint32_t value) { return collector.add(texts_.first + value); });
    if (prefers_youngest) collector.end_youngest();
  }
}

void SearchSegment::find_exact(std::span<const ExactQuery> queries, HitCollector& collector) const {
  find_equal(
      kExactTable, queries, [](const ExactQuery& query) { return table_key_of(query.key); }, collector);
}

void SearchSegment::find_near(std::span<const NearQuery> queries, HitCollector& collector) const {
  const auto key_of = [&](std::size_t job) {
    const std::size_t table = job % kFlippedTables;
    return table_key_of_block(table, blocks_of(queries[job / kFlippedTables].fingerprint)[table]);
  };
  const auto begin = [&] { collector.begin_key(); };
  const auto add = [&](std::uint32_t value) { return collector.add(texts_.first + value); };
  // A job (one block of a query in its table) takes four steps, and four jobs are in progress at a time, like in a
  // pipeline: the memory that a job has prefetched arrives while the others take their steps.
  constexpr std::size_t kSteps = 4;
  std::array<PackedTable::NearProbe, kSteps> probes;
  const std::size_t jobs = queries.size() * kFlippedTables;
  for (std::size_t round = 0; round < jobs + kSteps - 1; ++round) {
    for (std::size_t step = 0; step < kSteps; ++step) {
      const std::size_t job = round - step;  // wraps around for jobs that have not begun
      if (job >= jobs) continue;
      const PackedTable& table = tables_[job % kFlippedTables];
      PackedTable::NearProbe& probe = probes[job % kSteps];
      switch (step) {
        case 0:
          table.begin_near(key_of(job), probe);
          break;
        case 1:
          table.prefetch_near_bitmaps(probe);
          break;
        case 2:
          table.prefetch_near_pairs(probe);
          break;
        default:
          collector.weight = queries[job / kFlippedTables].weight;
          table.visit_near(probe, begin, add);
      }
    }
  }
  // The remaining block is searched only for equal keys.
  for (std::size_t table = kFlippedTables; table < kBlockTables; ++table) {
    const auto block_key = [&](const NearQuery& query) {
      return table_key_of_block(table, blocks_of(query.fingerprint)[table]);
    };
    find_equal(table, queries, block_key, collector);
  }
}

// Texts below first_text are skipped within the table, without visiting their pairs.
void SearchSegment::find_sketch(std::span<const std::uint32_t> keys, HitCollector& collector) const {
  const PackedTable& table = tables_[kSketchTable];
  for (const std::uint32_t key : keys) table.prefetch_bucket(table_key_of_sketch(key));
  for (const std::uint32_t key : keys) table.prefetch_bitmap_of(table_key_of_sketch(key));
  for (const std::uint32_t key : keys) table.prefetch_pairs(table_key_of_sketch(key));
  const auto first_value = static_cast<std::uint32_t>(std::max(collector.first_text, texts_.first) - texts_.first);
  collector.begin_sketch();
  for (const std::uint32_t key : keys) {
    collector.begin_sketch_key(texts_.size());
    table.find_from(table_key_of_sketch(key), first_value,
                    [&](std::uint32_t value) { return collector.add_sketch(texts_.first + value); });
  }
  collector.end_sketch(keys.size());
}

bool may_merge(std::span<const std::shared_ptr<const SearchSegment>> segments, std::uint64_t entries_maximum) {
  if (segments.back()->texts().end - segments.front()->texts().first > entries_maximum) return false;
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    std::uint64_t pairs = 0;
    for (const auto& segment : segments) pairs += segment->table(table).size();
    if (pairs > entries_maximum) return false;
  }
  return true;
}

// A k-way merge by linear search for the lowest head: there are only a few segments. Values are shifted from each
// segment's range to the merged one, which preserves their order. The counts are upper bounds, as deleted texts are
// dropped.
Status merge_search_segments(const std::string& path, std::span<const std::shared_ptr<const SearchSegment>> segments,
                             const std::function<bool(std::uint64_t text)>& is_alive) {
  PARAPRINT_ASSERT(!segments.empty() && may_merge(segments, kSegmentEntriesMaximum));
  const TextRange texts{segments.front()->texts().first, segments.back()->texts().end};
  struct Input {
    PackedTable::Cursor cursor;
    std::uint64_t shift = 0;  // added to the segment's values
    PackedPair head;
    bool has_head = false;
  };
  std::array<std::vector<Input>, kSearchTables> inputs;
  std::array<TableSource, kSearchTables> sources;
  for (std::size_t table = 0; table < kSearchTables; ++table) {
    for (const auto& segment : segments) {
      sources[table].count += segment->table(table).size();
      inputs[table].push_back(
          {PackedTable::Cursor(segment->table(table)), segment->texts().first - texts.first, {}, false});
    }
    // The streams are independent, each with its own cursors, and the writer drains them one after the other.
    sources[table].next = [&is_alive, &texts, &of_table = inputs[table], is_first = true](PackedPair& pair) mutable {
      // Moves to the next pair of a text that still exists.
      const auto advance = [&](Input& input) {
        while ((input.has_head = input.cursor.next(input.head))) {
          input.head.value += static_cast<std::uint32_t>(input.shift);
          if (input.head.value < texts.size() && is_alive(texts.first + input.head.value)) return;
        }
      };
      if (is_first) {
        for (Input& input : of_table) advance(input);
        is_first = false;
      }
      Input* lowest = nullptr;
      for (Input& input : of_table) {
        if (input.has_head && (lowest == nullptr || input.head < lowest->head)) lowest = &input;
      }
      if (lowest == nullptr) return false;
      pair = lowest->head;
      advance(*lowest);
      return true;
    };
  }
  std::string length_classes;
  std::string summaries;
  length_classes.reserve(texts.size());
  if (segments.front()->has_summaries()) summaries.reserve(texts.size() * kSummaryBytes);
  // Ranges are adjacent, so the columns of the merged range are simply concatenated.
  for (const auto& segment : segments) {
    length_classes += segment->length_classes();
    summaries += segment->summaries();
  }
  return write_search_segment(path, texts, {length_classes, summaries}, sources);
}

}  // namespace paraprint::inline store
