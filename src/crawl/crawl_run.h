// One run of a crawl: sends requests to hosts when they are due and passes each answer to the handler of its kind:
// RobotsFiles, SitemapFiles, Soft404Probes or PageAnswers.
//
// One thread runs the loop and owns all state. Other threads only prepare pages (decoding, links, profile).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crawl/crawl_frontier.h"
#include "crawl/crawl_system.h"
#include "crawl/fetcher.h"
#include "crawl/host_pacing.h"
#include "crawl/page_answers.h"
#include "crawl/page_judge.h"
#include "crawl/page_preparation.h"
#include "crawl/pending_requests.h"
#include "crawl/robots_files.h"
#include "crawl/sitemap_files.h"
#include "crawl/soft_404.h"
#include "crawl/warc_output.h"
#include "paraprint/crawl.h"
#include "web/url.h"

namespace paraprint::inline crawler {

// What a run gets from outside: answers, prepared pages, judgements, and the time. Those of a crawl of the web, unless
// a test overrides them. What the functions make may refer to `options`, which outlive it. Their errors end the run
// before it begins.
class CrawlSurroundings {
 public:
  virtual ~CrawlSurroundings() = default;
  virtual const CrawlSystem& system();
  virtual Result<std::unique_ptr<Fetcher>> make_fetcher(const CrawlOptions& options);
  // `token`: the crawler's name in robots directives. `wake` may be called from any thread when a page is prepared.
  virtual Result<std::unique_ptr<PagePreparation>> make_preparation(const CrawlOptions& options,
                                                                    const std::string& token,
                                                                    std::function<void()> wake);
  virtual Result<std::unique_ptr<PageJudge>> make_judge(const CrawlOptions& options, const std::string& index_folder,
                                                        const RunControl& control);
};

class CrawlRun {
 public:
  // `surroundings` must outlive the run.
  static Result<std::unique_ptr<CrawlRun>> open(const CrawlOptions& options, CrawlSurroundings& surroundings,
                                                const RunControl& control,
                                                std::function<void(const CrawlProgress&)> watch);

  // Runs until nothing is left, a limit is reached or the caller asks to stop; then writes summary and report.
  Result<CrawlOutcome> run();

 private:
  using Time = CrawlSystem::Time;

  // An answer that waits for its preparation or for earlier answers.
  struct Received {
    PendingRequest pending;
    FetchResult fetch;
    std::shared_ptr<PagePreparation::Job> preparation;  // null unless it is a page with content
  };

  CrawlRun(const CrawlOptions& options, const CrawlSystem& system, const RunControl& control,
           std::function<void(const CrawlProgress&)> watch)
      : options_(options), system_(system), control_(control), watch_(std::move(watch)) {}

  void connect(const std::string& token);

  // The loop
  bool is_stop_asked() const { return control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed); }
  std::uint64_t pages() const { return pages_at_begin_ + page_answers_->pages(); }  // with content, in all runs
  bool is_page_limit_reached() const;
  bool can_start() const;
  Status start_due();
  Status start_next(std::size_t host);
  Status skip(CrawlChanges& changes, std::size_t host, const CrawlState::Queued& queued, CrawlReason reason);
  Status send(CrawlChanges& changes, std::size_t host, const HostRobots& robots, CrawlState::Queued queued,
              const Url& url);
  Status end_what_is_under_way();
  // Queues the answers; pages are passed to other threads for preparation.
  void receive(std::vector<FetchResult> fetched);
  // Handles answers in the order of their arrival, up to the first that is not prepared yet.
  Status handle_received();
  Status handle(const Received& received, std::optional<PreparedPage> page);
  std::size_t under_way() const { return fetcher_->in_flight() + received_.size(); }
  Status sync();
  Status sync_if_due();
  Status forget_page_in_doubt();
  Status forget_lost_pages();
  void show_progress(bool is_finished);
  CrawlProgress progress(bool is_finished) const;

  // Checked just before a request. kNone: it may be sent.
  Result<CrawlReason> refusal_now(const CrawlHost& host, const HostRobots& robots, const CrawlState::Queued& queued,
                                  const Url& url) const;
  Result<FetchRequest> make_request(const CrawlState::Queued& queued);

  CrawlOptions options_;
  const CrawlSystem& system_;
  RunControl control_;
  std::function<void(const CrawlProgress&)> watch_;
  std::unique_ptr<CrawlFrontier> frontier_;
  std::unique_ptr<Fetcher> fetcher_;
  std::unique_ptr<PageJudge> judge_;
  std::optional<WarcOutput> archive_;
  UrlParser parser_;
  // From open() on, each using some of the parts above; later ones use earlier ones.
  std::optional<PendingRequests> requests_;
  std::optional<HostPacing> pacing_;
  std::optional<SitemapFiles> sitemaps_;
  std::optional<RobotsFiles> robots_;
  std::optional<Soft404Probes> probes_;
  std::optional<PageAnswers> page_answers_;
  std::deque<Received> received_;
  std::unique_ptr<PagePreparation> preparation_;  // destroyed first: its threads use received_ and fetcher_
  std::uint64_t pages_at_begin_ = 0;              // pages with content in earlier runs
  std::optional<Time> unsynced_since_;
  Time began_;
  Time shown_;
};

}  // namespace paraprint::inline crawler
