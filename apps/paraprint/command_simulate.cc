// `paraprint simulate`: a labelled corpus of reposts from real pages (paraprint/simulate.h, docs/simulator.md).
// Required options are checked by the library, not by the parser, because --list-edits needs none of them.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/simulate.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct SimulateCommand {
  SimulateOptions options;
  SimulateArguments arguments;
  ProgressArguments progress;
};

int list_edits() {
  std::string text;
  for (const EditInfo& edit : edit_types()) {
    text += fmt::format("{}\n    {}\n    strength: {} ({} to {} by default)\n    label: {}\n", edit.name, edit.summary,
                        edit.strength, edit.strength_least, edit.strength_most, edit.label);
  }
  return print_output(text);
}

int run_simulate(const SimulateCommand& command) {
  if (command.arguments.list_edits) return list_edits();
  ProgressPrinter printer(command.progress.quiet);
  const Result<SimulateOutcome> outcome =
      simulate_corpus(command.options, command_control(printer, !command.progress.quiet));
  if (!outcome) return report_end(outcome.error(), kBeginsAgain);
  if (!command.progress.quiet) {
    print_line(fmt::format("{} pages from {} base articles ({} usable in {} pages)", outcome->pages,
                           outcome->bases_used, outcome->bases_usable, outcome->pages_read));
    print_line(fmt::format("labelled pairs: {} dup, {} near, {} topic, {} diff (unlisted pairs are diff too)",
                           outcome->pairs_duplicate, outcome->pairs_near, outcome->pairs_topic,
                           outcome->pairs_different));
    print_line(fmt::format("output: {}", command.options.out));
  }
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_simulate_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<SimulateCommand>();
  CLI::App* simulate = app.add_subcommand("simulate", "Make a labelled corpus of reposts from real pages");
  declare_options(*simulate, simulate_argument_rows(), command->options);
  declare_options(*simulate, simulate_option_rows(), command->options);
  declare_options(*simulate, read_option_rows(), command->options.reading);
  declare_options(*simulate, simulate_command_rows(), command->arguments);
  declare_options(*simulate, progress_argument_rows(), command->progress);
  simulate->footer(
      "Writes pages-NNNN.warc.gz, labels.tsv, clusters.tsv, edits.jsonl, docs.jsonl, set.json and summary.json.\n"
      "The same inputs, options and seed give the same bytes.\n\n"
      "Examples:\n"
      "  paraprint simulate crawl/*.warc.gz --out simulated --pages 10000 --seed 7\n"
      "  paraprint simulate crawl/ --out typos --pages 2000 --edits typos=0.01-0.05,template --edits-per-page 1\n"
      "  paraprint simulate --list-edits");
  simulate->callback([command, &run] { run = [command] { return run_simulate(*command); }; });
}

}  // namespace paraprint::cli
