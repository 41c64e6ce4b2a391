// The state of a crawl, in RocksDB: known addresses, queues of the hosts, robots.txt files, counts. Changes come in
// batches, which are visible to readers at once; everything applied since the last commit is written and synced
// together, completely or not at all.
//
// Keys (docs/formats/crawl-state.md):
//   u URL of a page                            -> UrlRecord
//   x URL of a sitemap                         -> UrlRecord
//   q host NUL priority(1) sequence(8)         -> QueueEntry
//   r origin                                   -> RobotsRecord
//   p origin                                   -> ProbeRecord
//   h host                                     -> HostRecord
//   c URL of a known page                      -> ClusterRecord
//   s shape                                    -> number of its pages in a row without anything new
//   m "position"                               -> CrawlPosition
//   m "seeds"                                  -> canonical URLs, one per line
//   m "judging"                                -> URL of the page that is being judged
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
class WriteBatch;
class WriteBatchWithIndex;
}  // namespace rocksdb

namespace paraprint::inline crawler {

// Place of an entry in the queue of its host; entries are taken in ascending order.
struct QueuePlace {
  std::uint8_t priority = 0;  // lower is earlier
  std::uint64_t sequence = 0;
  friend auto operator<=>(const QueuePlace&, const QueuePlace&) = default;
};

// Changes that belong together. Of several changes to one key, the last one counts.
class StateBatch {
 public:
  StateBatch();
  ~StateBatch();
  StateBatch(const StateBatch&) = delete;
  StateBatch& operator=(const StateBatch&) = delete;

  // Of the record's kind.
  void put_url(std::string_view url, const UrlRecord& record);
  void put_queued(std::string_view host, QueuePlace place, const QueueEntry& entry);
  void remove_queued(std::string_view host, QueuePlace place);
  void put_robots(std::string_view origin, const RobotsRecord& record);
  void put_probe(std::string_view origin, const ProbeRecord& record);
  void put_host(std::string_view host, const HostRecord& record);
  void put_cluster(std::string_view url, const ClusterRecord& record);
  void put_barren(std::string_view shape, std::uint64_t pages_in_a_row);
  void put_position(const CrawlPosition& position);
  void put_seeds(std::string_view lines);
  void put_judging(std::string_view url);
  void remove_judging();

  // The serialised batch, for CrawlState::apply() and the journal.
  const std::string& bytes() const;
  void clear();

 private:
  void put(char table, std::string_view key, std::string_view value);
  std::unique_ptr<rocksdb::WriteBatch> batch_;
};

// Used by one thread. Errors: kInputOutput, kNoSpace, kCorruptData, naming the folder.
class CrawlState {
 public:
  // Creates the folder if it is missing. kInvalidArgument if another process has it open.
  static Result<std::unique_ptr<CrawlState>> open(const std::string& folder);
  ~CrawlState();
  CrawlState(const CrawlState&) = delete;
  CrawlState& operator=(const CrawlState&) = delete;

  // Makes the changes of a serialised batch visible to readers, in memory only. kCorruptData for bytes that are not a
  // batch.
  Status apply(std::string_view batch);
  // Makes everything applied so far durable.
  Status commit();

  // An address may be that of a page, of a sitemap, or both, with a record for each: any site can say of any address
  // that it is a sitemap, and must not take it away from those that link to it.
  Result<std::optional<UrlRecord>> url(std::string_view url, UrlKind kind = UrlKind::kPage) const;
  Result<std::optional<RobotsRecord>> robots(std::string_view origin) const;
  Result<std::optional<ProbeRecord>> probe(std::string_view origin) const;
  Result<std::optional<ClusterRecord>> cluster(std::string_view url) const;
  Result<std::optional<CrawlPosition>> position() const;
  // The seeds of all runs, canonical, one per line; empty if there are none.
  Result<std::string> seeds() const;
  // The page that is being judged, or was when the process ended; empty if there is none.
  Result<std::string> judging() const;
  Result<std::uint64_t> barren(std::string_view shape) const;

  struct Queued {
    QueuePlace place;
    QueueEntry entry;
  };
  // The first entry of a host at or after `from`, and of a priority below `end` if there is one. Deleted entries cost
  // time only between these places.
  Result<std::optional<Queued>> next_queued(std::string_view host, QueuePlace from,
                                            std::optional<std::uint8_t> end = std::nullopt) const;

  // Visitors may call apply() or another walk only if everything is committed when the walk begins; it then shows the
  // state of that moment.
  Status for_each_host(const std::function<Status(std::string_view host, const HostRecord&)>& visit) const;
  // Pages, then sitemaps.
  Status for_each_url(const std::function<Status(std::string_view url, const UrlRecord&)>& visit) const;
  Status for_each_cluster(const std::function<Status(std::string_view url, const ClusterRecord&)>& visit) const;
  Status for_each_probe(const std::function<Status(std::string_view origin, const ProbeRecord&)>& visit) const;

 private:
  class Walk;
  CrawlState(std::unique_ptr<rocksdb::DB> database, std::string folder);
  Result<std::string> text(std::string_view key) const;
  Result<std::optional<std::string>> get(char table, std::string_view key) const;
  template <class Record>
  Result<std::optional<Record>> get_record(char table, std::string_view key) const;
  template <class Record>
  Status for_each(char table, const std::function<Status(std::string_view, const Record&)>& visit) const;
  template <class Record>
  Status walk_table(Walk& at, char table, const std::function<Status(std::string_view, const Record&)>& visit) const;

  std::unique_ptr<rocksdb::DB> database_;
  bool is_abandoned_ = false;                              // see abandoned_database.h
  std::unique_ptr<rocksdb::WriteBatchWithIndex> applied_;  // applied but not committed
  std::string folder_;
};

}  // namespace paraprint::inline crawler
