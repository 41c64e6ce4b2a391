// The state in RocksDB. All tables share one key space, each with a letter in front of its keys: a batch is then a
// plain list of puts and deletes, which the journal can keep as bytes.
//
// There are two layers: the database, and above it an indexed batch in memory (applied_) with the changes since the
// last commit. Reads merge both. So a change is visible at once, while the database is written and synced a few times
// per second instead of once per page. What a kill would lose of the upper layer is in the journal (crawl_journal.h).
#include "crawl/crawl_state.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/write_batch_with_index.h>
#include <rocksdb/write_batch.h>

#include <new>
#include <stdexcept>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "memory/abandoned_database.h"
#include "memory/database_fragments.h"
#include "memory/database_log.h"

namespace paraprint::inline crawler {
namespace {

// Persisted: the letters, the keys and the version.
constexpr char kUrlTable = 'u';
constexpr char kSitemapTable = 'x';
constexpr char kQueueTable = 'q';
constexpr char kRobotsTable = 'r';
constexpr char kProbeTable = 'p';
constexpr char kHostTable = 'h';
constexpr char kClusterTable = 'c';
constexpr char kShapeTable = 's';
constexpr char kMetaTable = 'm';
constexpr std::string_view kPositionKey = "position";
constexpr std::string_view kSeedsKey = "seeds";
constexpr std::string_view kJudgingKey = "judging";
constexpr std::uint8_t kTextVersion = 1;  // of seeds and the page being judged

constexpr std::size_t kBlockCacheBytes = std::size_t{64} << 20;
// Most lookups are for links to new addresses. With 10 bits per key, the filter answers 99 of 100 of them from memory.
constexpr double kFilterBitsPerKey = 10;

rocksdb::Slice slice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

std::string_view view(const rocksdb::Slice& bytes) {
  return {bytes.data(), bytes.size()};
}

std::string table_key(char table, std::string_view key) {
  std::string bytes(1, table);
  return bytes.append(key);
}

// After all keys of the table.
std::string end_of(char table) {
  return std::string(1, static_cast<char>(table + 1));
}

// Big-endian, so that keys sort like numbers. The NUL, which no host contains, ends the host: without it, the entries
// of "a.example" and "a.example.org" would be mixed.
std::string queue_key(std::string_view host, QueuePlace place) {
  std::string key(host);
  key += '\0';
  key += static_cast<char>(place.priority);
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(place.sequence >> shift & 0xFF);
  return key;
}

// Priority and sequence at the end of a queue key.
constexpr std::size_t kPlaceBytes = 9;

// `bytes`: the last kPlaceBytes of a queue key.
QueuePlace parse_place(std::string_view bytes) {
  QueuePlace place;
  place.priority = static_cast<std::uint8_t>(bytes.front());
  for (const char byte : bytes.substr(1)) place.sequence = place.sequence << 8 | static_cast<unsigned char>(byte);
  return place;
}

std::string encode_text(std::string_view text) {
  std::string value;
  ByteWriter writer(value);
  writer.fixed(kTextVersion);
  writer.text(text);
  return value;
}

// A full disk is an error of its own, because the crawl can be resumed when there is space.
tl::unexpected<Error> state_failure(const std::string& folder, const rocksdb::Status& status) {
  const ErrorCode code = status.IsNoSpace()      ? ErrorCode::kNoSpace
                         : status.IsCorruption() ? ErrorCode::kCorruptData
                                                 : ErrorCode::kInputOutput;
  return failure(code, fmt::format("crawl state in {}: {}", folder, status.ToString()));
}

// RocksDB has no status of its own for a folder that is locked, by another process or by this one. That the lock file
// cannot be opened is another failure.
bool is_locked(const rocksdb::Status& status) {
  const std::string message = status.ToString();
  return status.IsIOError() && (message.find("While lock file") != std::string::npos ||
                                message.find("lock hold by current process") != std::string::npos);
}

tl::unexpected<Error> unreadable(const std::string& folder, std::string_view key) {
  return failure(ErrorCode::kCorruptData,
                 fmt::format("the crawl state in {} has an unreadable value under '{}'", folder, key));
}

// Copies the changes of a serialised batch into an indexed one, which cannot be made from bytes. Only the operations
// that StateBatch writes are handled; any other makes Iterate() fail, as damage should.
class BatchCopier final : public rocksdb::WriteBatch::Handler {
 public:
  explicit BatchCopier(rocksdb::WriteBatchWithIndex& to) : to_(to) {}
  rocksdb::Status PutCF(std::uint32_t, const rocksdb::Slice& key, const rocksdb::Slice& value) override {
    return to_.Put(key, value);
  }
  rocksdb::Status DeleteCF(std::uint32_t, const rocksdb::Slice& key) override { return to_.Delete(key); }

