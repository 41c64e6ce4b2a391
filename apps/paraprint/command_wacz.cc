// `paraprint wacz`.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/wacz.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct WaczCommand {
  WaczOptions options;
  ProgressArguments progress;
};

void print_summary(const WaczOptions& options, const WaczOutcome& outcome) {
  print_line(fmt::format("{} archives with {} records ({} compressed again), {} lines of index", outcome.archives,
                         outcome.records, outcome.records_rewritten, outcome.index_lines));
  print_line(fmt::format("{} pages, of which {} are duplicates of others", outcome.pages, outcome.duplicates));
  if (outcome.pages_left_out > 0) {
    print_line(fmt::format("{} pages are not listed: they have no address or no date, or their line was broken",
                           outcome.pages_left_out));
  }
  if (outcome.captures_not_indexed > 0) {
    print_line(fmt::format("{} captures are not in the index: they have no date", outcome.captures_not_indexed));
  }
  if (outcome.inputs_passed_over > 0) {
    print_line(fmt::format("{} inputs are not WARC files and were left out", outcome.inputs_passed_over));
  }
  if (outcome.broken_records > 0) print_line(fmt::format("{} broken records were found", outcome.broken_records));
  print_line(fmt::format("output: {} ({:.1f} MB)", options.out, megabytes(outcome.bytes_written)));
}

int run_wacz(const WaczCommand& command) {
  if (Status valid = command.options.validate(); !valid) return report_error(valid.error());
  ProgressPrinter printer(command.progress.quiet);
  const Result<WaczOutcome> outcome = write_wacz(command.options, command_control(printer, kPrintsWarnings));
  if (!outcome) return report_end(outcome.error(), "repeat the command to start again");
  if (!command.progress.quiet) print_summary(command.options, *outcome);
  for (const std::string& reason : outcome->unreadable_reasons) print_line("paraprint: " + reason);
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_wacz_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<WaczCommand>();
  CLI::App* wacz = app.add_subcommand("wacz", "Pack archives, their index and a list of their pages into a WACZ file");
  declare_options(*wacz, wacz_argument_rows(), command->options);
  declare_options(*wacz, wacz_option_rows(), command->options);
  declare_options(*wacz, resource_option_rows(), command->options.resources);
  declare_options(*wacz, progress_argument_rows(), command->progress);
  wacz->footer(
      "Of the output folder of a run, its records are packed, and pages that were removed are marked in the list.\n\n"
      "Examples:\n"
      "  paraprint wacz crawl/*.warc.gz --out crawl.wacz --title 'A crawl'\n"
      "  paraprint wacz clean --out clean.wacz\n"
      "  paraprint wacz a.wacz b.wacz --out both.wacz");
  wacz->callback([command, &run] { run = [command] { return run_wacz(*command); }; });
}

}  // namespace paraprint::cli
