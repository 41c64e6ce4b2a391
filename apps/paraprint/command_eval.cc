// `paraprint eval`: scores algorithms on labelled pages. The table goes to standard output; everything else goes to
// --out. An evaluation does not resume, so after a signal it has to start over.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/evaluate.h"
#include "paraprint/judged_samples.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct EvalCommand {
  EvaluateOptions options;
  SampleOptions sample;
  ProgressArguments progress;
};

// Lines of judgements that cannot be used are named, because somebody has to mend them.
int run_judgements(const EvalCommand& command) {
  const EvaluateOptions& options = command.options;
  if (!options.sets.empty() || !options.inputs.pages.empty() || command.sample.sample > 0) {
    return report_end({ErrorCode::kInvalidArgument,
                       "--judgements: these files have everything; give neither pages and sets nor --sample with them"},
                      kBeginsAgain);
  }
  ProgressPrinter printer(command.progress.quiet);
  const Result<JudgedEvaluation> evaluation =
      evaluate_judgements({command.sample.judgements, std::max(options.show, JudgementOptions{}.show), options.out},
                          command_control(printer, kPrintsWarnings));
  if (!evaluation) return report_end(evaluation.error(), kBeginsAgain);
  if (const int code = print_output(evaluation->table); code != kSuccess) return code;
  if (!command.progress.quiet && !evaluation->report_path.empty()) {
    print_line(fmt::format("report: {}", evaluation->report_path));
  }
  return kSuccess;
}

int run_sample(const EvalCommand& command) {
  ProgressPrinter printer(command.progress.quiet);
  const Result<DrawnSample> drawn =
      draw_sample(command.options, command.sample.sample, command_control(printer, kReportsWarnings));
  if (!drawn) return report_end(drawn.error(), kBeginsAgain);
  return print_output(drawn->table);
}

int run_eval(EvalCommand& command) {
  EvaluateOptions& options = command.options;
  if (!command.sample.judgements.empty()) return run_judgements(command);
  if (command.sample.sample > 0) return run_sample(command);
  // The report can only show examples that are collected.
  options.examples = std::max(options.examples, options.show);
  ProgressPrinter printer(command.progress.quiet);
  const Result<EvaluateOutcome> evaluation = evaluate(options, command_control(printer, kReportsWarnings));
  if (!evaluation) return report_end(evaluation.error(), kBeginsAgain);
  if (const int code = print_output(evaluation->table); code != kSuccess) return code;
  if (!command.progress.quiet && !evaluation->report_path.empty()) {
    print_line(fmt::format("report: {}", evaluation->report_path));
  }
  return kSuccess;
}

}  // namespace

void add_eval_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<EvalCommand>();
  CLI::App* eval =
      app.add_subcommand("eval", "Score algorithms on labelled pages: precision, recall, F1, time, memory");
  declare_preset(*eval, [command](const std::string& name) { return apply_preset(name, command->options); });
  declare_options(*eval, evaluate_argument_rows(), command->options);
  declare_options(*eval, labelled_input_option_rows(), command->options.inputs);
  declare_options(*eval, evaluate_option_rows(), command->options);
  declare_options(*eval, sample_option_rows(), command->sample);
  declare_options(*eval, match_option_rows(), command->options.match, kOfEvaluations);
  declare_options(*eval, candidate_option_rows(), command->options.candidates, kOfEvaluations);
  declare_options(*eval, profile_option_rows(), command->options.profile, kOfEvaluations);
  declare_options(*eval, read_option_rows(), command->options.reading);
  declare_options(*eval, resource_option_rows(), command->options.resources);
  declare_options(*eval, progress_argument_rows(), command->progress);
  eval->footer(
      "P, R, F1, strict: at the algorithm's default threshold; 95 %: interval of F1, bootstrap over clusters; r.dup,\n"
      "r.near, topic: shares reported, by label; bestF1, at: the best threshold in hindsight; heldF1: F1 on one half "
      "of\n"
      "the clusters with the threshold chosen on the other; pages/s: on one processor, from bytes to verified pairs.\n"
      "docs/evaluation.md has the definitions.\n\n"
      "Examples:\n"
      "  paraprint eval neardup/zh-laws\n"
      "  paraprint eval neardup/* --algorithms all --out comparison\n"
      "  paraprint eval neardup/zh-laws --algorithms paragraph --sweep simhash-64:distance_bits=2,3,6\n"
      "  paraprint eval neardup/zh-laws --algorithms paragraph,seed-004,minhash:extractor=whole-page\n"
      "  paraprint eval neardup/zh-laws --preset seed-004 --sweep paragraph-literal:distance_bits=3,12,24\n"
      "  paraprint eval --pages crawl.warc.gz --labels labels.tsv --ablation\n"
      "  paraprint eval --pages crawl.warc.gz --algorithms paragraph,minhash --sample 200 --out judging\n"
      "  paraprint eval --judgements judging/sample.jsonl");
  eval->callback([command, &run] { run = [command] { return run_eval(*command); }; });
}

}  // namespace paraprint::cli
