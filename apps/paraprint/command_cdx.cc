// `paraprint cdx`.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/cdx.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct CdxCommand {
  CdxOptions options;
  ProgressArguments progress;
};

Result<CdxOutcome> print_index(const CdxOptions& options, const RunControl& control) {
  Result<CdxOutcome> outcome = for_each_cdx_line(options, write_output_line, control);
  if (Status written = flush_output(); outcome && !written) return tl::unexpected<Error>(written.error());
  return outcome;
}

// Standard output may have the index, so messages go to standard error like those of all commands.
void print_summary(const CdxOutcome& outcome) {
  print_line(fmt::format("{} records, {} lines in the index", outcome.records, outcome.lines));
  if (const std::uint64_t left_out = outcome.captures_without_date + outcome.captures_not_addressable; left_out > 0) {
    print_line(
        fmt::format("{} captures are not in the index: {} have no date, {} are not compressed by themselves "
                    "(`warcio recompress` mends that)",
                    left_out, outcome.captures_without_date, outcome.captures_not_addressable));
  }
  if (outcome.inputs_passed_over > 0) {
    print_line(fmt::format("{} inputs are neither WARC nor ARC", outcome.inputs_passed_over));
  }
  if (outcome.broken_records > 0) print_line(fmt::format("{} broken records were found", outcome.broken_records));
}

int run_cdx(const CdxCommand& command) {
  if (Status valid = command.options.validate(); !valid) return report_error(valid.error());
  ProgressPrinter printer(command.progress.quiet);
  const RunControl control = command_control(printer, kPrintsWarnings);
  const Result<CdxOutcome> outcome =
      command.options.out.empty() ? print_index(command.options, control) : write_cdx(command.options, control);
  if (!outcome) return report_end(outcome.error(), "repeat the command to start again");
  if (!command.progress.quiet) print_summary(*outcome);
  for (const std::string& reason : outcome->unreadable_reasons) print_line("paraprint: " + reason);
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_cdx_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<CdxCommand>();
  CLI::App* cdx = app.add_subcommand("cdx", "Write the index of archives by which players find captures");
  declare_options(*cdx, cdx_argument_rows(), command->options);
  declare_options(*cdx, cdx_option_rows(), command->options);
  declare_options(*cdx, resource_option_rows(), command->options.resources);
  declare_options(*cdx, progress_argument_rows(), command->progress);
  cdx->footer(
      "Lines are sorted, and equal to those of `cdxj-indexer --sort` for the same files. Messages go to standard\n"
      "error.\n\n"
      "Examples:\n"
      "  paraprint cdx crawl.warc.gz > crawl.cdxj\n"
      "  paraprint cdx crawl/ --out index.cdxj --root crawl\n"
      "  paraprint cdx crawl/*.warc.gz --form cdx11 --out index.cdx");
  cdx->callback([command, &run] { run = [command] { return run_cdx(*command); }; });
}

}  // namespace paraprint::cli
