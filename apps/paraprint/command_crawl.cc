// `paraprint crawl`: fetches sites politely and recognises copies while it does. The crawl itself is paraprint/crawl.h;
// this file declares its options in the groups of `--help`, prints progress, and maps the outcome to an exit code. A
// crawl ends in one of three ways: nothing left to fetch, a page limit, or a signal, which alone gives exit code 5.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "paraprint/crawl.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

constexpr std::chrono::seconds kLineInterval{30};  // between progress lines if standard error is not a terminal

struct CrawlCommand {
  CrawlOptions options;
  bool is_quiet = false;
};

// One line that is rewritten in place on a terminal; elsewhere a line now and then, so that logs stay short.
class CrawlPrinter {
 public:
  explicit CrawlPrinter(bool is_quiet) : is_quiet_(is_quiet), is_terminal_(standard_error_is_terminal()) {}

  void show(const CrawlProgress& progress) {
    if (is_quiet_) return;
    const auto now = std::chrono::steady_clock::now();
    if (!is_terminal_ && !progress.is_finished && now - last_line_ < kLineInterval) return;
    last_line_ = now;
    std::string line =
        fmt::format("crawl  {} pages ({} copies), {} queued, {} skipped, {} refused or failed, {:.1f} MB",
                    progress.pages, progress.copies, progress.queued, progress.skipped, progress.failed,
                    static_cast<double>(progress.received_bytes) / 1e6);
    // Rates count this run only. Polite crawls are slow, so below one page per second they are given per hour.
    if (progress.seconds_of_this_run >= 1) {
      const double rate = static_cast<double>(progress.pages_of_this_run) / progress.seconds_of_this_run;
      line += rate >= 1 ? fmt::format(", {:.1f} pages/s", rate) : fmt::format(", {:.0f} pages/h", rate * 3600);
    }
    if (is_terminal_) {
      rewrite_line(line, progress.is_finished);
    } else {
      print_line(line);
    }
  }

 private:
  bool is_quiet_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point last_line_ = std::chrono::steady_clock::now();
};

int run_crawl(const CrawlCommand& command) {
  CrawlPrinter printer(command.is_quiet);
  CrawlControl control;
  control.progress = [&printer](const CrawlProgress& progress) { printer.show(progress); };
  control.stop = &catch_stop_signals();
  const Result<CrawlOutcome> outcome = crawl(command.options, control);
  if (!outcome) return report_error(outcome.error());
  if (!command.is_quiet) {
    if (!outcome->is_complete) {
      print_line(fmt::format("{}: {} URLs are queued; repeat the command to resume",
                             outcome->stopped_by == "page-limit" ? "stopped at the page limit" : "stopped",
                             outcome->totals.queued));
    }
    print_line(fmt::format("report: {}", outcome->report_path));
  }
  // Reaching a page limit is a success: the crawl did what the command said.
  return outcome->stopped_by == "request" ? kInterrupted : kSuccess;
}

// Which URLs belong to the crawl, and when it ends.
void declare_extent(CLI::App& command, CrawlOptions& options) {
  constexpr const char* kGroup = "Extent";
  command.add_option("--depth", options.depth, "Maximum distance from a seed, in links")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--scope", options.scope,
                  "host: the seeds' hosts; domain: these without www., and their subdomains; any: every host")
      ->capture_default_str()
      ->group(kGroup);
  // One pattern per flag, so that words after it remain seeds, and patterns may contain commas.
  command.add_option("--include", options.includes, "Only URLs that match one of these patterns, with * and $")
      ->allow_extra_args(false)
      ->group(kGroup);
  command.add_option("--exclude", options.excludes, "No URLs that match one of these patterns")
      ->allow_extra_args(false)
      ->group(kGroup);
  add_switch(command, "--sitemaps,!--no-sitemaps", options.use_sitemaps, "Read the sitemaps that robots.txt names")
      ->group(kGroup);
  add_switch(command, "--strip-tracking,!--no-strip-tracking", options.strip_tracking,
             "Remove session ids and campaign parameters from URLs")
      ->group(kGroup);
  command.add_option("--max-pages", options.pages_maximum, "Stop after this number of pages; 0: no limit")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--max-pages-per-host", options.pages_per_host,
                  "Leave a host after this number of pages; 0: no limit")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--refetch-after", options.refetch_after_seconds,
                  "Fetch pages again that were fetched longer ago, e.g. 7d; -1: never")
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, std::int64_t>{{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}))
      ->capture_default_str()
      ->group(kGroup);
}

