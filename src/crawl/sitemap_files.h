// The sitemaps of a crawl: those that a robots.txt names, and those that a sitemap index names.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/host_pacing.h"
#include "crawl/pending_requests.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"
#include "web/url.h"

namespace paraprint::inline crawler {

// Used by one thread. What it is created from must outlive it. Errors are those of the frontier and of `sync_if_due`,
// which is called while a long sitemap is read, when everything so far is committed.
class SitemapFiles {
 public:
  SitemapFiles(const CrawlOptions& options, CrawlFrontier& frontier, HostPacing& pacing, UrlParser& parser,
               std::function<Status()> sync_if_due)
      : options_(options),
        frontier_(frontier),
        pacing_(pacing),
        parser_(parser),
        sync_if_due_(std::move(sync_if_due)) {}

  // Offers the sitemaps that the robots.txt at `robots_url`, a file of `host`, names. They may be on any host.
  Status offer(CrawlChanges& changes, std::size_t host, const HostRobots& robots, const std::string& robots_url);

  // Handles the answer to the address of a sitemap: offers what it lists or where it redirects to, settles it and
  // releases the host. An index may only list sitemaps of its own host.
  Status handle(const PendingRequest& pending, const FetchResult& fetch);

 private:
  Status follow(CrawlChanges& changes, const PendingRequest& pending, const FetchResult& fetch, UrlRecord& record,
                std::string& target_url);
  Status offer_all(CrawlChanges& changes, const PendingRequest& pending, const std::vector<std::string>& urls,
                   QueueEntry::Kind kind, std::uint32_t depth);

  const CrawlOptions& options_;
  CrawlFrontier& frontier_;
  HostPacing& pacing_;
  UrlParser& parser_;
  const std::function<Status()> sync_if_due_;
};

}  // namespace paraprint::inline crawler
