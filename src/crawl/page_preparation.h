// Prepares a page as far as possible without the state of the crawl: decodes it, extracts its links and makes its
// profile. That is most of the work per page and is done by separate threads while the crawl continues.
#pragma once

#include <atomic>
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

#include "base/stop.h"
#include "crawl/crawl_reason.h"
#include "crawl/fetcher.h"
#include "html/charset.h"
#include "paraprint/crawl.h"
#include "paraprint/engine.h"
#include "web/links.h"

namespace paraprint::inline crawler {

struct PreparedPage {
  CrawlReason refusal = CrawlReason::kNone;  // why the answer is not a page; nothing else is set then
  std::string url;
  std::string date;
  std::string payload_digest;
  PageLinks links;
  Profile profile;
  // Of the main content without the page's own address, which pages that say "not found" repeat; 0: nothing is left.
  std::uint64_t bare_text_hash = 0;
  PageFingerprint fingerprint;  // by CrawlOptions::profile.algorithm; empty under the paragraph method
};

// Not thread-safe: one instance per thread.
class PagePreparer {
 public:
  // `token` is the crawler's name in robots directives. `options` must outlive the preparer. Errors: those of
  // Profiler::create().
  static Result<std::unique_ptr<PagePreparer>> create(const CrawlOptions& options, const std::string& token);

  // Prepares an answer with status 200. Throws std::bad_alloc. The only error is kCancelled, when `control` asks.
  Result<PreparedPage> prepare(const FetchResult& fetch, const RunControl& control = {});

 private:
  PagePreparer(const CrawlOptions& options, std::string token, Profiler profiler)
      : options_(options), token_(std::move(token)), profiler_(std::move(profiler)) {}
  PageLinks read_links(const FetchResult& fetch, const Page& page, StopCheck& stop);

  const CrawlOptions& options_;
  std::string token_;
  Profiler profiler_;
  PageDecoder decoder_;
  LinkExtractor links_;
};

// Prepares pages while the crawl continues. Used by one thread.
class PagePreparation {
 public:
  // An answer being prepared.
  struct Job {
    explicit Job(const FetchResult& answer) : fetch(answer) {}
    const FetchResult& fetch;
    // Both belong to the preparation; one of them is set when the job is done.
    std::optional<PreparedPage> page;
    std::exception_ptr exception;
  };

  virtual ~PagePreparation() = default;
  // `fetch` must stay valid and in place until the page is taken or the preparation is destroyed.
  virtual std::shared_ptr<Job> start(const FetchResult& fetch) = 0;
  // Returns the prepared page, once; empty while it is being prepared. Rethrows what preparing it threw.
  virtual std::optional<PreparedPage> take(Job& job) = 0;
  // How many pages can be prepared at the same time.
  virtual std::size_t threads() const = 0;
};

// A pool of threads that prepare pages.
class PreparationPool final : public PagePreparation {
 public:
  // `options` must outlive the pool. `wake` is called from a thread of the pool whenever a page is prepared.
  static Result<std::unique_ptr<PreparationPool>> create(const CrawlOptions& options, const std::string& token,
                                                         std::function<void()> wake);
  ~PreparationPool() override;
  PreparationPool(const PreparationPool&) = delete;
  PreparationPool& operator=(const PreparationPool&) = delete;

  std::shared_ptr<Job> start(const FetchResult& fetch) override;
  std::optional<PreparedPage> take(Job& job) override;
  std::size_t threads() const override { return threads_.size(); }

 private:
  explicit PreparationPool(std::function<void()> wake) : wake_(std::move(wake)) {}
  void work(PagePreparer& preparer);

  std::function<void()> wake_;
  std::vector<std::unique_ptr<PagePreparer>> preparers_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::shared_ptr<Job>> waiting_;  // what is done is also guarded by the mutex
  std::atomic<bool> is_stopping_ = false;     // set under the mutex; pages being prepared look at it without
  std::vector<std::thread> threads_;
};

}  // namespace paraprint::inline crawler
