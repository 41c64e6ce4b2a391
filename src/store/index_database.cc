// Durability: writes go to RocksDB's log without fsync, and sync() makes all of them durable at once, so callers decide
// how many changes share one sync. Once a write or sync of the log has failed, its content is unknown and the database
// accepts no further changes until it is opened again (Handles::checked).
//
// Memory is bounded by small caches and write buffers: profiles, by far the largest values, are read in place from
// mapped files, so the operating system's page cache serves as their cache.
#include "store/index_database.h"

#include <fmt/format.h>
#include <rocksdb/options.h>
#include <rocksdb/snapshot.h>
#include <rocksdb/write_batch.h>

#include <mutex>
#include <shared_mutex>
#include <utility>

#include "base/propagate.h"
#include "base/scheduled.h"
#include "base/stop.h"
#include "store/index_database_handles.h"

namespace paraprint::inline store {
namespace {

// Big-endian, so that keys sort in numerical order.
std::string number_key(std::uint64_t number) {
  std::string key(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) key[i] = static_cast<char>(number >> (56 - 8 * i));
  return key;
}

// Reads the number at the start of a key; more may follow it.
bool read_number_key(std::string_view key, std::uint64_t& number) {
  if (key.size() < 8) return false;
  number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8 | static_cast<unsigned char>(key[i]);
  return true;
}

// The length precedes the name: without it, the pages of cluster "a" would be mixed with those of clusters "ab", "abc",
// ...
std::string cluster_prefix(std::string_view cluster) {
  return number_key(cluster.size()) + std::string(cluster);
}

// Turns end_of_walk() into success; every other error is passed on.
Status unless_ended(const Status& visited) {
  const bool is_end = visited.error().code == ErrorCode::kCancelled && visited.error().message.empty();
  return is_end ? Status{} : visited;
}

Status corrupt_key(std::string_view table) {
  return failure(ErrorCode::kCorruptData, fmt::format("table {} contains a malformed key", table));
}

// The key behind all that begin with `prefix`; empty if every key behind it does.
std::string end_of_prefix(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

// An iterator with a bound. Without one, RocksDB looks for the next key that is not deleted behind those that are
// wanted, too, and passes every deletion there that it still stores: 100,000 after as many pages have expired.
class BoundedIterator {
 public:
  // `end`: empty for no bound. Iterations read each block once, so they must not evict the blocks of lookups from the
  // cache.
  BoundedIterator(rocksdb::DB& database, rocksdb::ColumnFamilyHandle* table, std::string end,
                  const rocksdb::Snapshot* moment)
      : end_(std::move(end)), bound_(end_) {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    options.snapshot = moment;
    if (!end_.empty()) options.iterate_upper_bound = &bound_;
    iterator_.reset(database.NewIterator(options, table));
  }
  BoundedIterator(const BoundedIterator&) = delete;
  BoundedIterator& operator=(const BoundedIterator&) = delete;
  rocksdb::Iterator* operator->() const { return iterator_.get(); }

 private:
  std::string end_;
  rocksdb::Slice bound_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

}  // namespace

IndexBatch::IndexBatch() : batch_(std::make_unique<rocksdb::WriteBatch>()) {}
IndexBatch::~IndexBatch() = default;

PinnedValue::PinnedValue() : slice_(std::make_unique<rocksdb::PinnableSlice>()) {}
PinnedValue::~PinnedValue() = default;
std::string_view PinnedValue::bytes() const {
  return {slice_->data(), slice_->size()};
}

IndexSnapshot::IndexSnapshot(std::unique_ptr<rocksdb::ManagedSnapshot> snapshot) : snapshot_(std::move(snapshot)) {}
IndexSnapshot::IndexSnapshot(IndexSnapshot&&) noexcept = default;
IndexSnapshot::~IndexSnapshot() = default;

IndexDatabase::IndexDatabase() : handles_(std::make_unique<Handles>()) {}
IndexDatabase::~IndexDatabase() = default;

IndexSnapshot IndexDatabase::snapshot() const {
  schedule_point();
  return IndexSnapshot(std::make_unique<rocksdb::ManagedSnapshot>(handles_->database.get()));
}

const rocksdb::Snapshot* IndexDatabase::snapshot_of(const IndexSnapshot* moment) {
  return moment != nullptr ? moment->snapshot_->snapshot() : nullptr;
}

// Every lookup goes through here. The value stays pinned in its block or mapped file and is not copied.
Result<bool> IndexDatabase::get(std::size_t table, std::string_view key, PinnedValue& value,
                                const IndexSnapshot* moment) const {
  schedule_point();
  PARAPRINT_TRY(handles_->check_readable());
  value.slice_->Reset();
  rocksdb::ReadOptions options;
  options.snapshot = snapshot_of(moment);
  const rocksdb::Status status = handles_->read_key(
      [&] { return handles_->database->Get(options, handles_->tables[table], slice_of(key), value.slice_.get()); });
  if (status.ok()) return true;
  if (status.IsNotFound()) return false;
  return database_failure(status, handles_->folder);
}

Result<bool> IndexDatabase::has(std::size_t table, std::string_view key) const {
  PinnedValue value;
  return get(table, key, value);
}

Result<bool> IndexDatabase::get_setting(std::string_view name, std::string& value) const {
  PinnedValue pinned;
  Result<bool> found = get(kSettings, name, pinned);
  if (found && *found) value = pinned.bytes();
  return found;
}

Result<bool> IndexDatabase::get_page(std::string_view id, PageRecord& record, const IndexSnapshot* moment) const {
  PinnedValue pinned;
  Result<bool> found = get(kPages, id, pinned, moment);
  if (!found || !*found) return found;
  if (Status decoded = decode_page_record(pinned.bytes(), record); !decoded) {
    return failure(decoded.error().code, fmt::format("{}: page {}: {}", handles_->folder, id, decoded.error().message));
  }
  return true;
}

Result<bool> IndexDatabase::get_text(std::uint64_t text, PinnedValue& value, const IndexSnapshot* moment) const {
  return get(kTexts, number_key(text), value, moment);
}

Result<bool> IndexDatabase::get_id_of_url(std::string_view url, std::string& id) const {
  PinnedValue pinned;
  Result<bool> found = get(kUrls, url, pinned);
  if (found && *found) id = pinned.bytes();
  return found;
}

Result<bool> IndexDatabase::get_origin(std::string_view id, PinnedValue& value, const IndexSnapshot* moment) const {
  return get(kOrigins, id, value, moment);
}

Result<bool> IndexDatabase::has_origins() const {
  bool has_any = false;
  PARAPRINT_TRY(walk(kOrigins, "", [&](std::string_view, std::string_view) -> Status {
    has_any = true;
    return end_of_walk();
  }));
  return has_any;
}

Result<bool> IndexDatabase::has_member(std::uint64_t text, std::string_view id) const {
  return has(kMembers, number_key(text) + std::string(id));
}

Result<bool> IndexDatabase::has_cluster_member(std::string_view cluster, std::string_view id) const {
  return has(kClusters, cluster_prefix(cluster) + std::string(id));
}

Status IndexDatabase::end_of_walk() {
  // The empty message distinguishes it from check_stop(), which has one.
  return failure(ErrorCode::kCancelled, "");
}

Status IndexDatabase::walk(std::size_t table, std::string_view prefix, const EntryVisitor& visit,
                           const IndexSnapshot* moment) const {
  return walk_from(table, prefix, prefix, visit, moment);
}

Status IndexDatabase::walk_from(std::size_t table, std::string_view first, std::string_view prefix,
                                const EntryVisitor& visit, const IndexSnapshot* moment) const {
  return walk_range(table, first, end_of_prefix(prefix), visit, moment);
}

Status IndexDatabase::walk_range(std::size_t table, std::string_view first, const std::string& end,
                                 const EntryVisitor& visit, const IndexSnapshot* moment) const {
  schedule_point();
  PARAPRINT_TRY(handles_->check_readable());
  const BoundedIterator at(*handles_->database, handles_->tables[table], end, snapshot_of(moment));
  for (at->Seek(slice_of(first)); at->Valid(); at->Next()) {
    PARAPRINT_TRY(check_stop());
    if (Status visited = visit(view_of(at->key()), view_of(at->value())); !visited) return unless_ended(visited);
  }
  if (!at->status().ok()) return database_failure(at->status(), handles_->folder);
  return {};
}

Status IndexDatabase::for_each_page(const PageVisitor& visit, const IndexSnapshot* moment) const {
  return walk(kPages, "", visit, moment);
}

Status IndexDatabase::for_each_page_from(std::string_view id, const PageVisitor& visit) const {
  return walk_from(kPages, id, "", visit);
}

Status IndexDatabase::for_each_text(std::uint64_t first, std::uint64_t end, const TextVisitor& visit,
                                    const IndexSnapshot* moment) const {
  const auto visit_text = [&](std::string_view key, std::string_view record) -> Status {
    std::uint64_t text = 0;
    return read_number_key(key, text) ? visit(text, record) : corrupt_key("texts");
  };
  return walk_range(kTexts, number_key(first), number_key(end), visit_text, moment);
}

// Text numbers sort in key order, so the last key is the highest number.
Result<bool> IndexDatabase::last_text(std::uint64_t& text) const {
  PARAPRINT_TRY(handles_->check_readable());
  const std::unique_ptr<rocksdb::Iterator> at(
      handles_->database->NewIterator(rocksdb::ReadOptions(), handles_->tables[kTexts]));
  at->SeekToLast();
  if (!at->status().ok()) return database_failure(at->status(), handles_->folder);
  if (!at->Valid()) return false;
  if (!read_number_key(view_of(at->key()), text)) return tl::unexpected<Error>(corrupt_key("texts").error());
  return true;
}

// One iterator for both halves, so that they are of one moment.
Status IndexDatabase::for_each_member(std::uint64_t text, std::string_view first, const NameVisitor& visit,
                                      const IndexSnapshot* moment) const {
  schedule_point();
  PARAPRINT_TRY(handles_->check_readable());
  const std::string prefix = number_key(text);
  const std::string middle = prefix + std::string(first);
  const BoundedIterator at(*handles_->database, handles_->tables[kMembers], end_of_prefix(prefix), snapshot_of(moment));
  for (const bool is_first_half : {true, false}) {
    for (at->Seek(is_first_half ? middle : prefix); at->Valid(); at->Next()) {
      const std::string_view key = view_of(at->key());
      if (!is_first_half && key >= middle) break;
      PARAPRINT_TRY(check_stop());
      if (Status visited = visit(key.substr(prefix.size())); !visited) return unless_ended(visited);
    }
    if (!at->status().ok()) return database_failure(at->status(), handles_->folder);
  }
  return {};
}

// The next page may be behind any number of deletions that RocksDB still stores, in one direction or in both: pages are
// removed in the order of their ids, or the reverse. So both directions are tried, each a little further every time.
Result<bool> IndexDatabase::has_member_besides(std::uint64_t text, std::string_view id) const {
  PARAPRINT_TRY(handles_->check_readable());
  const std::string prefix = number_key(text);
  const std::string end = end_of_prefix(prefix);
  const std::string key = prefix + std::string(id);
  const rocksdb::Slice first_bound(prefix);
  const rocksdb::Slice end_bound(end);
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  options.iterate_lower_bound = &first_bound;
  if (!end.empty()) options.iterate_upper_bound = &end_bound;
  for (options.max_skippable_internal_keys = 16;; options.max_skippable_internal_keys *= 2) {
    bool is_decided = true;
    for (const bool is_forward : {true, false}) {
      const std::unique_ptr<rocksdb::Iterator> at(handles_->database->NewIterator(options, handles_->tables[kMembers]));
      if (is_forward) {
        at->Seek(key);
        if (at->Valid() && view_of(at->key()) == key) at->Next();
      } else {
        at->SeekForPrev(key);
        if (at->Valid() && view_of(at->key()) == key) at->Prev();
      }
      if (at->Valid()) return true;
      const bool was_far = at->status().IsIncomplete();
      if (!was_far && !at->status().ok()) return database_failure(at->status(), handles_->folder);
      is_decided = is_decided && !was_far;
    }
    if (is_decided) return false;
  }
}

Status IndexDatabase::for_each_cluster_member(std::string_view cluster, const NameVisitor& visit) const {
  const std::string prefix = cluster_prefix(cluster);
  return walk(kClusters, prefix,
              [&](std::string_view key, std::string_view) { return visit(key.substr(prefix.size())); });
}

Status IndexDatabase::for_each_url(const RelationVisitor& visit) const {
  return walk(kUrls, "", visit);
}

Status IndexDatabase::for_each_origin(
    const std::function<Status(std::string_view id, std::string_view record)>& visit) const {
  return walk(kOrigins, "", visit);
}

Status IndexDatabase::for_each_membership(
    const std::function<Status(std::uint64_t text, std::string_view id)>& visit) const {
  return walk(kMembers, "", [&](std::string_view key, std::string_view) -> Status {
    std::uint64_t text = 0;
    if (!read_number_key(key, text)) return corrupt_key("members");
    return visit(text, key.substr(8));
  });
}

Status IndexDatabase::for_each_cluster_membership(const RelationVisitor& visit) const {
  return walk(kClusters, "", [&](std::string_view key, std::string_view) -> Status {
    std::uint64_t size = 0;
    if (!read_number_key(key, size) || size > key.size() - 8) return corrupt_key("clusters");
    return visit(key.substr(8, size), key.substr(8 + size));
  });
}

void IndexDatabase::put_setting(IndexBatch& batch, std::string_view name, std::string_view value) const {
  batch.batch_->Put(handles_->tables[kSettings], slice_of(name), slice_of(value));
}

void IndexDatabase::put_page(IndexBatch& batch, std::string_view id, const PageRecord& record) const {
  std::string bytes;
  encode_page_record(record, bytes);
  batch.batch_->Put(handles_->tables[kPages], slice_of(id), bytes);
}

void IndexDatabase::remove_page(IndexBatch& batch, std::string_view id) const {
  batch.batch_->Delete(handles_->tables[kPages], slice_of(id));
}

void IndexDatabase::put_text(IndexBatch& batch, std::uint64_t text, const TextRecord& record) const {
  std::string bytes;
  encode_text_record(record, bytes);
  batch.batch_->Put(handles_->tables[kTexts], number_key(text), bytes);
}

void IndexDatabase::remove_text(IndexBatch& batch, std::uint64_t text) const {
  batch.batch_->Delete(handles_->tables[kTexts], number_key(text));
}

void IndexDatabase::put_member(IndexBatch& batch, std::uint64_t text, std::string_view id) const {
  batch.batch_->Put(handles_->tables[kMembers], number_key(text) + std::string(id), rocksdb::Slice());
}

void IndexDatabase::remove_member(IndexBatch& batch, std::uint64_t text, std::string_view id) const {
  batch.batch_->Delete(handles_->tables[kMembers], number_key(text) + std::string(id));
}

void IndexDatabase::put_url(IndexBatch& batch, std::string_view url, std::string_view id) const {
  batch.batch_->Put(handles_->tables[kUrls], slice_of(url), slice_of(id));
}

void IndexDatabase::remove_url(IndexBatch& batch, std::string_view url) const {
  batch.batch_->Delete(handles_->tables[kUrls], slice_of(url));
}

void IndexDatabase::put_cluster_member(IndexBatch& batch, std::string_view cluster, std::string_view id) const {
  batch.batch_->Put(handles_->tables[kClusters], cluster_prefix(cluster) + std::string(id), rocksdb::Slice());
}

void IndexDatabase::remove_cluster_member(IndexBatch& batch, std::string_view cluster, std::string_view id) const {
  batch.batch_->Delete(handles_->tables[kClusters], cluster_prefix(cluster) + std::string(id));
}

void IndexDatabase::put_origin(IndexBatch& batch, std::string_view id, std::string_view record) const {
  batch.batch_->Put(handles_->tables[kOrigins], slice_of(id), slice_of(record));
}

void IndexDatabase::remove_origin(IndexBatch& batch, std::string_view id) const {
  batch.batch_->Delete(handles_->tables[kOrigins], slice_of(id));
}

// Concurrent writes are allowed (RocksDB groups them), but none may run during a sync; see log_mutex.
Status IndexDatabase::write(IndexBatch& batch) {
  schedule_point();
  const std::shared_lock lock(handles_->log_mutex);
  PARAPRINT_TRY(handles_->check_log());
  return handles_->change_log([&] { return handles_->database->Write(rocksdb::WriteOptions(), batch.batch_.get()); });
}

Status IndexDatabase::sync() {
  schedule_point();
  const std::unique_lock lock(handles_->log_mutex);
  PARAPRINT_TRY(handles_->check_log());
  return handles_->change_log([&] { return handles_->database->SyncWAL(); });
}

Status IndexDatabase::check_readable() const {
  return handles_->check_readable();
}

Status IndexDatabase::check_usable() const {
  PARAPRINT_TRY(handles_->check_readable());
  return handles_->check_log();
}

}  // namespace paraprint::inline store
