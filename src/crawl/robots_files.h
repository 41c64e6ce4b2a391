// The robots.txt files of a crawl: looked up, requested when they are missing or old, and stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/host_pacing.h"
#include "crawl/pending_requests.h"
#include "crawl/sitemap_files.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"
#include "web/url.h"

namespace paraprint {

// Used by one thread. What it is created from must outlive it. Errors are those of the frontier.
class RobotsFiles {
 public:
  // `token`: the crawler's name in the files.
  RobotsFiles(const CrawlOptions& options, std::string token, CrawlFrontier& frontier, PendingRequests& requests,
              HostPacing& pacing, SitemapFiles& sitemaps, UrlParser& parser);

  // The rules for an origin (scheme, host and port) of the host; null if they have to be requested.
  Result<HostRobots*> find(CrawlHost& host, const std::string& origin);

  void request(std::size_t host, const std::string& origin) { request(host, origin, origin + "/robots.txt", 0); }

  // Handles the answer: stores the file, follows a redirect or tries again. Afterwards the host is released, or busy
  // with the next request.
  Status handle(const PendingRequest& pending, const FetchResult& fetch);

 private:
  void request(std::size_t host, const std::string& origin, const std::string& url, std::uint32_t redirects);
  Status settle(CrawlChanges& changes, const PendingRequest& pending, const RobotsRecord& record);

  const CrawlOptions& options_;
  const std::string token_;
  CrawlFrontier& frontier_;
  PendingRequests& requests_;
  HostPacing& pacing_;
  SitemapFiles& sitemaps_;
  UrlParser& parser_;
};

}  // namespace paraprint
