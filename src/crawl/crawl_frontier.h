// The crawl frontier: the known addresses, and the hosts with addresses in their queues. An offered address is looked
// up among the known ones, then put into the queue of its host or skipped with a reason.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "crawl/crawl_journal.h"
#include "crawl/crawl_log.h"
#include "crawl/crawl_scope.h"
#include "crawl/crawl_state.h"
#include "crawl/crawl_system.h"
#include "crawl/host_schedule.h"
#include "memory/appending_file.h"
#include "memory/seeded_hash.h"
#include "paraprint/crawl.h"
#include "web/robots.h"

namespace paraprint::inline crawler {

// A robots.txt as known to this run.
struct HostRobots {
  RobotsRules rules;
  bool are_rules_in_memory = false;              // false: only in the state (robots_files.h)
  double crawl_delay_seconds = -1;               // negative: none; also while the rules are not in memory
  CrawlReason unreachable = CrawlReason::kNone;  // why it could not be fetched; everything is disallowed then
  std::int64_t fetched_at_seconds = 0;           // 0: not yet
  std::int64_t kept_at_seconds = 0;              // when it was asked for in vain, and kept (robots_files.cc); 0: never
  std::uint32_t attempts = 0;
  // The target of a redirect, on another host whose turn has to come first (RedirectTurns); empty: none.
  std::string redirect_target;
  std::uint32_t redirects = 0;  // in a row, up to the target

  std::int64_t asked_at_seconds() const { return std::max(fetched_at_seconds, kept_at_seconds); }
};

struct CrawlHost {
  std::string name;
  HostRecord record;
  // Where the queue begins: it has no entry of a lower priority and, of each priority that this run has come to, none
  // before the sequence. A single place would go back whenever an entry of a lower number is added, and lead once more
  // over all that was removed since.
  std::uint8_t first_priority = 0;
  std::map<std::uint8_t, std::uint64_t> first_sequences;  // by priority
  std::map<std::string, HostRobots> robots;               // by origin
  HostSchedule::Time due{};                               // earliest time of the next request
  std::uint32_t failures_in_a_row = 0;
  bool is_waiting = false;  // in the schedule
  bool is_busy = false;     // a request is in progress
};

// The changes of one event. They are written together, so that a kill leaves all of them or none.
struct CrawlChanges {
  StateBatch batch;
  std::string log_lines;
  // Addresses offered in this batch; the state does not know them yet.
  std::set<std::pair<std::string, UrlKind>> offered;
  std::unordered_set<std::size_t> hosts;  // hosts whose records changed
  std::size_t size = 0;                   // settled addresses, and probes that are not sent

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
  bool is_canonical = false;  // request it unchanged, including tracking parameters
  // Of a sitemap: the host whose robots.txt or sitemap index names it, at which it is counted, unless a redirect led to
  // it: then it takes the place of one that was.
  std::size_t named_by_host = 0;
};

// Used by one thread. Errors are those of CrawlState and AppendingFile.
class CrawlFrontier {
 public:
  // Opens state and log in `folder`/.paraprint and `folder`.
  // `system` must outlive it.
  static Result<std::unique_ptr<CrawlFrontier>> open(const CrawlOptions& options,
                                                     const CrawlSystem& system = CrawlSystem::real());

  // Queues or skips an address. Addresses outside the scope and known ones are ignored.
  Status offer(CrawlChanges& changes, CrawlOffer offer);

  // Whether the port is a usual one (CrawlScope), or the host has addresses on it.
  bool knows_port(const Url& url) const;

  // Queues addresses again that were fetched before `fetched_before_seconds`, skipped under narrower options, or
  // skipped because the robots.txt of their host could not be fetched. Requires that everything committed is durable
  // (sync()).
  Status offer_again(std::int64_t fetched_before_seconds);

  // The first entry in the queue of a host.
  Result<std::optional<CrawlState::Queued>> next_queued(std::size_t host);

