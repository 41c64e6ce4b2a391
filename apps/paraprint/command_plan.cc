// `paraprint plan`. It takes the options of `dedup`, so that the command of a run becomes the command of its plan.
#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "package_command.h"
#include "paraprint/plan.h"
#include "paraprint/presets.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct PlanCommand {
  PlanOptions options;
  PlanArguments arguments;
  ProgressArguments progress;
};

int run_plan(const PlanCommand& command) {
  if (Status valid = command.options.validate(); !valid) return report_error(valid.error());
  const std::string of_package = first_of_package(command.options.run.inputs);
  if (!of_package.empty()) {
    return report_error({ErrorCode::kUnsupported,
                         of_package + ": tables and object stores are not sampled; plan with a local file of JSON "
                                      "lines that has some of their rows"});
  }
  ProgressPrinter printer(command.progress.quiet);
  const Result<PlanOutcome> plan = plan_run(command.options, command_control(printer, kReportsWarnings));
  if (!plan) return report_end(plan.error(), "repeat the command to start again");
  const int printed = command.arguments.json ? print_output(plan_json(*plan)) : print_output(plan_text(*plan) + "\n");
  if (printed != kSuccess) return printed;
  if (command.arguments.json) {
    for (const std::string& reason : plan->unreadable_reasons) print_line("paraprint: " + reason);
  }
  return plan->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

}  // namespace

void add_plan_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<PlanCommand>();
  CLI::App* plan = app.add_subcommand(
      "plan", "Tell from a sample what `dedup` will take: pages, share of copies, time, memory, disk");
  DedupOptions& options = command->options.run;
  declare_preset(*plan, [&options](const std::string& name) {
    return apply_preset(name, options.profile, options.candidates, options.match);
  });
  declare_options(*plan, dedup_argument_rows(), options);
  declare_options(*plan, plan_option_rows(), command->options);
  declare_options(*plan, plan_command_rows(), command->arguments);
  for_each_run_table(options, [&](const auto rows, auto& part) { declare_options(*plan, rows, part); });
  declare_options(*plan, progress_argument_rows(), command->progress);
  plan->footer(
      "Takes the options of `paraprint dedup`, and writes nothing to --out: it only looks at the space there.\n"
      "Copies are estimated for the whole input, with intervals of 95 %: a small sample sees few pairs, so that they\n"
      "may be wide, and the plan says which sample would make them narrower.\n\n"
      "Examples:\n"
      "  paraprint plan crawl/\n"
      "  paraprint plan crawl/*.warc.gz --out clean --near 0.6 --threads 16 --memory 8GB\n"
      "  paraprint plan pages.jsonl --sample 20000 --json");
  plan->callback([command, &run] { run = [command] { return run_plan(*command); }; });
}

}  // namespace paraprint::cli
