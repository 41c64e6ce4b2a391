// A polite crawler that recognises copies while it crawls. docs/crawl.md describes its behaviour and its output.
//
// Example:
//
//   CrawlOptions options;
//   options.seeds = {"https://example.org/"};
//   options.out = "example";
//   Result<CrawlOutcome> outcome = crawl(options);
//
// A second call with the same folder resumes the crawl: after a kill, after a limit, or with more seeds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// The enumerators of these are in the order of their names in the option table.

// Which hosts belong to the crawl: those of the seeds; these without "www." and all their subdomains; every host.
enum class HostScope : std::uint8_t { kHost, kDomain, kAny };

// What the archive has of a copy, whose text is known but whose bytes are its own: the page itself, a metadata record
// that names the known page, or nothing. Answers that equal an earlier one byte for byte become revisit records.
enum class CopyTreatment : std::uint8_t { kStore, kMetadata, kSkip };

// What happens to pages marked noindex (robots <meta> or X-Robots-Tag): they are stored, but not added to the index of
// known pages; treated like any other page; or only logged.
enum class NoindexTreatment : std::uint8_t { kArchive, kIndex, kSkip };

// Whether each origin is asked once for an address that does not exist, so that pages like its answer are recorded as
// missing ones (soft 404).
enum class Soft404Treatment : std::uint8_t { kProbe, kOff };

struct CrawlOptions {
  std::vector<std::string> seeds;  // http or https; may be empty when the folder holds a crawl
  std::string out;                 // created if missing

  // Scope
  std::uint32_t depth = 3;  // links from a seed; 0: the seeds only
  HostScope scope = HostScope::kHost;
  std::vector<std::string> include;  // patterns with '*' and '$', matched against whole URLs; empty: all
  std::vector<std::string> exclude;  // same syntax; take precedence over includes
  bool sitemaps = true;              // those listed in robots.txt; their pages count as linked from a seed
  // Strip session ids and campaign parameters from URLs (web/url_cleaning.h).
  bool strip_tracking = true;
  std::uint64_t max_pages = 0;           // pages with content over all runs; 0: no limit
  std::uint64_t max_pages_per_host = 0;  // the same limit per host; 0: no limit
  // Under the scope "domain": hosts below the domain of a seed. Whoever owns a domain can make any number of them, and
  // each costs a robots.txt and about a kilobyte of memory. 0: no limit.
  std::uint64_t max_hosts_per_domain = 10'000;
  std::int64_t refetch_after = -1;  // seconds; refetch older pages, with If-None-Match; -1: never

  // Politeness
  std::string user_agent = "paraprint/0.1";  // the first word is matched against robots.txt
  // Seconds from the end of one request to the start of the next on the same host; robots.txt may ask for more.
  double delay = 1;
  double pages_per_hour = 0;       // per host, another way to set the delay; the longer one applies; 0: unset
  double max_delay = 300;          // seconds; cap on a delay requested by a host
  std::uint32_t connections = 16;  // simultaneous, at most one per host; range 1 to 1000
  std::uint32_t retries = 2;       // per failed request; range 0 to 20
  double retry_pause = 5;  // seconds without requests to the host after a failure; doubles with each further one

  // Copies
  CopyTreatment copies = CopyTreatment::kStore;
  std::uint32_t copy_links = 2;  // links are followed from this many copies of a page, not from further ones
  // After this many consecutive copies or empty pages of one URL shape (src/web/url_shape.h), a presumed crawler trap,
  // no more URLs of that shape are fetched; 0: never.
  std::uint32_t barren_limit = 25;
  NoindexTreatment noindex = NoindexTreatment::kArchive;
  Soft404Treatment soft_404 = Soft404Treatment::kProbe;
  bool follow_rel_nofollow = false;  // follow links marked rel=nofollow; a page-level nofollow is always obeyed
  std::string index;                 // index of known pages; empty: a private one in the crawl's folder

  // Limits per response
  std::vector<std::string> content_type = {"text/html", "application/xhtml+xml", "text/plain", "text/xml",
                                           "application/xml"};
  std::uint64_t max_body_bytes = std::uint64_t{16} << 20;     // as received
  std::uint64_t max_decoded_bytes = std::uint64_t{64} << 20;  // decompressed
  std::uint64_t max_header_bytes = std::uint64_t{256} << 10;
  double connect_timeout = 15;  // seconds, like the next two
  double timeout = 120;         // for the whole request
  double stall_timeout = 30;    // abort after this long below stall_bytes_per_second
  std::uint32_t stall_bytes_per_second = 100;
  // Non-public IP addresses that may be contacted, as blocks ("10.1.0.0/16", "::1"), or "private" for all of them.
  std::vector<std::string> allow_address;

  // Archive
  std::string warc_prefix = "crawl";                  // of file names: letters, digits, '-', '_', '.'
  std::uint64_t warc_bytes = std::uint64_t{1} << 30;  // size in bytes at which a new file is started
  // For the warcinfo records, each one line; empty: left out. The first names who is responsible for the crawl.
  std::string archive_operator;
  std::string description;
  CdxForm cdx = CdxForm::kNone;  // write the index of the archive next to it when the run ends

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

// Crawls until the queue is empty, a limit is reached or `control.stop` is set: then requests in flight are completed
// and the state is saved, which is a success with CrawlOutcome::stopped_by "request". `watch` gets the figures of the
// crawl whenever `control.progress` would. Warnings: repairs of the index of known pages. A page survives a kill, in
// archive, log and index, before the next request to its host is sent, so a killed run repeats at most one request per
// host. A power failure additionally loses the pages of the last quarter of a second.
//
// Errors: kInvalidArgument (options, no usable seed, a folder in use by another crawl), kNoSpace, kInputOutput,
// kPermissionDenied, kCorruptData. Server failures are not errors: they are logged, counted and reported.
Result<CrawlOutcome> crawl(const CrawlOptions& options, const RunControl& control = {},
                           const std::function<void(const CrawlProgress&)>& watch = {});

}  // namespace paraprint
