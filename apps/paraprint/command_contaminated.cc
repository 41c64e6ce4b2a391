// `paraprint contaminated`.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "package_command.h"
#include "paraprint/contamination.h"
#include "paraprint/table_inputs.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct ContaminatedCommand {
  ContaminationOptions options;
  ProgressArguments progress;
  CLI::App* app = nullptr;
};

std::vector<PackageArgument> contaminated_arguments(const ContaminatedCommand& command) {
  const ContaminationOptions& options = command.options;
  std::vector<PackageArgument> arguments = {{"command", "contaminated"}};
  for (const std::string& input : options.inputs) arguments.push_back({"input", input});
  for (const std::string& benchmark : options.against) arguments.push_back({"against", benchmark});
  if (command.progress.quiet) arguments.push_back({"quiet", "true"});
  append_options(contamination_option_rows(), options, *command.app, arguments);
  append_options(read_option_rows(), options.reading, *command.app, arguments);
  append_options(resource_option_rows(), options.resources, *command.app, arguments);
  return arguments;
}

int run_contaminated(const ContaminatedCommand& command) {
  if (Status valid = command.options.validate(); !valid) return report_error(valid.error());
  std::string of_package = first_of_package(command.options.inputs);
  if (of_package.empty()) of_package = first_of_package(command.options.against);
  if (of_package.empty() && is_remote(command.options.out)) of_package = command.options.out;
  if (!of_package.empty()) return run_in_package(of_package, contaminated_arguments(command));
  ProgressPrinter printer(command.progress.quiet);
  const Result<ContaminationOutcome> outcome =
      find_contamination(command.options, command_control(printer, kReportsWarnings));
  if (!outcome) return report_end(outcome.error(), "repeat the command to start again");
  if (!command.progress.quiet) {
    print_line(fmt::format("{} documents: {} hold an item word for word, {} with edits, {} in part", outcome->documents,
                           outcome->documents_exact, outcome->documents_whole, outcome->documents_part));
    print_line(fmt::format("{} items: {} found, {} of them in part; {} are too short to be looked for", outcome->items,
                           outcome->items_found + outcome->items_found_part, outcome->items_found_part,
                           outcome->items_too_short));
    if (outcome->common_finds > 0) {
      print_line(
          fmt::format("{} parts were left out: more than {} documents have these passages; see "
                      "documents_common in {}/items.jsonl",
                      outcome->common_finds, command.options.passage_documents, command.options.out));
    }
    if (outcome->broken_records > 0) {
      print_line(fmt::format("{} broken records were counted; see {}/summary.json", outcome->broken_records,
                             command.options.out));
    }
    print_line(fmt::format("output: {}", command.options.out));
    if (command.options.report) print_line(fmt::format("report: {}/report.html", command.options.out));
  }
  for (const std::string& reason : outcome->unreadable_reasons) print_line("paraprint: " + reason);
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_contaminated_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<ContaminatedCommand>();
  CLI::App* contaminated =
      app.add_subcommand("contaminated", "Find the items of benchmarks in a corpus, whole or in part");
  declare_options(*contaminated, contamination_argument_rows(), command->options);
  declare_options(*contaminated, contamination_option_rows(), command->options);
  declare_options(*contaminated, read_option_rows(), command->options.reading);
  declare_options(*contaminated, resource_option_rows(), command->options.resources);
  declare_options(*contaminated, progress_argument_rows(), command->progress);
  contaminated->footer(
      "Corpus and benchmarks are files that `paraprint dedup` reads; with the Python package also Parquet, Arrow and\n"
      "CSV, and files in object stores. Writes to --out: contaminated.jsonl (each document with each item that it "
      "holds,\n"
      "and where), items.jsonl (each item, and how many documents hold it), report.html, summary.json, timing.json\n"
      "and, with --records, records/ (the documents that hold none).\n\n"
      "Examples:\n"
      "  paraprint contaminated corpus/*.jsonl.gz --against gsm8k.jsonl --out contamination\n"
      "  paraprint contaminated corpus/ --against mmlu.jsonl --against arc.jsonl --item-fields question,choices \\\n"
      "            --out contamination --records\n"
      "  paraprint contaminated 's3://bucket/pages/*.parquet' --against test.parquet --out contamination");
  command->app = contaminated;
  contaminated->callback([command, &run] { run = [command] { return run_contaminated(*command); }; });
}

}  // namespace paraprint::cli
