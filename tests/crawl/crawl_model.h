// What a crawl should do, in plain maps: the model with which the simulation of the crawler is compared. It is told
// what the crawler was answered and when, and says which request comes next and what is stored.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crawl/crawl_log.h"
#include "crawl/crawl_records.h"
#include "crawl/crawl_state.h"
#include "crawl/crawl_system.h"
#include "crawl/page_judge.h"
#include "crawl/simulated_web.h"
#include "crawl/warc_output.h"
#include "paraprint/crawl.h"
#include "web/robots.h"
#include "web/url.h"

namespace paraprint {

std::optional<Url> resolve(const std::string& base, const std::string& reference);

// The address with one name for its host.
Url undotted(const Url& url);

// Whether the answer counts: it has arrived, or it is a redirect, which needs no body.
inline bool has_arrived(const FetchResult& fetch) {
  const bool is_broken_off = fetch.failure == CrawlReason::kTruncated;
  return fetch.failure == CrawlReason::kNone || (is_broken_off && fetch.http_status / 100 == 3);
}

// A line of the log, and the record that it names.
struct ModelLine {
  std::string text;  // without the place of the record and the end of the object
  std::string url;
  std::optional<CaptureKind> kind;  // of the record; empty: none
  std::string header;               // of the response
  std::string body;
  std::optional<std::size_t> refers_to;  // for a revisit: the line whose record has the body
};

// An address that is known.
struct ModelAddress {
  UrlRecord record;                    // without record_id
  std::optional<std::size_t> capture;  // the line whose record is the stored response
  std::string counted_at;              // the host in whose counts its outcome is; empty: in none
  bool was_judged = false;             // it was settled as a page, at some time
};

// What an origin answered when it was asked for an address that does not exist.
struct ModelProbe {
  ProbeRecord record;    // without the profile
  std::size_t text = 0;  // of a page
};

struct ModelHost {
  std::map<QueuePlace, QueueEntry> queue;
  HostRecord record;  // only requests, received_bytes, sitemaps, links_not_followed, crawl_delay_seconds and ports
};

// What is on disk.
struct ModelState {
  std::map<std::string, ModelAddress> addresses;  // of pages
  std::map<std::string, ModelAddress> sitemaps;   // of which some may also be pages
  std::map<std::string, ModelHost> hosts;
  std::map<std::string, RobotsRecord> robots;     // by origin
  std::map<std::string, ModelProbe> probes;       // by origin
  std::map<std::string, ClusterRecord> clusters;  // by address
  std::map<std::string, std::uint64_t> barren;    // by shape
  CrawlPosition position;                         // without what concerns files
  std::string seeds;
  std::size_t lines = 0;  // of the log

  std::map<std::string, ModelAddress>& known(QueueEntry::Kind kind) {
    return kind == QueueEntry::Kind::kSitemap ? sitemaps : addresses;
  }
  // The addresses in the queue of the host.
  std::uint64_t queued(const std::string& host) const;
  // What the host's record should be: outcomes and queue are counted.
  HostRecord host_record(const std::string& host) const;
};

// Used by one thread. Times are those of the simulation.
class CrawlModel {
 public:
  struct Moment {
    CrawlSystem::Time time;
    std::int64_t unix_seconds = 0;
  };
  // A request that the crawl must send now.
  struct Expected {
    std::string url;
    std::string if_none_match;
    std::string host;
    std::optional<CrawlState::Queued> queued;  // empty for a robots.txt or a probe
    std::string origin;                        // of a robots.txt or a probe
    std::uint32_t redirects = 0;
    bool is_probe = false;
  };

  const ModelState& state() const { return state_; }
  const std::vector<ModelLine>& lines() const { return lines_; }

  // A run begins with what was found on disk. Returns the states that it passes through, the first one included.
  std::vector<ModelState> begin(const CrawlOptions& options, ModelState found, Moment now);

  // The crawler has sent what next_request() returned, under this number.
  void started(std::uint64_t number, Expected expected);
  // Whether a request to the host is in progress; not counting those to which a robots.txt redirected while the crawl
  // did not know the host.
  bool is_asking(const std::string& host) const;
  // An answer has arrived; it is handled after those before.
  void received(SimulatedAnswer answer);
  // The page in an answer was prepared; it has been looked up, at the time `now`.
  void prepared(std::uint64_t number);
  void judged(const std::string& url, const PageJudgement& judgement, Moment now);
  // The page whose judgement the crawler must ask for now; null if there is none.
  const SimulatedAnswer* to_be_judged() const;
  // Requests and answers in progress are dropped.
  void cancel();

  // Handles the first answer that can be handled; false if there is none. If a request must follow at once, it is
  // the next_request().
  bool handle_next(Moment now);
  // Takes one host whose turn it is. Sets the request that is sent to it, if there is one, and returns whether there
  // was such a host.
  bool take_host(Moment now);
  std::optional<Expected>& next_request() { return next_request_; }
  // Whether the changes before next_request() were written after it was sent: then they are in state(), but the state
  // before them may still be on disk.
  const std::optional<ModelState>& state_before_request() const { return before_request_; }
  void confirm() { before_request_.reset(); }

  bool is_page_limit_reached() const { return options_.max_pages > 0 && pages() >= options_.max_pages; }
  std::size_t under_way() const { return in_flight_.size() + received_.size(); }
  bool has_received() const { return !received_.empty(); }
  bool is_waiting() const { return !schedule_.empty(); }
  CrawlSystem::Time next_due() const { return schedule_.begin()->first.first; }
  std::uint64_t pages() const { return pages_at_begin_ + pages_of_run_; }
  std::uint64_t pages_of_run() const { return pages_of_run_; }

