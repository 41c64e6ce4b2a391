// Soft 404s: pages that say "not found" with a status that says "found". Each origin is asked once for an address that
// cannot exist; its pages that are like the answer are recorded as missing.
//
// A site may also answer every address alike, because its pages are made by scripts or by its front page: then the
// answer says nothing, and no page of the origin is recorded as missing (ProbeStanding).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "crawl/crawl_frontier.h"
#include "crawl/fetcher.h"
#include "crawl/host_pacing.h"
#include "crawl/page_judge.h"
#include "crawl/page_preparation.h"
#include "crawl/pending_requests.h"
#include "crawl/robots_files.h"
#include "memory/seeded_hash.h"
#include "paraprint/crawl.h"
#include "paraprint/result.h"
#include "web/url.h"

namespace paraprint::inline crawler {

// The path that an origin is asked for: one word of letters that no site uses, the same in all runs of a crawl.
std::string probe_target(std::string_view crawl_id, std::string_view origin);

// Body of an answer to a probe, and its serialised profile: larger ones are not compared with pages.
inline constexpr std::uint64_t kProbeBytesMaximum = std::uint64_t{1} << 20;
inline constexpr std::size_t kProbeProfileBytesMaximum = std::size_t{1} << 20;
// Redirects of a probe that are followed because they only move the address, e.g. into the folder of a language.
inline constexpr std::uint32_t kProbeRedirectsMaximum = 5;
// After this many pages of an origin that all are like the answer to its probe, its addresses are all answered alike.
inline constexpr std::uint64_t kMatchesUntilAlike = 3;

// A page that is recorded as missing.
struct Soft404 {
  ProbeRecord probe;  // of its origin, as it will be stored
  std::string origin;
  // Of the page and the answer to the probe: known_url is the probed address, cluster_url a page that is missing like
  // this one and in the archive, or the page itself. Empty for a redirect.
  std::optional<PageJudgement> judgement;
  bool follows_links = false;
};

// Used by one thread. What it is created from must outlive it. Errors are those of the frontier.
class Soft404Probes {
 public:
  Soft404Probes(const CrawlOptions& options, CrawlFrontier& frontier, PendingRequests& requests, HostPacing& pacing,
                RobotsFiles& robots, UrlParser& parser);

  // Whether the origin must be asked before one of its pages is requested. A probe that robots.txt disallows is not
  // sent, which is noted in `changes`.
  Result<bool> must_ask(CrawlChanges& changes, const HostRobots& robots, const std::string& origin);
  void request(std::size_t host, const std::string& origin) {
    request(host, origin, origin + probe_target(frontier_.position().crawl_id, origin), 0);
  }

  // Whether handle() needs the answer prepared as a page.
  static bool has_content(const PendingRequest& pending, const FetchResult& fetch);

  // Handles the answer: stores what it says, follows a redirect or tries again. Afterwards the host is released, or
  // busy with the next request.
  Status handle(const PendingRequest& pending, const FetchResult& fetch, const std::optional<PreparedPage>& page);

  // Compares an address of a page with the answer to its origin's probe; empty unless it is missing. Each answer to an
  // address is compared once: that counts as evidence about the origin, which is noted in `changes`.
  Result<std::optional<Soft404>> find_page(CrawlChanges& changes, const QueueEntry& entry, const PreparedPage& page);
  Result<std::optional<Soft404>> find_redirect(CrawlChanges& changes, const QueueEntry& entry,
                                               const std::string& target);

  // A page that find_page() found is settled. `archived_url`: its address, if the archive has its body as a response
  // that those of further ones can be compared with; empty otherwise.
  void count(CrawlChanges& changes, Soft404 found, const std::string& archived_url);

 private:
  // What this run knows of an origin.
  struct Asked {
    bool is_settled = false;
    bool is_comparable = false;  // the answer may be like pages, or redirects, of the origin
    std::uint32_t attempts = 0;
  };
  static bool is_comparable(const ProbeRecord& record) {
    return (record.answer == ProbeAnswer::kPage || record.answer == ProbeAnswer::kRedirect) &&
           record.standing != ProbeStanding::kAlike;
  }

  void request(std::size_t host, const std::string& origin, const std::string& url, std::uint32_t redirects);
  Result<bool> follow(const PendingRequest& pending, const Url& target);
  Result<std::optional<ProbeRecord>> comparable(const Url& url);
  Result<std::optional<Soft404>> weigh(CrawlChanges& changes, const QueueEntry& entry, const Url& url,
                                       ProbeRecord record, std::optional<PageJudgement> judgement, bool is_match);
  void settle(CrawlChanges& changes, const std::string& origin, const ProbeRecord& record);

  const CrawlOptions& options_;
  CrawlFrontier& frontier_;
  PendingRequests& requests_;
  HostPacing& pacing_;
  RobotsFiles& robots_;
  UrlParser& parser_;
  const std::int64_t asked_before_seconds_;  // older answers are asked for again
  std::unordered_map<std::string, Asked, SeededHash> origins_;
};

}  // namespace paraprint::inline crawler
