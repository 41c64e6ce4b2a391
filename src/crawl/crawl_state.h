// The state of a crawl on disk: addresses seen, queues of the hosts, robots.txt files, counts. RocksDB keeps it.
// Changes are made in batches, which readers see at once; what was applied is written and synced together, whole or not
// at all.
//
// Keys (docs/formats/crawl-state.md):
//   u URL                                      -> UrlRecord
//   q host NUL priority(1) sequence(8)         -> QueueEntry
//   r origin                                   -> RobotsRecord
//   h host                                     -> HostRecord
//   c URL of a known page                      -> ClusterRecord
//   s shape                                    -> pages of it in a row without anything new
//   m "position"                               -> CrawlPosition
//   m "seeds"                                  -> canonical URLs, a line each
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "crawl/crawl_records.h"
#include "paraprint/result.h"

namespace rocksdb {
class DB;
class Iterator;
class WriteBatch;
class WriteBatchWithIndex;
}  // namespace rocksdb

namespace paraprint {

// Place of an entry in the queue of its host; entries are taken in its order.
struct QueuePlace {
  std::uint8_t priority = 0;  // lower is earlier
  std::uint64_t sequence = 0;
  friend auto operator<=>(const QueuePlace&, const QueuePlace&) = default;
};

// Changes that belong together. Later ones of a key win.
class StateBatch {
 public:
  StateBatch();
  ~StateBatch();
  StateBatch(const StateBatch&) = delete;
  StateBatch& operator=(const StateBatch&) = delete;

  void put_url(std::string_view url, const UrlRecord& record);
  void put_queued(std::string_view host, QueuePlace place, const QueueEntry& entry);
  void remove_queued(std::string_view host, QueuePlace place);
  void put_robots(std::string_view origin, const RobotsRecord& record);
  void put_host(std::string_view host, const HostRecord& record);
  void put_cluster(std::string_view url, const ClusterRecord& record);
  void put_barren(std::string_view shape, std::uint64_t pages_in_a_row);
  void put_position(const CrawlPosition& position);
  void put_seeds(std::string_view lines);

  // For CrawlState::apply().
  const std::string& bytes() const;
  void clear();

 private:
  void put(char table, std::string_view key, std::string_view value);
  std::unique_ptr<rocksdb::WriteBatch> batch_;
};

// Used by one thread. Errors: kInputOutput, kNoSpace, kCorruptData, naming the folder.
class CrawlState {
 public:
  // Creates the folder if it is missing. kInvalidArgument when another process has it open.
  static Result<std::unique_ptr<CrawlState>> open(const std::string& folder);
  ~CrawlState();
  CrawlState(const CrawlState&) = delete;
  CrawlState& operator=(const CrawlState&) = delete;

  // From now on readers see the changes of a batch, given by its bytes. Nothing is on the disk yet. kCorruptData for
  // bytes that are no batch.
  Status apply(std::string_view batch);
  // Makes everything applied so far durable.
  Status commit();

  Result<std::optional<UrlRecord>> url(std::string_view url) const;
  Result<std::optional<RobotsRecord>> robots(std::string_view origin) const;
  Result<std::optional<ClusterRecord>> cluster(std::string_view url) const;
  Result<std::optional<CrawlPosition>> position() const;
  // Canonical, a line each, of all runs; empty if there are none.
  Result<std::string> seeds() const;
  Result<std::uint64_t> barren(std::string_view shape) const;

  struct Queued {
    QueuePlace place;
    QueueEntry entry;
  };
  // The first entry of a host at or behind `from`. Deleted entries in front of `from` cost nothing.
  Result<std::optional<Queued>> next_queued(std::string_view host, QueuePlace from) const;

  // These must not be called from each other's visitors, nor apply() from there, unless all is committed when the walk
  // begins: it shows the state of that moment then.
  Status for_each_host(const std::function<Status(std::string_view host, const HostRecord&)>& visit) const;
  Status for_each_url(const std::function<Status(std::string_view url, const UrlRecord&)>& visit) const;
  Status for_each_cluster(const std::function<Status(std::string_view url, const ClusterRecord&)>& visit) const;

 private:
  CrawlState(std::unique_ptr<rocksdb::DB> database, std::string folder);
  Result<std::optional<std::string>> get(char table, std::string_view key) const;
  template <class Record>
  Result<std::optional<Record>> get_record(char table, std::string_view key) const;
  template <class Record>
  Status for_each(char table, const std::function<Status(std::string_view, const Record&)>& visit) const;

  std::unique_ptr<rocksdb::Iterator> walk() const;

  std::unique_ptr<rocksdb::DB> database_;
  std::unique_ptr<rocksdb::WriteBatchWithIndex> applied_;  // and not committed
  std::string folder_;
};

}  // namespace paraprint