 private:
  // What only this run knows.
  struct Robots {
    std::int64_t fetched_at_seconds = 0;
    std::uint32_t attempts = 0;
    CrawlReason unreachable = CrawlReason::kNone;
    RobotsRules rules;
    std::int64_t kept_at_seconds = 0;  // when it was asked for in vain
    std::string redirect_target = {};  // to be asked for at a turn of its host
    std::uint32_t redirects = 0;
  };
  // A host that robots.txt files of others are redirected to.
  struct RedirectHost {
    CrawlSystem::Time rested{};
    CrawlSystem::Time next_turn{};
    bool is_busy = false;
  };
  struct Host {
    CrawlSystem::Time due{};
    std::uint32_t failures = 0;
    bool is_busy = false;
    bool is_waiting = false;
    std::uint64_t requests = 0;  // not stored yet
    std::uint64_t received_bytes = 0;
    std::map<std::string, Robots> robots;
    bool has_robots = false;                              // of some origin, in this run
    std::map<std::string, std::uint32_t> probe_attempts;  // by origin
    std::set<std::string> probed;                         // origins that this run asks no more
  };
  struct Answer {
    Expected purpose;
    SimulatedAnswer answer;
    bool is_prepared = false;
    std::optional<PageJudgement> judgement;
    Moment judged_at;
    bool is_stored = false;  // its record has the body
  };
  struct Offer {
    Url url;
    std::string referrer;
    QueueEntry::Kind kind = QueueEntry::Kind::kPage;
    std::uint32_t depth = 0;
    std::uint32_t redirects = 0;
    bool is_canonical = false;
    std::string named_by_host{};  // of a sitemap
  };

  void add_seeds();
  void move_to_seeds(const Url& seed);
  void queue_again();
  void queue_again(QueueEntry::Kind kind, bool is_wider, std::int64_t before_seconds);
  bool is_wanted_again(const ModelAddress& address, std::int64_t before_seconds) const;

  bool is_in_scope(const std::string& host) const;
  std::string domain_of(const std::string& host) const;
  bool admits(const std::string& host) const;
  CrawlReason refusal(const Offer& offer) const;
  CrawlReason refusal_of_page(const Offer& offer) const;
  bool knows_port(const Url& url) const;
  void offer(Offer offer);
  void skip(const std::string& host, const Offer& offer, CrawlReason reason);
  void enqueue(const std::string& host, const QueueEntry& entry);
  void schedule(const std::string& host);
  double usual_pause_seconds() const;
  CrawlSystem::Time::duration redirect_pause() const;
  void release(const std::string& host, const FetchResult& fetch, bool has_failed);
  void settle(const Expected& purpose, ModelAddress address, CrawlLogEntry line, ModelLine written);
  void put_back(const Expected& purpose);
  void touch(const std::string& host);
  double crawl_delay_seconds(const std::string& host) const;

  Robots* find_robots(const std::string& host, const std::string& origin);
  CrawlReason refusal_now(const std::string& host, const Robots& robots, const CrawlState::Queued& queued,
                          const Url& url) const;
  bool must_probe(const std::string& host, const Robots& robots, const std::string& origin);
  bool is_superseded(const QueueEntry& entry) const;
  bool needs_page(const Answer& answer) const;
  bool is_compared(const Answer& answer) const;
  std::optional<bool> is_like_missing(const Answer& answer, const std::optional<Url>& target) const;
  bool is_soft_404(const Answer& answer, const std::optional<Url>& target = {}) const;
  bool weigh(const Answer& answer, const std::optional<Url>& target);
  void handle(Answer& answer);
  void handle_robots(Answer& answer);
  void follow_robots(const std::string& host, const std::string& origin, const Url& target, std::uint32_t redirects,
                     bool has_turn);
  void handle_probe(Answer& answer);
  void handle_sitemap(Answer& answer);
  std::string follow_sitemap(const Answer& answer, UrlRecord& record);
  void handle_page(Answer& answer);
  std::string handle_redirect(Answer& answer, ModelAddress& address, ModelLine& written);
  void handle_content(Answer& answer, ModelAddress& address, ModelLine& written);
  void handle_soft_404(Answer& answer, ModelAddress& address, ModelLine& written);
  bool count_copy(const Answer& answer, bool is_new);
  void count_barren(const Answer& answer, UrlStatus status);
  void capture(Answer& answer, ModelAddress& address, ModelLine& written);
  void follow_links(const Answer& answer, bool follows);

  CrawlOptions options_;
  ModelState state_;
  std::vector<ModelLine> lines_;
  std::set<std::string> seed_hosts_;  // or domains
  std::map<std::string, Host> hosts_;
  std::map<std::string, RedirectHost> redirect_hosts_;
  std::map<std::pair<CrawlSystem::Time, std::uint64_t>, std::string> schedule_;
  std::uint64_t schedule_sequence_ = 0;
  std::map<std::uint64_t, Expected> in_flight_;
  std::deque<Answer> received_;
  std::optional<Expected> next_request_;
  std::optional<ModelState> before_request_;
  std::int64_t probes_expire_seconds_ = 0;  // older answers are asked for again
  std::uint64_t pages_at_begin_ = 0;
  std::uint64_t pages_of_run_ = 0;
  Moment now_;
};

}  // namespace paraprint
