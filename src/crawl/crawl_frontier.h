// The addresses a crawl knows and the hosts that wait to be asked: what is offered is looked up in what was seen, and
// put into the queue of its host or left out with a reason.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "crawl/appending_file.h"
#include "crawl/crawl_journal.h"
#include "crawl/crawl_log.h"
#include "crawl/crawl_scope.h"
#include "crawl/crawl_state.h"
#include "crawl/host_schedule.h"
#include "paraprint/crawl.h"
#include "web/robots.h"

namespace paraprint {

// A robots.txt as this run knows it.
struct HostRobots {
  RobotsRules rules;
  CrawlReason unreachable = CrawlReason::kNone;  // why there is none; everything is disallowed then
  std::int64_t fetched_at_seconds = 0;           // 0: not yet
  std::uint32_t attempts = 0;
};

struct CrawlHost {
  std::string name;
  HostRecord record;
  QueuePlace cursor;                         // no entry stands before it
  std::map<std::string, HostRobots> robots;  // by origin
  HostSchedule::Time due{};                  // not to be asked earlier
  std::uint32_t failures_in_a_row = 0;
  bool is_waiting = false;  // in the schedule
  bool is_busy = false;     // with a request
};

// What one event changes: written together, so that a kill leaves all of it or nothing.
struct CrawlChanges {
  StateBatch batch;
  std::string log_lines;
  std::unordered_set<std::string> offered;  // addresses, whose fate the state does not know yet
  std::unordered_set<std::size_t> hosts;    // whose records changed
  std::size_t size = 0;                     // addresses settled

  std::size_t touch(std::size_t host) {
    hosts.insert(host);
    return host;
  }
};

struct CrawlOffer {
  Url url;
  std::string referrer;
  QueueEntry::Kind kind = QueueEntry::Kind::kPage;
  std::uint32_t depth = 0;
  std::uint32_t redirects = 0;
  bool is_canonical = false;  // to be asked for as it is, tracking parameters and all
};

// Used by one thread. Errors are those of CrawlState and AppendingFile.
class CrawlFrontier {
 public:
  // Opens state and log in `folder`/.paraprint and `folder`.
  static Result<std::unique_ptr<CrawlFrontier>> open(const CrawlOptions& options);

  // Puts an address where it belongs. What is outside the scope or known already is passed over.
  Status offer(CrawlChanges& changes, CrawlOffer offer);

  // Puts what was fetched before `fetched_before_seconds`, or left out under narrower options, into the queues again.
  // All must be durable when it is called.
  Status offer_again(std::int64_t fetched_before_seconds);

  // The first entry that waits at a host.
  Result<std::optional<CrawlState::Queued>> next_queued(std::size_t host);

  // An entry that is done with: out of the queue, its address settled as `record`, counted and logged. `line.url`,
  // `depth` and `referrer` are taken from the entry, status and reason from the record.
  Status settle(CrawlChanges& changes, std::size_t host, const CrawlState::Queued& queued, const UrlRecord& record,
                CrawlLogEntry line);
  // Back to the end of its place in the queue, for another attempt.
  void put_back(CrawlChanges& changes, std::size_t host, const CrawlState::Queued& queued);

  // Lets the host wait for its time, if it has anything to wait for.
  void schedule(std::size_t host);

  // Writes the changes, the log first: a kill does not undo them.
  Status commit(CrawlChanges& changes);
  // Makes all that was committed durable. What it refers to, in archive and index, must be so already.
  Status sync();
  // Bytes of changes that a power cut would undo.
  std::uint64_t unsynced_bytes() const { return journal_->size_bytes(); }
  // See CrawlJournal.
  const std::optional<LostTime>& lost() const { return journal_->lost(); }
  // After the last sync().
  Status close() { return journal_->remove(); }

  std::size_t host_number(std::string_view name);
  CrawlHost& host(std::size_t number) { return *hosts_[number]; }
  const std::vector<std::unique_ptr<CrawlHost>>& hosts() const { return hosts_; }
  HostRecord totals() const;
  HostSchedule& waiting() { return schedule_; }
  CrawlPosition& position() { return position_; }
  CrawlState& state() { return *state_; }
  const CrawlScope& scope() const { return scope_; }
  // Canonical, a line each, of all runs.
  const std::string& seeds() const { return seeds_; }
  Status add_seeds(UrlParser& parser, CrawlChanges& changes);

 private:
  explicit CrawlFrontier(const CrawlOptions& options) : options_(options), scope_(options) {}
  CrawlReason refusal(const CrawlOffer& offer) const;
  void enqueue(CrawlChanges& changes, std::size_t host, const QueueEntry& entry);
  Status skip(CrawlChanges& changes, std::size_t host, const CrawlOffer& offer, CrawlReason reason);
  bool is_wanted_again(const UrlRecord& record, std::int64_t fetched_before_seconds) const;

  const CrawlOptions& options_;
  CrawlScope scope_;
  std::unique_ptr<CrawlState> state_;
  CrawlPosition position_;
  std::string seeds_;
  std::optional<AppendingFile> log_;
  std::optional<CrawlJournal> journal_;
  std::vector<std::unique_ptr<CrawlHost>> hosts_;
  std::unordered_map<std::string, std::size_t> host_numbers_;
  HostSchedule schedule_;
};

// Redirects in a row that are followed from page to page.
inline constexpr std::uint32_t kRedirectsMaximum = 10;
// Sitemaps read of one host, and how deep indexes of indexes go.
inline constexpr std::uint64_t kSitemapsPerHost = 100;
inline constexpr std::uint32_t kSitemapDepthMaximum = 2;

}  // namespace paraprint
