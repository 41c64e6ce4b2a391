// The values that a crawl keeps on disk, and their byte form (docs/formats/crawl-state.md). Plain data; encoding never
// fails, decoding answers nothing for bytes that are not such a value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "crawl/crawl_reason.h"
#include "paraprint/model.h"

namespace paraprint {

// What is known of an address, by its canonical URL.
struct UrlRecord {
  UrlStatus status = UrlStatus::kQueued;
  CrawlReason reason = CrawlReason::kNone;
  std::uint8_t depth = 0;
  std::int64_t fetched_at_seconds = 0;  // Unix time; 0: never
  std::string etag;                     // for the next conditional request
  std::string last_modified;
  std::string payload_digest;  // "sha1:...", of the stored body
  std::string record_id;       // "urn:uuid:...", of the stored response
  std::string date;            // of it, "2024-05-01T10:00:00Z"

  std::string encode() const;
  static std::optional<UrlRecord> decode(std::string_view bytes);
};

// An address in the queue of its host.
struct QueueEntry {
  enum class Kind : std::uint8_t { kPage = 0, kSitemap = 1 };  // persisted: never renumber
  Kind kind = Kind::kPage;
  std::string url;
  std::string referrer;        // page, sitemap or redirect that named it; empty for seeds
  std::uint8_t depth = 0;      // links from a seed; of a sitemap: how many indexes led to it
  std::uint8_t redirects = 0;  // that led here, in a row
  std::uint8_t attempts = 0;   // that failed

  std::string encode() const;
  static std::optional<QueueEntry> decode(std::string_view bytes);
};

// What a robots.txt was when it was last asked for, by origin.
struct RobotsRecord {
  enum class Answer : std::uint8_t { kFile = 0, kMissing = 1, kUnreachable = 2 };  // persisted: never renumber
  Answer answer = Answer::kMissing;
  CrawlReason reason = CrawlReason::kNone;  // of kUnreachable
  std::int64_t fetched_at_seconds = 0;
  std::string body;

  std::string encode() const;
  static std::optional<RobotsRecord> decode(std::string_view bytes);
};

// Counts of a host. The sum over all hosts is the crawl's.
struct HostRecord {
  std::uint64_t requests = 0;  // of every kind, robots.txt and repetitions among them
  std::uint64_t received_bytes = 0;
  std::uint64_t stored = 0;
  std::uint64_t copies = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t redirects = 0;
  std::uint64_t sitemaps = 0;
  std::uint64_t links_not_followed = 0;          // of copies beyond their budget
  std::uint64_t queued = 0;                      // addresses that wait
  double crawl_delay_seconds = -1;               // that robots.txt asks for; negative: none
  std::map<CrawlReason, std::uint64_t> reasons;  // addresses refused, failed and skipped

  std::uint64_t pages() const { return stored + copies + unchanged; }
  void add(const HostRecord& other);  // counts only

  std::string encode() const;
  static std::optional<HostRecord> decode(std::string_view bytes);
};

// Copies of one page.
struct ClusterRecord {
  std::uint64_t copies = 0;
  std::uint64_t expanded = 0;  // of them, links followed
  std::map<Verdict, std::uint64_t> verdicts;
  std::string examples;  // addresses of the first copies, a line each

  std::string encode() const;
  static std::optional<ClusterRecord> decode(std::string_view bytes);
};

// What the whole crawl goes on from.
struct CrawlPosition {
  std::uint64_t next_sequence = 0;  // of queue entries
  std::uint64_t next_record = 0;    // number of the next archive record
  std::uint64_t warc_file = 0;      // number of the archive file that is written
  std::uint64_t warc_bytes = 0;     // of it that are valid
  std::uint64_t log_bytes = 0;
  std::string crawl_id;               // random, made with the folder: record ids differ from those of other crawls
  std::uint64_t links_off_scope = 0;  // occurrences
  std::uint64_t links_unusable = 0;   // occurrences
  std::string seeds;                  // of layout 1; they have a value of their own since (CrawlState::seeds)
  // As of the last run: with larger ones, addresses that were left out before are wanted.
  std::uint64_t depth = 0;
  std::uint64_t pages_per_host = 0;

  std::string encode() const;
  static std::optional<CrawlPosition> decode(std::string_view bytes);
};

}  // namespace paraprint
