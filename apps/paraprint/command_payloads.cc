// `paraprint payloads`.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/payloads.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct PayloadsCommand {
  PayloadOptions options;
  ProgressArguments progress;
};

int run_payloads(const PayloadsCommand& command) {
  if (Status valid = command.options.validate(); !valid) return report_error(valid.error());
  ProgressPrinter printer(command.progress.quiet);
  const Result<PayloadOutcome> outcome =
      deduplicate_payloads(command.options, command_control(printer, kReportsWarnings));
  if (!outcome) return report_end(outcome.error(), "repeat the command to start again");
  if (!command.progress.quiet) {
    print_line(fmt::format("{} records, {} captures: {} became revisit records, which saves {:.1f} MB of payload",
                           outcome->records, outcome->captures, outcome->revisits_written,
                           megabytes(outcome->payload_bytes_saved)));
    if (!command.options.known.empty()) {
      print_line(fmt::format("{} listed captures could be referred to, {} could not (see \"lists\" in {}/summary.json)",
                             outcome->listed, outcome->listed_passed_over, command.options.out));
    }
    print_line(fmt::format("files: {:.1f} MB before, {:.1f} MB now", megabytes(outcome->bytes_read),
                           megabytes(outcome->bytes_written)));
    if (outcome->broken_records > 0) {
      print_line(fmt::format("{} broken records were counted; see {}/summary.json", outcome->broken_records,
                             command.options.out));
    }
    print_line(fmt::format("output: {}", command.options.out));
  }
  for (const std::string& reason : outcome->unreadable_reasons) print_line("paraprint: " + reason);
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_payloads_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PayloadsCommand>();
  CLI::App* payloads =
      app.add_subcommand("payloads", "Replace records of any type whose payload is stored already by revisit records");
  declare_options(*payloads, payload_argument_rows(), command->options);
  declare_options(*payloads, payload_option_rows(), command->options);
  declare_options(*payloads, resource_option_rows(), command->options.resources);
  declare_options(*payloads, progress_argument_rows(), command->progress);
  payloads->footer(
      "Reads all inputs twice. Writes to --out: records/ (the inputs with revisit records in place of copies),\n"
      "revisits.jsonl (what was replaced, and what it refers to), savings.html and savings.json (how many bytes that\n"
      "saved), summary.json and timing.json. Players show the same bytes under every address as before.\n\n"
      "Examples:\n"
      "  paraprint payloads crawl/ --out smaller\n"
      "  paraprint payloads crawl/*.warc.gz --out smaller --max-age-days 365 --min-payload-bytes 0\n"
      "  paraprint payloads crawl-2/ --out smaller-2 --known crawl-1.cdxj.gz");
  payloads->callback([command, &run] { run = [command] { return run_payloads(*command); }; });
}

}  // namespace paraprint::cli