 private:
  rocksdb::WriteBatchWithIndex& to_;
};

// The default keeps every file open; connections need descriptors as well, so their number is limited. RocksDB's own
// log file would only fill the folder.
rocksdb::Options database_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kZSTD;
  options.max_open_files = 256;
  options.info_log = no_database_log();
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

// Opening compresses what the log has. When zstd has no memory for that, RocksDB takes its error code for a length.
rocksdb::Status open_database(const std::string& folder, rocksdb::DB*& opened) {
  try {
    return rocksdb::DB::Open(database_options(), folder, &opened);
  } catch (const std::length_error&) {
    throw std::bad_alloc();
  }
}

}  // namespace

StateBatch::StateBatch() : batch_(std::make_unique<rocksdb::WriteBatch>()) {}
StateBatch::~StateBatch() = default;

void StateBatch::put(char table, std::string_view key, std::string_view value) {
  batch_->Put(table_key(table, key), slice(value));
}

void StateBatch::put_url(std::string_view url, const UrlRecord& record) {
  put(record.kind == UrlKind::kSitemap ? kSitemapTable : kUrlTable, url, record.encode());
}
void StateBatch::put_queued(std::string_view host, QueuePlace place, const QueueEntry& entry) {
  put(kQueueTable, queue_key(host, place), entry.encode());
}
void StateBatch::remove_queued(std::string_view host, QueuePlace place) {
  batch_->Delete(table_key(kQueueTable, queue_key(host, place)));
}
void StateBatch::put_robots(std::string_view origin, const RobotsRecord& record) {
  put(kRobotsTable, origin, record.encode());
}
void StateBatch::put_probe(std::string_view origin, const ProbeRecord& record) {
  put(kProbeTable, origin, record.encode());
}
void StateBatch::put_host(std::string_view host, const HostRecord& record) {
  put(kHostTable, host, record.encode());
}
void StateBatch::put_cluster(std::string_view url, const ClusterRecord& record) {
  put(kClusterTable, url, record.encode());
}
// The only value without a version: a single number.
void StateBatch::put_barren(std::string_view shape, std::uint64_t pages_in_a_row) {
  std::string value;
  ByteWriter(value).variable(pages_in_a_row);
  put(kShapeTable, shape, value);
}
void StateBatch::put_position(const CrawlPosition& position) {
  put(kMetaTable, kPositionKey, position.encode());
}

void StateBatch::put_seeds(std::string_view lines) {
  put(kMetaTable, kSeedsKey, encode_text(lines));
}
void StateBatch::put_judging(std::string_view url) {
  put(kMetaTable, kJudgingKey, encode_text(url));
}
void StateBatch::remove_judging() {
  batch_->Delete(table_key(kMetaTable, kJudgingKey));
}

const std::string& StateBatch::bytes() const {
  return batch_->Data();
}
void StateBatch::clear() {
  batch_->Clear();
}

CrawlState::CrawlState(std::unique_ptr<rocksdb::DB> database, std::string folder)
    : database_(std::move(database)),
      // `true`: a later change of a key replaces the earlier one in the index, so reads find only the last.
      applied_(std::make_unique<rocksdb::WriteBatchWithIndex>(rocksdb::BytewiseComparator(), 0, true)),
      folder_(std::move(folder)) {}
CrawlState::~CrawlState() {
  if (is_abandoned_) abandon_database(database_);
}

Result<std::unique_ptr<CrawlState>> CrawlState::open(const std::string& folder) {
  PARAPRINT_TRY(create_folders(folder));
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status = open_database(folder, opened);
  if (status.IsCorruption()) {
    PARAPRINT_ASSIGN(const bool was_unfinished, cut_unfinished_record(folder));
    if (was_unfinished) status = open_database(folder, opened);
  }
  std::unique_ptr<rocksdb::DB> database(opened);  // at once: it holds the lock, and memory may run out below
  if (is_locked(status)) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: another crawl is writing to this folder", folder));
  }
  if (!status.ok()) return state_failure(folder, status);
  return std::unique_ptr<CrawlState>(new CrawlState(std::move(database), folder));
}

