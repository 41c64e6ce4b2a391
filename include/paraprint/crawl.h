// A polite crawler that recognises copies while it crawls. docs/crawl.md describes its behaviour and its output.
//
// Example:
//
//   CrawlOptions options;
//   options.seeds = {"https://example.org/"};
//   options.folder = "example";
//   Result<CrawlOutcome> outcome = crawl(options, {});
//
// A second call with the same folder resumes the crawl: after a kill, after a limit, or with more seeds.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

// The enumerators of these are in the order of their names in the option table.

// Which hosts belong to the crawl: those of the seeds; these without "www." and all their subdomains; every host.
enum class HostScope : std::uint8_t { kHost, kDomain, kAny };

// What the archive has of a copy: a "revisit" record without a body, the record itself, or nothing.
enum class CopyTreatment : std::uint8_t { kRevisit, kStore, kSkip };

// What happens to pages marked noindex (robots <meta> or X-Robots-Tag): they are stored, but not added to the index of
// known pages; treated like any other page; or only logged.
enum class NoindexTreatment : std::uint8_t { kArchive, kIndex, kSkip };

struct CrawlOptions {
  std::vector<std::string> seeds;  // http or https; may be empty when the folder holds a crawl
  std::string folder;              // created if missing

  // Scope
  std::uint32_t depth = 3;  // links from a seed; 0: the seeds only
  HostScope scope = HostScope::kHost;
  std::vector<std::string> includes;  // patterns with '*' and '$', matched against whole URLs; empty: all
  std::vector<std::string> excludes;  // same syntax; take precedence over includes
  bool use_sitemaps = true;           // those listed in robots.txt; their pages count as linked from a seed
  // Strip session ids and campaign parameters from URLs (web/url_cleaning.h).
  bool strip_tracking = true;
  std::uint64_t pages_maximum = 0;          // pages with content over all runs; 0: no limit
  std::uint64_t pages_per_host = 0;         // the same limit per host; 0: no limit
  std::int64_t refetch_after_seconds = -1;  // refetch older pages, with If-None-Match; -1: never

  // Politeness
  std::string user_agent = "paraprint/0.1";  // the first word is matched against robots.txt
  // From the end of one request to the start of the next on the same host; robots.txt may ask for more.
  double delay_seconds = 1;
  double pages_per_hour = 0;           // per host, another way to set the delay; the longer one applies; 0: unset
  double delay_maximum_seconds = 300;  // cap on a delay requested by a host
  std::uint32_t connections = 16;      // simultaneous, at most one per host; range 1 to 1000
  std::uint32_t retries = 2;           // per failed request; range 0 to 20
  double retry_pause_seconds = 5;      // pause for the host after a failure; doubles with each consecutive failure

  // Copies
  CopyTreatment copies = CopyTreatment::kRevisit;
  std::uint32_t copy_links = 2;  // links are followed from this many copies of a page, not from further ones
  // After this many consecutive copies or empty pages of one URL shape (src/web/url_shape.h), a presumed crawler trap,
  // no more URLs of that shape are fetched; 0: never.
  std::uint32_t barren_maximum = 25;
  NoindexTreatment noindex = NoindexTreatment::kArchive;
  bool follow_rel_nofollow = false;  // follow links marked rel=nofollow; a page-level nofollow is always obeyed
  std::string index_folder;          // index of known pages; empty: a private one in the crawl's folder

  // Limits per response
  std::vector<std::string> content_types = {"text/html", "application/xhtml+xml", "text/plain"};
  std::uint64_t body_bytes_maximum = std::uint64_t{16} << 20;     // as received
  std::uint64_t decoded_bytes_maximum = std::uint64_t{64} << 20;  // decompressed
  std::uint64_t header_bytes_maximum = std::uint64_t{256} << 10;
  double connect_timeout_seconds = 15;
  double timeout_seconds = 120;       // for the whole request
  double stall_timeout_seconds = 30;  // abort after this long below stall_bytes_per_second
  std::uint32_t stall_bytes_per_second = 100;
  // Non-public IP addresses that may be contacted, as blocks ("10.1.0.0/16", "::1"), or "private" for all of them.
  std::vector<std::string> allowed_addresses;

  std::uint64_t warc_file_bytes = std::uint64_t{1} << 30;  // size at which a new file is started
  ProfileOptions profile;
  MatchOptions match;

  Status validate() const;
};

// The state of a crawl, for display. Reported from one thread, about five times per second.
struct CrawlProgress {
  std::uint64_t pages = 0;  // with content, copies included
  std::uint64_t copies = 0;
  std::uint64_t skipped = 0;  // URLs that were not requested
  std::uint64_t failed = 0;
  std::uint64_t queued = 0;
  std::uint64_t received_bytes = 0;
  std::uint32_t in_flight = 0;
  std::uint64_t pages_of_this_run = 0;
  double seconds_of_this_run = 0;
  bool is_finished = false;
};

struct CrawlOutcome {
  CrawlProgress totals;
  bool is_complete = false;  // the queue is empty
  std::string stopped_by;    // "", "page-limit", "request"
  std::string report_path;   // report/index.html
};

struct CrawlControl {
  std::function<void(const CrawlProgress&)> progress;
  std::function<void(const std::string&)> complain;  // human-readable warnings, one line each
  // Set it from a signal handler or another thread: requests in flight are completed and the state is saved.
  const std::atomic<bool>* stop = nullptr;
};

// Crawls until the queue is empty, a limit is reached or `control.stop` is set. A page survives a kill, in archive, log
// and index, before the next request to its host is sent, so a killed run repeats at most one request per host. A power
// failure additionally loses the pages of the last quarter of a second.
//
// Errors: kInvalidArgument (options, no usable seed, a folder in use by another crawl), kNoSpace, kInputOutput,
// kPermissionDenied, kCorruptData. Server failures are not errors: they are logged, counted and reported.
Result<CrawlOutcome> crawl(const CrawlOptions& options, const CrawlControl& control);

}  // namespace paraprint
