// When a host may be asked again: after a delay, and after a longer pause if it is in trouble.
#pragma once

#include <chrono>
#include <cstddef>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "paraprint/crawl.h"

namespace paraprint::inline crawler {

// True for failures that may pass. A refused address, a bad certificate or a 404 will be the same in five seconds.
bool is_worth_another_attempt(const FetchResult& fetch);

// Options and frontier must outlive it.
class HostPacing {
 public:
  HostPacing(const CrawlOptions& options, CrawlFrontier& frontier) : options_(options), frontier_(frontier) {}

  // Ends the request that keeps the host busy and puts the host back into the schedule, if it has queued addresses. The
  // pause after failures doubles with each one in a row, whatever address it was: a host in trouble is left alone as a
  // whole.
  void release(std::size_t host, const FetchResult& fetch, bool has_failed);

 private:
  std::chrono::duration<double> delay_of(const CrawlHost& host) const;

  const CrawlOptions& options_;
  CrawlFrontier& frontier_;
};

}  // namespace paraprint::inline crawler