// A batch that fails half-way leaves its first changes applied. That only happens with damaged bytes, and then the
// crawl ends without a commit.
Status CrawlState::apply(std::string_view batch) {
  BatchCopier copier(*applied_);
  const rocksdb::Status status = rocksdb::WriteBatch(std::string(batch)).Iterate(&copier);
  if (!status.ok()) return state_failure(folder_, status);
  return {};
}

// One synced write, which RocksDB makes completely or not at all. If the process is killed before the journal is
// emptied, the next run applies the same changes again, which changes nothing: they are absolute values.
Status CrawlState::commit() {
  if (applied_->GetWriteBatch()->Count() == 0) return {};
  rocksdb::WriteOptions options;
  options.sync = true;
  is_abandoned_ = true;  // if the write throws
  const rocksdb::Status status = database_->Write(options, applied_->GetWriteBatch());
  is_abandoned_ = false;
  if (!status.ok()) return state_failure(folder_, status);
  applied_->Clear();
  return {};
}

// The keys up to `end`. Without an end, the step behind the last key would be one over all that were deleted after it,
// of other hosts and tables.
//
// An iterator over the database is a snapshot; one over both layers is not, because it reads applied_ as it is at each
// step. Hence the plain one if nothing is pending, which lets visitors apply changes.
class CrawlState::Walk {
 public:
  Walk(const CrawlState& state, std::string end) : end_(std::move(end)), end_slice_(end_) {
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &end_slice_;
    at_.reset(state.database_->NewIterator(options));
    if (state.applied_->GetWriteBatch()->Count() == 0) return;
    rocksdb::ColumnFamilyHandle* const all = state.database_->DefaultColumnFamily();
    at_.reset(state.applied_->NewIteratorWithBase(all, at_.release(), &options));
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  rocksdb::Iterator* operator->() const { return at_.get(); }

 private:
  const std::string end_;
  const rocksdb::Slice end_slice_;
  std::unique_ptr<rocksdb::Iterator> at_;
};

Result<std::optional<std::string>> CrawlState::get(char table, std::string_view key) const {
  std::string value;
  const rocksdb::Status status =
      applied_->GetFromBatchAndDB(database_.get(), rocksdb::ReadOptions(), table_key(table, key), &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return state_failure(folder_, status);
  return value;
}

// An absent record is empty, an unreadable one is an error: taking it for absent would fetch pages again.
template <class Record>
Result<std::optional<Record>> CrawlState::get_record(char table, std::string_view key) const {
  PARAPRINT_ASSIGN(std::optional<std::string> value, get(table, key));
  if (!value) return std::nullopt;
  std::optional<Record> record = Record::decode(*value);
  if (!record) return unreadable(folder_, table_key(table, key));
  return record;
}

// Earlier versions had sitemaps in the table of pages.
Result<std::optional<UrlRecord>> CrawlState::url(std::string_view url, UrlKind kind) const {
  if (kind == UrlKind::kSitemap) {
    PARAPRINT_ASSIGN(std::optional<UrlRecord> sitemap, get_record<UrlRecord>(kSitemapTable, url));
    if (sitemap) return sitemap;
  }
  PARAPRINT_ASSIGN(std::optional<UrlRecord> record, get_record<UrlRecord>(kUrlTable, url));
  if (record && record->kind != kind) record.reset();
  return record;
}
Result<std::optional<RobotsRecord>> CrawlState::robots(std::string_view origin) const {
  return get_record<RobotsRecord>(kRobotsTable, origin);
}
Result<std::optional<ProbeRecord>> CrawlState::probe(std::string_view origin) const {
  return get_record<ProbeRecord>(kProbeTable, origin);
}
Result<std::optional<ClusterRecord>> CrawlState::cluster(std::string_view url) const {
  return get_record<ClusterRecord>(kClusterTable, url);
}
Result<std::optional<CrawlPosition>> CrawlState::position() const {
  return get_record<CrawlPosition>(kMetaTable, kPositionKey);
}

Result<std::string> CrawlState::seeds() const {
  return text(kSeedsKey);
}
Result<std::string> CrawlState::judging() const {
  return text(kJudgingKey);
}

// Not records of crawl_records.h, but one text each. Seeds are written whenever some are added, not with every page.
Result<std::string> CrawlState::text(std::string_view key) const {
  PARAPRINT_ASSIGN(std::optional<std::string> value, get(kMetaTable, key));
  if (!value) return std::string();
  ByteReader reader(*value);
  const bool is_known = reader.fixed<std::uint8_t>() == kTextVersion;
  const std::string_view bytes = reader.text();
  if (!is_known || !reader.ok() || !reader.at_end()) return unreadable(folder_, table_key(kMetaTable, key));
  return std::string(bytes);
}

// 0 for a shape that was never counted.
Result<std::uint64_t> CrawlState::barren(std::string_view shape) const {
  PARAPRINT_ASSIGN(std::optional<std::string> value, get(kShapeTable, shape));
  if (!value) return 0;
  ByteReader reader(*value);
  const std::uint64_t count = reader.variable();
  if (!reader.ok()) return unreadable(folder_, shape);
  return count;
}

// Deleted entries remain in RocksDB as tombstones until they are compacted away. Seeking to the first entry of the host
// would step over all of them for every request, so the caller passes a place before which nothing is left.
Result<std::optional<CrawlState::Queued>> CrawlState::next_queued(std::string_view host, QueuePlace from,
                                                                  std::optional<std::uint8_t> end) const {
  const std::string begin = table_key(kQueueTable, queue_key(host, from));
  const std::size_t prefix_bytes = begin.size() - kPlaceBytes;
  std::string end_key = begin.substr(0, prefix_bytes);
  if (end) {
    end_key += static_cast<char>(*end);
  } else {
    ++end_key.back();  // the NUL after the host
  }
  const Walk at(*this, end_key);
  at->Seek(begin);
  if (!at->Valid()) {
    if (!at->status().ok()) return state_failure(folder_, at->status());
    return std::nullopt;
  }
  // Versions of RocksDB differ in whether changes that are not committed end there, too.
  const std::string_view key = view(at->key());
  if (key >= end_key) return std::nullopt;
  std::optional<QueueEntry> entry = QueueEntry::decode(view(at->value()));
  if (key.size() != begin.size() || !entry) return unreadable(folder_, host);
  return Queued{parse_place(key.substr(prefix_bytes)), std::move(*entry)};
}

// Keys are sorted, so a table ends at the first key with another letter. Visitors get keys without it.
template <class Record>
Status CrawlState::walk_table(Walk& at, char table,
                              const std::function<Status(std::string_view, const Record&)>& visit) const {
  for (at->Seek(std::string(1, table)); at->Valid(); at->Next()) {
    const std::string_view key = view(at->key());
    if (key.front() != table) break;
    const std::optional<Record> record = Record::decode(view(at->value()));
    if (!record) return unreadable(folder_, key);
    PARAPRINT_TRY(visit(key.substr(1), *record));
  }
  if (!at->status().ok()) return state_failure(folder_, at->status());
  return {};
}

template <class Record>
Status CrawlState::for_each(char table, const std::function<Status(std::string_view, const Record&)>& visit) const {
  Walk at(*this, end_of(table));
  return walk_table<Record>(at, table, visit);
}

Status CrawlState::for_each_host(const std::function<Status(std::string_view, const HostRecord&)>& visit) const {
  return for_each<HostRecord>(kHostTable, visit);
}
Status CrawlState::for_each_url(const std::function<Status(std::string_view, const UrlRecord&)>& visit) const {
  Walk at(*this, end_of(kSitemapTable));  // one, so that both tables are shown as of this moment
  static_assert(kUrlTable < kSitemapTable);
  PARAPRINT_TRY(walk_table<UrlRecord>(at, kUrlTable, [&](std::string_view url, const UrlRecord& record) -> Status {
    if (record.kind == UrlKind::kPage) return visit(url, record);
    // Of an earlier version, unless it was settled since.
    PARAPRINT_ASSIGN(const std::optional<UrlRecord> later, get_record<UrlRecord>(kSitemapTable, url));
    return later ? Status{} : visit(url, record);
  }));
  return walk_table<UrlRecord>(at, kSitemapTable, visit);
}
Status CrawlState::for_each_cluster(const std::function<Status(std::string_view, const ClusterRecord&)>& visit) const {
  return for_each<ClusterRecord>(kClusterTable, visit);
}
Status CrawlState::for_each_probe(const std::function<Status(std::string_view, const ProbeRecord&)>& visit) const {
  return for_each<ProbeRecord>(kProbeTable, visit);
}

}  // namespace paraprint::inline crawler
