// eval: algorithms judged on labelled pages.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "paraprint/evaluate.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct EvalCommand {
  EvaluateOptions options;
  bool is_quiet = false;
};

void declare_evaluation(CLI::App& command, EvaluateOptions& options) {
  command.add_option("sets", options.sets, "Folders of labelled sets, or of corpora that `paraprint simulate` made");
  command.add_option("--pages", options.inputs.pages, "Pages outside a set: what dedup takes as inputs")
      ->allow_extra_args(false)
      ->delimiter(',');
  command.add_option("--labels", options.inputs.labels, "Their labels: id_a, id_b, label; or id, cluster");
  command.add_option("--clusters", options.inputs.clusters, "Their clusters: id, cluster");
  command.add_option("--world", options.world,
                     "open: only labelled pairs count; closed: others are no copies [set.json]");
  command
      .add_option("--algorithms", options.algorithms,
                  "Specifications with commas between, or all; `paraprint algorithms` lists them")
      ->allow_extra_args(false)
      ->default_str("paragraph");
  command.add_option("--sweep", options.sweeps, "ALGORITHM:PARAMETER=V1,V2,...: one row a value")
      ->allow_extra_args(false);
  command.add_flag("--ablation", options.ablation, "Also the paragraph method with its parts on and off");
  command.add_option("--seed", options.seed, "Decides the halves and the bootstrap")->capture_default_str();
  command.add_option("--bootstrap", options.bootstrap_rounds, "Rounds of the bootstrap")->capture_default_str();
  command.add_option("--show", options.shown_examples, "Name so many worst misses and false positives of each")
      ->capture_default_str();
  command.add_option("--out", options.folder, "Folder for results.json, results.csv, timing.json and report/");
  command.add_flag("--write-pairs", options.write_pairs, "With --out: also every scored pair, pairs/SET/ALGORITHM.tsv");
}

int run_eval(EvalCommand& command) {
  EvaluateOptions& options = command.options;
  options.examples = std::max(options.examples, options.shown_examples);
  ProgressPrinter printer(command.is_quiet);
  const Result<Evaluation> evaluation =
      evaluate(options, [&printer](const Progress& progress) { printer.show(progress); });
  if (!evaluation) return report_error(evaluation.error());
  fmt::print("{}", evaluation->table);
  if (Status written = flush_output(); !written) return report_error(written.error());
  if (!command.is_quiet && !evaluation->report_path.empty()) {
    print_line(fmt::format("report: {}", evaluation->report_path));
  }
  return kSuccess;
}

}  // namespace

void add_eval_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<EvalCommand>();
  CLI::App* eval =
      app.add_subcommand("eval", "Judge algorithms on labelled pages: precision, recall, F1, time, memory");
  declare_evaluation(*eval, command->options);
  declare_match(*eval, command->options.match);
  declare_candidates(*eval, command->options.candidates);
  declare_reading(*eval, command->options.reading);
  declare_resources(*eval, command->options.resources);
  eval->add_flag("--quiet", command->is_quiet, "No progress, only errors")->configurable(false);
  eval->footer(
      "P, R, F1, strict: at the algorithm's own threshold; 95 %: of F1, bootstrap over clusters; r.dup, r.near, "
      "topic:\n"
      "reported shares by label; bestF1, at: the best threshold in hindsight; heldF1: threshold chosen on one half of\n"
      "the clusters, F1 of the other; pages/s: on one processor, from bytes to verified pairs. docs/evaluation.md has\n"
      "the definitions.\n\n"
      "Examples:\n"
      "  paraprint eval neardup/zh-laws\n"
      "  paraprint eval neardup/* --algorithms all --out comparison\n"
      "  paraprint eval neardup/zh-laws --algorithms paragraph --sweep simhash-64:distance_bits=2,3,6\n"
      "  paraprint eval --pages crawl.warc.gz --labels labels.tsv --ablation");
  eval->callback([command, &run] { run = [command] { return run_eval(*command); }; });
}

}  // namespace paraprint::cli
