// The records that a crawl keeps on disk, and their byte form (docs/formats/crawl-state.md). Plain data. Encoding never
// fails; decoding returns an empty optional for bytes that are not such a record.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "crawl/crawl_reason.h"
#include "paraprint/model.h"

namespace paraprint::inline crawler {

enum class UrlKind : std::uint8_t { kPage = 0, kSitemap = 1 };  // persisted: never renumber

// What is known of an address, by its canonical URL.
struct UrlRecord {
  UrlStatus status = UrlStatus::kQueued;
  CrawlReason reason = CrawlReason::kNone;
  std::uint8_t depth = 0;
  std::int64_t fetched_at_seconds = 0;  // Unix time; 0: never
  std::string etag;                     // for the next conditional request; empty unless `record_id` has its page
  std::string last_modified;
  std::string payload_digest;  // "sha1:...", of the decoded body
  std::string record_id;       // "urn:uuid:...", of the stored response
  std::string date;            // of the stored response, "2024-05-01T10:00:00Z"
  std::string body_digest;     // of the stored response, by digest_of_body(); empty if it ends early
  UrlKind kind = UrlKind::kPage;

  std::string encode() const;
  static std::optional<UrlRecord> decode(std::string_view bytes);
};

// An address in the queue of its host.
struct QueueEntry {
  using Kind = UrlKind;
  Kind kind = Kind::kPage;
  std::string url;
  std::string referrer;        // page, sitemap or redirect that led here; empty for seeds
  std::uint8_t depth = 0;      // links from a seed; for a sitemap: number of indexes above it
  std::uint8_t redirects = 0;  // number of redirects in a row that led here
  std::uint8_t attempts = 0;   // failed attempts so far

  std::string encode() const;
  static std::optional<QueueEntry> decode(std::string_view bytes);
};

// The last answer to a request for a robots.txt, by origin; or that there was none, if an earlier one is too old.
struct RobotsRecord {
  enum class Availability : std::uint8_t { kFile = 0, kMissing = 1, kUnreachable = 2 };  // persisted: never renumber
  Availability answer = Availability::kMissing;
  CrawlReason reason = CrawlReason::kNone;  // of kUnreachable
  std::int64_t fetched_at_seconds = 0;
  std::string body;

  std::string encode() const;
  static std::optional<RobotsRecord> decode(std::string_view bytes);
};

// What an origin answered when it was asked for an address that does not exist (soft_404.h). Persisted: never renumber.
enum class ProbeAnswer : std::uint8_t {
  kError = 0,       // an HTTP error, as it should
  kPage = 1,        // a page, as if the address existed
  kRedirect = 2,    // a redirect to another address
  kOther = 3,       // something that no page can be compared with
  kNone = 4,        // no usable answer in any attempt
  kDisallowed = 5,  // it was not asked: robots.txt disallows it
};

// What is known of an origin's pages that are compared with its answer. Persisted: never renumber.
enum class ProbeStanding : std::uint8_t {
  kUndecided = 0,  // none of them has differed from it yet
  kDiffers = 1,    // one has: those like the answer are soft 404s
  kAlike = 2,      // all addresses are answered alike: the answer says nothing
};

// By origin.
struct ProbeRecord {
  ProbeAnswer answer = ProbeAnswer::kNone;
  ProbeStanding standing = ProbeStanding::kUndecided;
  std::int64_t fetched_at_seconds = 0;  // Unix time
  std::string redirect_target;          // of kRedirect
  std::string profile;                  // of kPage, serialised
  std::uint64_t bare_text_hash = 0;     // of kPage, see PreparedPage
  std::uint64_t matches = 0;            // pages like the answer while undecided, and front pages
  std::uint64_t expanded = 0;           // soft 404s whose links were followed
  std::string archived_url;             // a soft 404 that the archive has as a response; empty: none

  std::string encode() const;
  static std::optional<ProbeRecord> decode(std::string_view bytes);
};

// Counts of a host. Their sum over all hosts gives the totals of the crawl.
struct HostRecord {
  std::uint64_t requests = 0;  // of every kind, including robots.txt and retries
  std::uint64_t received_bytes = 0;
  std::uint64_t stored = 0;
  std::uint64_t copies = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t redirects = 0;
  std::uint64_t sitemaps = 0;
  std::uint64_t links_not_followed = 0;          // links of copies beyond --copy-links
  std::uint64_t queued = 0;                      // addresses in the queue
  double crawl_delay_seconds = -1;               // of the robots.txt files of the last run; negative: none
  std::map<CrawlReason, std::uint64_t> reasons;  // addresses refused, failed and skipped
  std::set<std::uint16_t> ports;                 // unusual ones (CrawlScope::is_usual_port()) with addresses

  std::uint64_t pages() const { return stored + copies + unchanged; }
  void add(const HostRecord& other);  // counts only
  // Adds an address to the counter of its outcome, or removes it again. A counter never goes below zero. Sitemaps are
  // counted when they are offered; only their failures are counted like those of pages.
  void count(const UrlRecord& address, bool is_added);

  std::string encode() const;
  static std::optional<HostRecord> decode(std::string_view bytes);
};

// The copies of one page.
struct ClusterRecord {
  std::uint64_t copies = 0;
  std::uint64_t expanded = 0;  // copies whose links were followed
  std::map<Verdict, std::uint64_t> verdicts;
  std::string examples;  // addresses of the first copies, one per line

  std::string encode() const;
  static std::optional<ClusterRecord> decode(std::string_view bytes);
};

// The point from which the whole crawl resumes.
struct CrawlPosition {
  std::uint64_t next_sequence = 0;  // of queue entries
  std::uint64_t next_record = 0;    // number of the next archive record
  std::uint64_t warc_file = 0;      // number of the current archive file
  std::uint64_t warc_bytes = 0;     // its valid length
  std::uint64_t log_bytes = 0;
  std::string crawl_id;               // random, one per folder: makes record ids differ from those of other crawls
  std::uint64_t links_off_scope = 0;  // occurrences
  std::uint64_t links_unusable = 0;   // occurrences
  std::string seeds;                  // only in layout 1; now a record of their own (CrawlState::seeds)
  // Options of the last run: if they are larger now, some addresses that were skipped are wanted.
  std::uint64_t depth = 0;
  std::uint64_t pages_per_host = 0;
  std::uint64_t hosts_per_domain = 0;  // no limit before layout 3
  // Name of the current archive file, without ".open" (crawl/warc_output.h); meaningless if warc_bytes is 0.
  std::string warc_name;

  std::string encode() const;
  static std::optional<CrawlPosition> decode(std::string_view bytes);
};

}  // namespace paraprint::inline crawler
