// The robots.txt files of a crawl: looked up, requested when they are missing or old, and stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/host_pacing.h"
#include "crawl/pending_requests.h"
#include "crawl/sitemap_files.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"
#include "web/url.h"

namespace paraprint::inline crawler {

// Which rules are in memory. Hosts are many, and each of them chooses how large its file is, so the rules that were not
// used for longest are dropped. They remain in the state of the crawl and are parsed again when needed.
//
// Used by one thread. The files must keep their addresses and outlive it.
class RobotsMemory {
 public:
  explicit RobotsMemory(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // The rules of this file are used now, for the first time or after they changed: counts them, and drops those of
  // other files as far as the limit requires.
  void keep(HostRobots& robots) {
    forget(robots);
    robots.are_rules_in_memory = true;
    used_.push_front({&robots, robots.rules.memory_bytes()});
    places_.emplace(&robots, used_.begin());
    total_bytes_ += used_.front().size_bytes;
    while (total_bytes_ > limit_bytes_ && used_.size() > 1) drop(*used_.back().robots);
  }

  // The rules of this file, which are in memory, are used again. Cost: constant but for a look-up by address.
  void use(HostRobots& robots) {
    const auto found = places_.find(&robots);
    if (found != places_.end()) used_.splice(used_.begin(), used_, found->second);
  }

  std::size_t total_bytes() const { return total_bytes_; }

 private:
  struct Used {
    HostRobots* robots;
    std::size_t size_bytes;
  };

  void forget(HostRobots& robots) {
    const auto found = places_.find(&robots);
    if (found == places_.end()) return;
    total_bytes_ -= found->second->size_bytes;
    used_.erase(found->second);
    places_.erase(found);
  }
  void drop(HostRobots& robots) {
    forget(robots);
    robots.rules = {};
    robots.are_rules_in_memory = false;
  }

  std::size_t limit_bytes_;
  std::size_t total_bytes_ = 0;
  std::list<Used> used_;  // used last first
  std::map<const HostRobots*, std::list<Used>::iterator> places_;
};

// Rules of all hosts that are kept in memory.
inline constexpr std::size_t kRobotsMemoryBytes = std::size_t{64} << 20;

// Used by one thread. What it is created from must outlive it. Errors are those of the frontier.
class RobotsFiles {
 public:
  // `token`: the crawler's name in the files.
  RobotsFiles(const CrawlOptions& options, std::string token, CrawlFrontier& frontier, PendingRequests& requests,
              HostPacing& pacing, SitemapFiles& sitemaps, UrlParser& parser);

  // The rules for an origin (scheme, host and port) of the host, in memory until the next call of this object; null if
  // they have to be requested.
  Result<HostRobots*> find(CrawlHost& host, const std::string& origin);

  // Goes on with a redirect whose turn has come, if there is one. Afterwards the host is busy, or waits for a later
  // turn.
  void request(std::size_t host, const std::string& origin);

  // Handles the answer: stores the file, follows a redirect or tries again. Afterwards the host is released, or busy
  // with the next request.
  Status handle(const PendingRequest& pending, const FetchResult& fetch);

 private:
  void send(std::size_t host, const std::string& origin, const std::string& url, std::uint32_t redirects);
  bool may_ask(const CrawlHost& host, const Url& target) const;
  void follow(std::size_t host, const std::string& origin, const Url& target, std::uint32_t redirects, bool has_turn);
  Status settle(CrawlChanges& changes, const PendingRequest& pending, const RobotsRecord& record);

  const CrawlOptions& options_;
  const std::string token_;
  CrawlFrontier& frontier_;
  PendingRequests& requests_;
  HostPacing& pacing_;
  SitemapFiles& sitemaps_;
  UrlParser& parser_;
  RobotsMemory memory_{kRobotsMemoryBytes};
  RedirectTurns turns_;
};

}  // namespace paraprint::inline crawler