  // Finishes an entry: removes it from the queue, stores its address as `record`, counts and logs it. Of `line`, URL,
  // depth and referrer are taken from the entry, status and reason from the record, whose kind is the entry's.
  Status settle(CrawlChanges& changes, std::size_t host, const CrawlState::Queued& queued, UrlRecord record,
                CrawlLogEntry line);
  // Whether a page was queued again on a shorter way, or has been settled by that entry: drop() this one.
  Result<bool> is_superseded(const CrawlState::Queued& queued) const;
  void drop(CrawlChanges& changes, std::size_t host, const CrawlState::Queued& queued);
  // Moves an entry behind all others of its priority, for another attempt.
  void put_back(CrawlChanges& changes, std::size_t host, const CrawlState::Queued& queued);

  // Adds the host to the schedule if it has queued addresses, is not busy and is not waiting already.
  void schedule(std::size_t host);

  // The time at which a page is judged: not before the journal was started, although the clock may have been set back,
  // so that lost() tells what was lost.
  std::int64_t judging_time() const { return std::max(system_.unix_seconds(), journal_->begun_at_seconds()); }
  // Writes that the page is about to be judged, so that a run after a kill knows. The changes of the page
  // end that (StateBatch::remove_judging()).
  Status begin_judging(std::string_view url);
  // Writes the changes so that they survive a kill, the log first.
  Status commit(CrawlChanges& changes);
  // Makes everything committed durable. The archive and index that it refers to must be durable already.
  Status sync();
  // Size of the changes that a power cut would undo.
  std::uint64_t unsynced_bytes() const { return journal_->size_bytes(); }
  // See CrawlJournal.
  const std::optional<LostTime>& lost() const { return journal_->lost(); }
  // Removes the journal; call it after the last sync().
  Status close() { return journal_->remove(); }

  std::size_t host_number(std::string_view name);
  CrawlHost& host(std::size_t number) { return *hosts_[number]; }
  const std::vector<std::unique_ptr<CrawlHost>>& hosts() const { return hosts_; }
  HostRecord totals() const;
  HostSchedule& waiting() { return schedule_; }
  CrawlPosition& position() { return position_; }
  CrawlState& state() { return *state_; }
  const CrawlSystem& system() const { return system_; }
  const CrawlScope& scope() const { return scope_; }
  // The seeds of all runs, canonical, one per line.
  const std::string& seeds() const { return seeds_; }
  Status add_seeds(UrlParser& parser, CrawlChanges& changes);

 private:
  CrawlFrontier(const CrawlOptions& options, const CrawlSystem& system)
      : options_(options), system_(system), scope_(options) {}
  CrawlReason refusal(const CrawlOffer& offer) const;
  CrawlReason refusal_of_port(const Url& url) const;
  bool admits_host(std::string_view name) const;
  void count_hosts_of_domains();
  void enqueue(CrawlChanges& changes, std::size_t host, const QueueEntry& entry);
  Status skip(CrawlChanges& changes, std::size_t host, const CrawlOffer& offer, CrawlReason reason);
  bool is_wanted_again(const UrlRecord& record, std::int64_t fetched_before_seconds) const;
  bool has_wanted_again(std::int64_t fetched_before_seconds) const;
  void uncount(CrawlChanges& changes, const std::string& host, const UrlRecord& known);
  Status move_queued_seeds(CrawlChanges& changes, const std::vector<Url>& seeds);

  const CrawlOptions& options_;
  const CrawlSystem& system_;
  CrawlScope scope_;
  std::unique_ptr<CrawlState> state_;
  CrawlPosition position_;
  std::string seeds_;
  std::optional<AppendingFile> log_;
  std::optional<CrawlJournal> journal_;
  std::vector<std::unique_ptr<CrawlHost>> hosts_;
  std::unordered_map<std::string, std::size_t, SeededHash> host_numbers_;
  std::unordered_map<std::string, std::uint64_t, SeededHash> hosts_of_domain_;  // by CrawlScope::domain_of()
  HostSchedule schedule_;
};

// Redirects followed in a row from page to page, or from sitemap to sitemap.
inline constexpr std::uint32_t kRedirectsMaximum = 10;
// Ports of a host, beside 80, 443 and those of seeds. Anybody can link to all ports of a host of somebody else.
inline constexpr std::size_t kPortsPerHost = 8;
// Sitemaps read of those that a host names, and the maximum nesting of sitemap indexes.
inline constexpr std::uint64_t kSitemapsPerHost = 100;
inline constexpr std::uint32_t kSitemapDepthMaximum = 2;

}  // namespace paraprint::inline crawler
