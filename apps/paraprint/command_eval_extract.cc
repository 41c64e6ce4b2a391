// `paraprint eval-extract`: scores extractors on pages whose main content is known. The table goes to standard output,
// or to standard error if JSON is asked for; everything else goes to --out.
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/evaluate_extraction.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct EvalExtractCommand {
  EvaluateExtractionOptions options;
  EvalExtractArguments arguments;
  ProgressArguments progress;
};

int run_eval_extract(const EvalExtractCommand& command) {
  ProgressPrinter printer(command.progress.quiet);
  const bool shows_warnings = !command.progress.quiet;
  const Result<ExtractionEvaluation> evaluation =
      evaluate_extraction(command.options, command_control(printer, shows_warnings));
  if (!evaluation) return report_end(evaluation.error(), kBeginsAgain);
  if (command.arguments.json && !command.progress.quiet) print_line(evaluation->table);
  const std::string& printed = command.arguments.json ? evaluation->json : evaluation->table;
  if (const int code = print_output(printed); code != kSuccess) return code;
  if (!command.progress.quiet && !evaluation->report_path.empty()) {
    print_line(fmt::format("report: {}", evaluation->report_path));
  }
  return evaluation->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_eval_extract_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<EvalExtractCommand>();
  CLI::App* eval = app.add_subcommand("eval-extract", "Score extractors on pages whose main content is known");
  declare_options(*eval, evaluate_extraction_argument_rows(), command->options);
  declare_options(*eval, evaluate_extraction_option_rows(), command->options);
  declare_options(*eval, eval_extract_command_rows(), command->arguments);
  declare_options(*eval, read_option_rows(), command->options.reading);
  declare_options(*eval, progress_argument_rows(), command->progress);
  eval->footer(
      "Lines: {\"id\", \"html\" (or its path), \"text\"}, and optionally \"page_type\", \"language\", \"dataset\".\n"
      "P, R, F1: of tokens, means over pages; correct: share of pages with F1 of at least 0.9; bad: below 0.5; 95 %:\n"
      "bootstrap over pages; pages/s: on one processor, from the bytes of a page to its text; F1 to the first: the\n"
      "difference from the first extractor on the same pages. docs/evaluation.md has the definitions.\n\n"
      "Examples:\n"
      "  paraprint eval-extract gold.jsonl.gz\n"
      "  paraprint eval-extract gold/ --extractor learned-dom,whole-page --out comparison\n"
      "  paraprint eval-extract gold.jsonl --json > results.json");
  eval->callback([command, &run] { run = [command] { return run_eval_extract(*command); }; });
}

}  // namespace paraprint::cli