// How often a host is contacted.
void declare_politeness(CLI::App& command, CrawlOptions& options) {
  constexpr const char* kGroup = "Politeness";
  command
      .add_option("--user-agent", options.user_agent,
                  "How the crawler identifies itself; its first word is the name used in robots.txt")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--delay", options.delay_seconds,
                  "Seconds between two requests to a host; robots.txt may ask for more")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--pages-per-hour", options.pages_per_hour, "Per host; another way to set the delay, e.g. 500")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--max-delay", options.delay_maximum_seconds, "Maximum delay in seconds that robots.txt may ask for")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--connections", options.connections, "Concurrent connections, at most one per host")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--retries", options.retries, "Retries of a failed request")->capture_default_str()->group(kGroup);
  command
      .add_option("--retry-pause", options.retry_pause_seconds,
                  "Seconds without requests to a host after a failure; doubles with each further one")
      ->capture_default_str()
      ->group(kGroup);
}

// How copies, and pages that ask not to be indexed, are treated.
void declare_copies(CLI::App& command, CrawlOptions& options) {
  constexpr const char* kGroup = "Copies";
  command
      .add_option("--copies", options.copies,
                  "In the archive: revisit (a record that names the page kept), store or skip")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--copy-links", options.copy_links, "Number of copies of a page whose links are followed")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option(
          "--noindex", options.noindex,
          "Pages that ask not to be indexed: archive (store, but do not index), index (as usual), skip (do not store)")
      ->capture_default_str()
      ->group(kGroup);
  add_switch(command, "--follow-rel-nofollow,!--no-follow-rel-nofollow", options.follow_rel_nofollow,
             "Also follow links marked rel=nofollow")
      ->group(kGroup);
  command
      .add_option("--barren-limit", options.barren_maximum,
                  "Consecutive pages of one URL shape without anything new before it is abandoned; 0: never")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--index", options.index_folder, "Index of known pages [one in the output folder]")->group(kGroup);
}

// Bounds on what a server can make the crawler do.
void declare_limits(CLI::App& command, CrawlOptions& options) {
  constexpr const char* kGroup = "Limits";
  command.add_option("--content-type", options.content_types, "Media types that count as pages")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str(fmt::format("{}", fmt::join(options.content_types, ",")))
      ->group(kGroup);
  command.add_option("--max-body-bytes", options.body_bytes_maximum, "Larger responses are aborted")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--max-decoded-bytes", options.decoded_bytes_maximum, "The same after decompression")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--max-header-bytes", options.header_bytes_maximum, "The same for the HTTP header")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--connect-timeout", options.connect_timeout_seconds, "Seconds to connect")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--timeout", options.timeout_seconds, "Seconds for a whole request")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--stall-timeout", options.stall_timeout_seconds, "Seconds below 100 bytes per second")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--allow-address", options.allowed_addresses,
                  "Non-public addresses that may be contacted, e.g. 10.1.0.0/16 or ::1; private: all")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kGroup);
  command.add_option("--warc-bytes", options.warc_file_bytes, "Size after which a new archive file is started")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
}

}  // namespace

void add_crawl_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<CrawlCommand>();
  CLI::App* crawl = app.add_subcommand("crawl", "Crawl sites politely and recognise copies during the crawl");
  CrawlOptions& options = command->options;
  crawl->add_option("--seed,seeds", options.seeds, "URLs to start from; none: resume the crawl in --out");
  crawl->add_option("--out", options.folder,
                    "Folder for archive, log, report and state; an existing crawl in it is resumed");
  declare_extent(*crawl, options);
  declare_politeness(*crawl, options);
  declare_copies(*crawl, options);
  declare_limits(*crawl, options);
  declare_profile(*crawl, options.profile);
  declare_match(*crawl, options.match);
  crawl->add_flag("--quiet", command->is_quiet, "No progress, only errors")->configurable(false);
  crawl->footer(
      "Writes warc/crawl-NNNNN.warc.gz, log.jsonl, summary.json and report/index.html.\n"
      "SIGINT and SIGTERM stop the crawl and save its state; repeat the command to resume, also after a kill.\n\n"
      "Examples:\n"
      "  paraprint crawl https://example.org/ --out example\n"
      "  paraprint crawl https://example.org/ --out example --depth 5 --pages-per-hour 500\n"
      "  paraprint crawl --out example --refetch-after 7d\n"
      "  paraprint dedup example/warc --out clean");
  crawl->callback([command, &run] { run = [command] { return run_crawl(*command); }; });
}

}  // namespace paraprint::cli
