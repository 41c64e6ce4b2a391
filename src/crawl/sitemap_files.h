// The sitemaps of a crawl: those that a robots.txt names, and those that a sitemap index names.
#pragma once

#include <string>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/host_pacing.h"
#include "crawl/pending_requests.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"
#include "web/url.h"

namespace paraprint::inline crawler {

// Used by one thread. What it is created from must outlive it. Errors are those of the frontier.
class SitemapFiles {
 public:
  SitemapFiles(const CrawlOptions& options, CrawlFrontier& frontier, HostPacing& pacing, UrlParser& parser)
      : options_(options), frontier_(frontier), pacing_(pacing), parser_(parser) {}

  // Offers the sitemaps that the robots.txt at `robots_url` names.
  Status offer(CrawlChanges& changes, const HostRobots& robots, const std::string& robots_url);

  // Handles the answer to the address of a sitemap: offers what it lists, settles it and releases the host.
  Status handle(const PendingRequest& pending, const FetchResult& fetch);

 private:
  const CrawlOptions& options_;
  CrawlFrontier& frontier_;
  HostPacing& pacing_;
  UrlParser& parser_;
};

}  // namespace paraprint::inline crawler
