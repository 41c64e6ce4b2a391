// One run of a crawl: asks hosts when they are due and handles what they answer. crawl_run.cc has the loop,
// crawl_run_robots.cc, crawl_run_pages.cc and crawl_run_sitemaps.cc what becomes of each kind of answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/page_judge.h"
#include "crawl/page_preparation.h"
#include "crawl/warc_output.h"
#include "paraprint/crawl.h"
#include "web/links.h"

namespace paraprint {

class CrawlRun {
 public:
  static Result<std::unique_ptr<CrawlRun>> open(const CrawlOptions& options, const CrawlControl& control);

  // Until nothing is left, a limit is reached or the caller asks to stop; writes summary and report.
  Result<CrawlOutcome> run();

 private:
  using Clock = std::chrono::steady_clock;

  // A request under way.
  struct Pending {
    std::size_t host = 0;
    std::optional<CrawlState::Queued> queued;  // nothing for a robots.txt
    std::string origin;                        // whose robots.txt this is
    std::uint32_t redirects = 0;               // of a robots.txt
  };

  // An answer that waits for those before it.
  struct Received {
    Pending pending;
    FetchResult fetch;
    std::shared_ptr<PreparationPool::Job> preparation;  // of a page with content
  };

  CrawlRun(const CrawlOptions& options, const CrawlControl& control) : options_(options), control_(control) {}

  // The loop
  bool is_stop_asked() const { return control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed); }
  bool is_page_limit_reached() const;
  bool can_start() const;
  Status start_due();
  Status start_next(std::size_t host);
  Status end_what_is_under_way();
  // Takes what was fetched; pages go to threads to be prepared.
  void receive(std::vector<FetchResult> fetched);
  // Handles what was received, in its order, as far as it is prepared.
  Status handle_received();
  Status handle(const Received& received, std::optional<PreparedPage> page);
  std::size_t under_way() const { return fetcher_->in_flight() + received_.size(); }
  Status sync();
  Status sync_if_due();
  Status forget_lost_pages();
  void show_progress(bool is_finished);
  CrawlProgress progress(bool is_finished) const;

  // Politeness
  std::chrono::duration<double> delay_of(const CrawlHost& host) const;
  void release(std::size_t host, const FetchResult& fetch, bool has_failed);
  bool is_worth_another_attempt(const FetchResult& fetch) const;

  // robots.txt
  Result<HostRobots*> robots_of(CrawlHost& host, const std::string& origin);
  void start_robots(std::size_t host, const std::string& origin, const std::string& url, std::uint32_t redirects);
  Status handle_robots(const Pending& pending, const FetchResult& fetch);
  Status settle_robots(CrawlChanges& changes, const Pending& pending, const RobotsRecord& record);

  // Before a request. kNone: it may be made.
  Result<CrawlReason> refusal_now(const CrawlHost& host, const HostRobots& robots, const CrawlState::Queued& queued,
                                  const Url& url) const;
  Result<FetchRequest> make_request(const CrawlState::Queued& queued);

  // Sitemaps
  Status offer_sitemaps(CrawlChanges& changes, const HostRobots& robots, const std::string& robots_url);
  Status handle_sitemap(const Pending& pending, const FetchResult& fetch);

  // Pages
  struct PageAnswer;
  bool has_content(const Pending& pending, const FetchResult& fetch) const;
  Status handle_page(const Pending& pending, const FetchResult& fetch, std::optional<PreparedPage> page);
  Status handle_failure(CrawlChanges& changes, PageAnswer& answer);
  Status handle_redirect(CrawlChanges& changes, PageAnswer& answer);
  Status handle_not_modified(CrawlChanges& changes, PageAnswer& answer);
  Status handle_http_error(CrawlChanges& changes, PageAnswer& answer);
  Status handle_content(CrawlChanges& changes, PageAnswer& answer);
  Status capture(PageAnswer& answer, Capture capture);
  Status settle_page(CrawlChanges& changes, PageAnswer& answer);
  Status count_copy(CrawlChanges& changes, PageAnswer& answer, bool& follows_links);
  Status count_barren(CrawlChanges& changes, const PageAnswer& answer);
  Status follow_links(CrawlChanges& changes, PageAnswer& answer, PageLinks links, bool follows_links);

  Status write_report(const CrawlOutcome& outcome);

  CrawlOptions options_;
  CrawlControl control_;
  std::unique_ptr<CrawlFrontier> frontier_;
  std::unique_ptr<Fetcher> fetcher_;
  std::unique_ptr<PageJudge> judge_;
  std::optional<WarcOutput> archive_;
  UrlParser parser_;
  std::string token_;  // of robots.txt
  std::map<std::uint64_t, Pending> pending_;
  std::deque<Received> received_;
  std::unique_ptr<PreparationPool> preparation_;  // goes first: it reads what was received, and wakes the fetcher
  std::uint64_t next_number_ = 0;
  std::uint64_t pages_ = 0;  // with content, of all runs
  std::uint64_t pages_at_begin_ = 0;
  std::optional<Clock::time_point> unsynced_since_;
  Clock::time_point began_;
  Clock::time_point shown_;
};

}  // namespace paraprint
