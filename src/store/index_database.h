// The durable part of an index: pages, texts and their relations in RocksDB. RocksDB is not visible outside this file.
//
// Tables (column families; docs/formats/index.md has keys and values byte by byte):
//   pages     id -> PageRecord                    texts     text number -> TextRecord with the profile
//   members   text number, id -> empty: pages of a text other than its owner
//   urls      URL -> id, where they differ        clusters  cluster, id -> empty: its pages other than the first
//   origins   id -> what the page states of its publication (provenance/origin_record.h), if that was given
//   default   settings identity, counts
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "paraprint/result.h"
#include "store/index_records.h"

namespace rocksdb {
class ManagedSnapshot;
class PinnableSlice;
class Snapshot;
class WriteBatch;
}  // namespace rocksdb

namespace paraprint::inline store {

// A set of changes that is applied atomically.
class IndexBatch {
 public:
  IndexBatch();
  ~IndexBatch();
  IndexBatch(const IndexBatch&) = delete;
  IndexBatch& operator=(const IndexBatch&) = delete;

 private:
  friend class IndexDatabase;
  std::unique_ptr<rocksdb::WriteBatch> batch_;
};

// Keeps the bytes of a stored value valid during its lifetime.
class PinnedValue {
 public:
  PinnedValue();
  ~PinnedValue();
  std::string_view bytes() const;

 private:
  friend class IndexDatabase;
  std::unique_ptr<rocksdb::PinnableSlice> slice_;
};

// One moment of the database, for reads that have to agree with each other. Must not outlive the database.
class IndexSnapshot {
 public:
  IndexSnapshot(IndexSnapshot&&) noexcept;
  ~IndexSnapshot();

 private:
  friend class IndexDatabase;
  explicit IndexSnapshot(std::unique_ptr<rocksdb::ManagedSnapshot> snapshot);
  std::unique_ptr<rocksdb::ManagedSnapshot> snapshot_;
};

enum class DatabaseAccess : std::uint8_t {
  kCreate,  // a missing database is created
  kChange,  // a missing one is kCorruptData
  // The same, and nothing in the folder changes; no process may change it meanwhile. A database from before the table
  // of origins may be read for its settings, pages and texts.
  kRead,
};

// Thread-safe. Errors: kNoSpace, kCorruptData and kInputOutput with RocksDB's message, which names the file. After
// std::bad_alloc from within the read of a key, all reads are kInputOutput: RocksDB can answer none any more.
class IndexDatabase {
 public:
  // Opens the database in `folder`. With kRead, changes are refused; a process killed while it changed the list of
  // files may leave one that only kChange can repair (kCorruptData).
  static Result<std::unique_ptr<IndexDatabase>> open(const std::string& folder, DatabaseAccess access);
  ~IndexDatabase();
  IndexDatabase(const IndexDatabase&) = delete;
  IndexDatabase& operator=(const IndexDatabase&) = delete;

  IndexSnapshot snapshot() const;

  // Lookups. They return whether the entry exists, now or at `moment`.
  Result<bool> get_setting(std::string_view name, std::string& value) const;
  Result<bool> get_page(std::string_view id, PageRecord& record, const IndexSnapshot* moment = nullptr) const;
  Result<bool> get_text(std::uint64_t text, PinnedValue& value, const IndexSnapshot* moment = nullptr) const;
  Result<bool> get_id_of_url(std::string_view url, std::string& id) const;
  Result<bool> get_origin(std::string_view id, PinnedValue& value, const IndexSnapshot* moment = nullptr) const;
  Result<bool> has_origins() const;  // any at all
  Result<bool> has_member(std::uint64_t text, std::string_view id) const;
  // Whether the text has a page besides its owner and `id`. Requires that its pages do not change meanwhile.
  Result<bool> has_member_besides(std::uint64_t text, std::string_view id) const;
  Result<bool> has_cluster_member(std::string_view cluster, std::string_view id) const;

