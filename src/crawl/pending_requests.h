// The requests in progress: what each one is for, by the number under which its answer returns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"

namespace paraprint::inline crawler {

struct PendingRequest {
  std::size_t host = 0;
  std::optional<CrawlState::Queued> queued;  // empty for a robots.txt or a probe
  std::string origin;                        // of a robots.txt or a probe
  std::uint32_t redirects = 0;               // in a row, of a robots.txt or a probe
  bool is_probe = false;                     // soft_404.h
};

// Used by one thread. Fetcher and frontier must outlive it.
class PendingRequests {
 public:
  PendingRequests(Fetcher& fetcher, CrawlFrontier& frontier) : fetcher_(fetcher), frontier_(frontier) {}

  // Sends the request, under a number of its own. The host is busy until HostPacing::release().
  void start(FetchRequest request, PendingRequest purpose) {
    request.number = next_number_++;
    frontier_.host(purpose.host).is_busy = true;
    pending_.emplace(request.number, std::move(purpose));
    fetcher_.start(std::move(request));
  }

  // What the answered request was for. Requires an answer to a request that start() sent, and each one once.
  PendingRequest take(const FetchResult& fetch) { return std::move(pending_.extract(fetch.request.number).mapped()); }

  // Forgets the requests that Fetcher::cancel_all() dropped.
  void clear() { pending_.clear(); }

 private:
  Fetcher& fetcher_;
  CrawlFrontier& frontier_;
  std::map<std::uint64_t, PendingRequest> pending_;
  std::uint64_t next_number_ = 0;
};

}  // namespace paraprint::inline crawler
