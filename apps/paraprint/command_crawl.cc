// `paraprint crawl`: fetches sites politely and recognises copies while it does. The crawl itself is paraprint/crawl.h;
// this file declares its options in the groups of `--help`, prints progress, and maps the outcome to an exit code. A
// crawl ends in one of three ways: nothing left to fetch, a page limit, or a signal, which alone gives exit code 5.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/crawl.h"
#include "paraprint/presets.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct CrawlCommand {
  CrawlOptions options;
  ProgressArguments progress;
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
  CrawlPrinter printer(command.progress.quiet);
  RunControl control;
  control.stop = &catch_stop_signals();
  if (!command.progress.quiet) control.warning = print_line;
  const Result<CrawlOutcome> outcome =
      crawl(command.options, control, [&printer](const CrawlProgress& progress) { printer.show(progress); });
  if (!outcome) return report_error(outcome.error());
  if (!command.progress.quiet) {
    if (!outcome->is_complete) {
      print_line(fmt::format("{}: {} URLs are queued; repeat the command to resume",
                             outcome->stopped_by == "page-limit" ? "stopped at the page limit" : "stopped",
                             outcome->totals.queued));
    }
    if (outcome->totals.pages == 0 && outcome->totals.failed + outcome->totals.skipped > 0) {
      print_line(
          fmt::format("no page could be fetched; {}/log.jsonl has the reason for each URL, and a machine without a "
                      "network has name-resolution for all",
                      command.options.out));
    }
    print_line(fmt::format("report: {}", outcome->report_path));
  }
  // Reaching a page limit is a success: the crawl did what the command said.
  return outcome->stopped_by == "request" ? kInterrupted : kSuccess;
}

}  // namespace

void add_crawl_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<CrawlCommand>();
  CLI::App* crawl = app.add_subcommand("crawl", "Crawl sites politely and recognise copies during the crawl");
  CrawlOptions& options = command->options;
  declare_preset(*crawl, [&options](const std::string& name) {
    CandidateSearchOptions of_the_index;  // a crawl has no such options
    return apply_preset(name, options.profile, of_the_index, options.match);
  });
  declare_options(*crawl, crawl_argument_rows(), options);
  declare_options(*crawl, crawl_option_rows(), options);
  declare_options(*crawl, profile_option_rows(), options.profile, kOfAnyCommand);
  declare_options(*crawl, match_option_rows(), options.match, kOfAnyCommand);
  declare_options(*crawl, progress_argument_rows(), command->progress);
  crawl->footer(
      "Writes warc/*.warc.gz, log.jsonl, summary.json and report/index.html.\n"
      "SIGINT and SIGTERM stop the crawl and save its state; repeat the command to resume, also after a kill.\n\n"
      "Examples:\n"
      "  paraprint crawl https://example.org/ --out example\n"
      "  paraprint crawl https://example.org/ --out example --depth 5 --pages-per-hour 500\n"
      "  paraprint crawl --out example --refetch-after 7d\n"
      "  paraprint dedup example/warc --out clean");
  crawl->callback([command, &run] { run = [command] { return run_crawl(*command); }; });
}

}  // namespace paraprint::cli