  // Iterations in key order over a snapshot taken at the call, or over `moment`. An error from `visit` ends the
  // iteration and is returned, except end_of_walk(), which ends it successfully. kCancelled: the thread was asked to
  // stop (stop.h).
  static Status end_of_walk();
  using PageVisitor = std::function<Status(std::string_view id, std::string_view record)>;
  using TextVisitor = std::function<Status(std::uint64_t text, std::string_view record)>;
  using NameVisitor = std::function<Status(std::string_view name)>;
  using RelationVisitor = std::function<Status(std::string_view from, std::string_view to)>;
  Status for_each_page(const PageVisitor& visit, const IndexSnapshot* moment = nullptr) const;
  // The same, beginning with the first page whose id is not below `id`.
  Status for_each_page_from(std::string_view id, const PageVisitor& visit) const;
  Status for_each_text(std::uint64_t first, std::uint64_t end, const TextVisitor& visit,
                       const IndexSnapshot* moment = nullptr) const;
  // The pages of a text other than its owner: first those whose ids are not below `first`, then the others.
  Status for_each_member(std::uint64_t text, std::string_view first, const NameVisitor& visit,
                         const IndexSnapshot* moment = nullptr) const;
  Status for_each_cluster_member(std::string_view cluster, const NameVisitor& visit) const;
  Status for_each_url(const RelationVisitor& visit) const;
  // All entries of the table: text or cluster, and page id.
  Status for_each_membership(const std::function<Status(std::uint64_t text, std::string_view id)>& visit) const;
  Status for_each_cluster_membership(const RelationVisitor& visit) const;
  Status for_each_origin(const std::function<Status(std::string_view id, std::string_view record)>& visit) const;
  // The highest text number in the database; false if there are no texts.
  Result<bool> last_text(std::uint64_t& text) const;

  // Add changes to a batch. They take effect with write().
  void put_setting(IndexBatch& batch, std::string_view name, std::string_view value) const;
  void put_page(IndexBatch& batch, std::string_view id, const PageRecord& record) const;
  void remove_page(IndexBatch& batch, std::string_view id) const;
  void put_text(IndexBatch& batch, std::uint64_t text, const TextRecord& record) const;
  void remove_text(IndexBatch& batch, std::uint64_t text) const;
  void put_member(IndexBatch& batch, std::uint64_t text, std::string_view id) const;
  void remove_member(IndexBatch& batch, std::uint64_t text, std::string_view id) const;
  void put_url(IndexBatch& batch, std::string_view url, std::string_view id) const;
  void remove_url(IndexBatch& batch, std::string_view url) const;
  void put_cluster_member(IndexBatch& batch, std::string_view cluster, std::string_view id) const;
  void remove_cluster_member(IndexBatch& batch, std::string_view cluster, std::string_view id) const;
  void put_origin(IndexBatch& batch, std::string_view id, std::string_view record) const;
  void remove_origin(IndexBatch& batch, std::string_view id) const;

  // Writes the changes to the log without syncing: they survive a kill of the process but not a power failure. After a
  // failure, and after std::bad_alloc from within (then with kInputOutput), every later write() and sync() fails,
  // because the state of the log is unknown.
  Status write(IndexBatch& batch);
  // Makes all written changes survive a power failure.
  Status sync();
  // The error of the first failed write() or sync(), or that of all reads, if there is one.
  Status check_usable() const;
  // The error of all reads, if there is one.
  Status check_readable() const;
  // The number of the last change. Changes are numbered in the order in which they are written, without reuse as long
  // as no power cut loses any.
  std::uint64_t last_change() const;

  // Writes a snapshot of the database to `folder`, which must not exist. Files are hard-linked where possible.
  Status checkpoint(const std::string& folder) const;
  // Compacts all tables. kCancelled as for iterations; work already done is kept.
  Status compact();
  // Reads every file and verifies its checksums.
  Status verify_checksums() const;
  // The size of all files.
  Result<std::uint64_t> size_bytes() const;

 private:
  struct Handles;
  IndexDatabase();
  static const rocksdb::Snapshot* snapshot_of(const IndexSnapshot* moment);
  using EntryVisitor = std::function<Status(std::string_view key, std::string_view value)>;
  Status walk(std::size_t table, std::string_view prefix, const EntryVisitor& visit,
              const IndexSnapshot* moment = nullptr) const;
  Status walk_from(std::size_t table, std::string_view first, std::string_view prefix, const EntryVisitor& visit,
                   const IndexSnapshot* moment = nullptr) const;
  // The keys from `first` up to `end`, which is empty for all.
  Status walk_range(std::size_t table, std::string_view first, const std::string& end, const EntryVisitor& visit,
                    const IndexSnapshot* moment) const;
  Result<bool> get(std::size_t table, std::string_view key, PinnedValue& value,
                   const IndexSnapshot* moment = nullptr) const;
  Result<bool> has(std::size_t table, std::string_view key) const;
  std::unique_ptr<Handles> handles_;
};

}  // namespace paraprint::inline store
