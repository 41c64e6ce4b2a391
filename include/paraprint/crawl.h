// A polite crawler that recognises copies while it crawls. docs/crawl.md tells what it does and what it writes.
//
//   CrawlOptions options;
//   options.seeds = {"https://example.org/"};
//   options.folder = "example";
//   Result<CrawlOutcome> outcome = crawl(options, {});
//
// Called again with the same folder it goes on where it was: after a kill, after a limit, with more seeds.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

struct CrawlOptions {
  std::vector<std::string> seeds;  // http or https; may be empty when the folder holds a crawl
  std::string folder;              // created if missing

  // What belongs to the crawl
  std::uint32_t depth = 3;     // links from a seed; 0: the seeds alone
  std::string scope = "host";  // of the seeds: "host", "domain" (the host without www., and every host below it), "any"
  std::vector<std::string> includes;  // patterns with '*' and '$' on whole URLs; empty: all
  std::vector<std::string> excludes;  // likewise; stronger than includes
  bool use_sitemaps = true;           // those that robots.txt names; their pages count as linked from a seed
  // Take session ids and campaign parameters out of addresses (crawl/url_cleaning.h).
  bool strip_tracking = true;
  std::uint64_t pages_maximum = 0;          // pages with content in all runs together; 0: no limit
  std::uint64_t pages_per_host = 0;         // likewise of one host
  std::int64_t refetch_after_seconds = -1;  // ask again for pages fetched longer ago, with If-None-Match; -1: never

  // Politeness
  std::string user_agent = "paraprint/0.1";  // its first word is the name in robots.txt
  double delay_seconds = 1;   // between two requests to a host, from the end of the one; robots.txt may ask for more
  double pages_per_hour = 0;  // of a host, as another way to say the delay; the larger one counts; 0: not given
  double delay_maximum_seconds = 300;  // a host that asks for more gets this
  std::uint32_t connections = 16;      // at a time, at most one a host; range 1 to 1000
  std::uint32_t retries = 2;           // of a failed request; range 0 to 20
  double retry_pause_seconds = 5;      // of the host after a failure; doubles with each further one in a row

  // Copies
  std::string copies = "revisit";  // in the archive: "revisit" records without body, "store" or "skip"
  std::uint32_t copy_links = 2;    // copies of one page whose links are followed; the links of further ones are not
  // Pages in a row of one URL shape (crawl/url_shape.h) that are copies or without text, until no further address of
  // that shape is asked for; 0: never.
  std::uint32_t barren_maximum = 25;
  // Pages that ask not to be indexed (noindex in a robots <meta> or X-Robots-Tag): "archive" keeps them and leaves them
  // out of the index of known pages, "index" treats them as any other, "skip" keeps nothing but the line in the log.
  std::string noindex = "archive";
  bool follow_rel_nofollow = false;  // links marked rel=nofollow, too; nofollow of a whole page is always obeyed
  std::string index_folder;          // index of known pages; empty: one of this crawl alone, in its folder

  // Limits of one response
  std::vector<std::string> content_types = {"text/html", "application/xhtml+xml", "text/plain"};
  std::uint64_t body_bytes_maximum = std::uint64_t{16} << 20;     // as it comes over the wire
  std::uint64_t decoded_bytes_maximum = std::uint64_t{64} << 20;  // decompressed
  std::uint64_t header_bytes_maximum = std::uint64_t{256} << 10;
  double connect_timeout_seconds = 15;
  double timeout_seconds = 120;       // of a whole request
  double stall_timeout_seconds = 30;  // below stall_bytes_per_second for so long
  std::uint32_t stall_bytes_per_second = 100;
  // Addresses that are not public but allowed, as blocks ("10.1.0.0/16", "::1"), or "private" for all.
  std::vector<std::string> allowed_addresses;

  std::uint64_t warc_file_bytes = std::uint64_t{1} << 30;  // a new file is begun beyond
  ProfileOptions profile;
  MatchOptions match;

  Status validate() const;
};

// How far a crawl is, for a person. Calls come from one thread, about five a second.
struct CrawlProgress {
  std::uint64_t pages = 0;  // with content, copies included
  std::uint64_t copies = 0;
  std::uint64_t skipped = 0;  // addresses that were not asked for
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
  bool is_complete = false;  // nothing is left to ask for
  std::string stopped_by;    // "", "page-limit", "request"
  std::string report_path;   // report/index.html
};

struct CrawlControl {
  std::function<void(const CrawlProgress&)> progress;
  std::function<void(const std::string&)> complain;  // lines for a person
  // Set from a signal handler or another thread: what is under way is finished, the state saved.
  const std::atomic<bool>* stop = nullptr;
};

// Crawls until nothing is left, a limit is reached or `control.stop` is set. A page is safe from a kill, in archive,
// log and index, before the next request to its host; a killed run asks again only for what was under way: at most one
// address a host. A power cut costs the pages of the last quarter of a second, too.
//
// Errors: kInvalidArgument (options, no usable seed, a folder another crawl is writing to), kNoSpace, kInputOutput,
// kPermissionDenied, kCorruptData. What servers do is no error: it is logged, counted and reported.
Result<CrawlOutcome> crawl(const CrawlOptions& options, const CrawlControl& control);

}  // namespace paraprint
