// What can be known of a page by itself, before the crawl decides anything: decoded, its links read, its profile made.
// That is most of the work for a page, and is done on threads of its own while the crawl goes on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "crawl/crawl_reason.h"
#include "crawl/fetcher.h"
#include "html/charset.h"
#include "paraprint/crawl.h"
#include "paraprint/engine.h"
#include "web/links.h"

namespace paraprint {

struct PreparedPage {
  CrawlReason refusal = CrawlReason::kNone;  // why it is none; nothing else is set then
  std::string url;
  std::string date;
  std::string payload_digest;
  PageLinks links;
  Profile profile;
};

// Not thread-safe: one a thread.
class PagePreparer {
 public:
  // `token` names the crawler to sites. Errors: those of Profiler::create().
  static Result<std::unique_ptr<PagePreparer>> create(const CrawlOptions& options, const std::string& token);

  // Of an answer with status 200.
  PreparedPage prepare(const FetchResult& fetch);

 private:
  PagePreparer(const CrawlOptions& options, std::string token, Profiler profiler)
      : options_(options), token_(std::move(token)), profiler_(std::move(profiler)) {}
  PageLinks read_links(const FetchResult& fetch, const Page& page);

  const CrawlOptions& options_;
  std::string token_;
  Profiler profiler_;
  PageDecoder decoder_;
  LinkExtractor links_;
};

// Threads that prepare pages. Used by one thread.
class PreparationPool {
 public:
  // An answer that is prepared, or waits for it.
  class Job {
   public:
    explicit Job(const FetchResult& fetch) : fetch_(fetch) {}

   private:
    friend class PreparationPool;
    const FetchResult& fetch_;
    std::optional<PreparedPage> page_;  // under the pool's mutex, with what was thrown (no memory) in its place
    std::exception_ptr exception_;
  };

  // `options` must outlive the pool. `wake` is called from any thread when a page is prepared.
  static Result<std::unique_ptr<PreparationPool>> create(const CrawlOptions& options, const std::string& token,
                                                         std::function<void()> wake);
  ~PreparationPool();
  PreparationPool(const PreparationPool&) = delete;
  PreparationPool& operator=(const PreparationPool&) = delete;

  // `fetch` must stay where it is until the page is taken, or the pool is gone.
  std::shared_ptr<Job> start(const FetchResult& fetch);
  // The prepared page, once; nothing if it is still worked on. Throws what preparing it threw.
  std::optional<PreparedPage> take(Job& job);

  std::size_t threads() const { return threads_.size(); }

 private:
  explicit PreparationPool(std::function<void()> wake) : wake_(std::move(wake)) {}
  void work(PagePreparer& preparer);

  std::function<void()> wake_;
  std::vector<std::unique_ptr<PagePreparer>> preparers_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::shared_ptr<Job>> waiting_;
  bool is_stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace paraprint
