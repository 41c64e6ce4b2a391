// One run of a crawl: sends requests to hosts when they are due and handles the answers. The loop is in crawl_run.cc;
// crawl_run_robots.cc, crawl_run_pages.cc and crawl_run_sitemaps.cc handle the three kinds of answers.
//
// One thread runs the loop and owns all state. Other threads only prepare pages (decoding, links, profile).
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

  // Runs until nothing is left, a limit is reached or the caller asks to stop; then writes summary and report.
  Result<CrawlOutcome> run();

 private:
  using Clock = std::chrono::steady_clock;

  // A request in progress.
  struct Pending {
    std::size_t host = 0;
    std::optional<CrawlState::Queued> queued;  // empty for a robots.txt
    std::string origin;                        // of a robots.txt
    std::uint32_t redirects = 0;               // of a robots.txt
  };

  // An answer that waits for its preparation or for earlier answers.
  struct Received {
    Pending pending;
    FetchResult fetch;
    std::shared_ptr<PreparationPool::Job> preparation;  // null unless it is a page with content
  };

  CrawlRun(const CrawlOptions& options, const CrawlControl& control) : options_(options), control_(control) {}

  // The loop
  bool is_stop_asked() const { return control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed); }
  bool is_page_limit_reached() const;
  bool can_start() const;
  Status start_due();
  Status start_next(std::size_t host);
  Status end_what_is_under_way();
  // Queues the answers; pages are passed to other threads for preparation.
  void receive(std::vector<FetchResult> fetched);
  // Handles answers in the order of their arrival, up to the first that is not prepared yet.
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

  // Checked just before a request. kNone: it may be sent.
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
  std::string token_;  // the crawler's name in robots.txt
  std::map<std::uint64_t, Pending> pending_;
  std::deque<Received> received_;
  std::unique_ptr<PreparationPool> preparation_;  // destroyed first: its threads use received_ and fetcher_
  std::uint64_t next_number_ = 0;
  std::uint64_t pages_ = 0;  // pages with content in all runs
  std::uint64_t pages_at_begin_ = 0;
  std::optional<Clock::time_point> unsynced_since_;
  Clock::time_point began_;
  Clock::time_point shown_;
};

}  // namespace paraprint
