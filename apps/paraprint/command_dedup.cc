// `paraprint dedup` and `paraprint recluster`. A finished dedup stores all its options as TOML next to its work.
// recluster declares none of its own: it reads that file with dedup's declarations, and the flags it was given override
// the file. So both commands accept the same names and values, and the library decides which of them recluster may
// change.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "package_command.h"
#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "paraprint/presets.h"
#include "paraprint/table_inputs.h"
#include "stop_signals.h"
#include "stored_options.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct DedupCommand {
  DedupOptions options;
  DedupArguments arguments;
  ProgressArguments progress;
  CLI::App* app = nullptr;
};

int report_outcome(const Result<DedupOutcome>& outcome, const DedupOptions& options, bool is_quiet) {
  if (!outcome) return report_end(outcome.error(), "repeat the command to resume");
  if (!is_quiet) {
    print_line(fmt::format("{} pages: {} kept, {} {}; {} clusters, {} matching pairs", outcome->pages,
                           outcome->pages_kept, outcome->pages_removed,
                           options.output.annotate ? "would be removed" : "removed", outcome->clusters,
                           outcome->matches));
    if (outcome->pages_known > 0) {
      print_line(fmt::format("{} of the removed pages were known from earlier crawls", outcome->pages_known));
    }
    if (outcome->known_replaced > 0) {
      print_line(fmt::format("{} known pages were replaced by kept pages with their ids and another text",
                             outcome->known_replaced));
    }
    if (outcome->pages_not_indexed > 0) {
      print_line(
          fmt::format("{} of the kept pages are not in the index, which cannot take them", outcome->pages_not_indexed));
    }
    if (outcome->pages_in_other_languages > 0) {
      print_line(fmt::format("{} of the removed pages are in other languages than {}",
                             outcome->pages_in_other_languages, fmt::join(options.survivors.languages, ", ")));
    }
    if (outcome->pages_empty > 0) {
      print_line(fmt::format("{} of the kept pages have no text to compare", outcome->pages_empty));
    }
    if (outcome->broken_records > 0) {
      print_line(fmt::format("{} broken records were counted; see {}/summary.json", outcome->broken_records,
                             options.output.out));
    }
    for (const std::string& line : outcome->ignored_pairs) print_line(line);
    if (outcome->memory_peak_bytes > options.resources.memory) {
      print_line(
          fmt::format("memory reached {} MiB, more than --memory ({} MiB): word tables, threads and pages in "
                      "flight do not move to disk; fewer --threads need less",
                      outcome->memory_peak_bytes >> 20, options.resources.memory >> 20));
    }
    print_line(fmt::format("output: {}", options.output.out));
    if (!outcome->report_path.empty()) print_line(fmt::format("report: {}", outcome->report_path));
  }
  for (const std::string& reason : outcome->unreadable_reasons) print_line("paraprint: " + reason);
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

// The options that were given, or that a preset set, and what else the package needs to run the command.
std::vector<PackageArgument> package_arguments(const DedupCommand& command) {
  std::vector<PackageArgument> arguments = {{"command", "dedup"}};
  for (const std::string& input : command.options.inputs) arguments.push_back({"input", input});
  if (!command.arguments.index.empty()) arguments.push_back({"index", command.arguments.index});
  if (command.progress.quiet) arguments.push_back({"quiet", "true"});
  for_each_run_table(command.options,
                     [&](const auto rows, const auto& part) { append_options(rows, part, *command.app, arguments); });
  return arguments;
}

int run_dedup(const DedupCommand& command) {
  if (Status valid = command.options.validate(); !valid) return report_error(valid.error());
  const std::string of_package = first_of_package(command.options.inputs);
  if (!of_package.empty()) return run_in_package(of_package, package_arguments(command));
  if (is_remote(command.options.output.out)) {
    return run_in_package(command.options.output.out, package_arguments(command));
  }
  ProgressPrinter printer(command.progress.quiet);
  const RunControl control = command_control(printer, kReportsWarnings);
  const Result<DedupOutcome> outcome = command.arguments.index.empty()
                                           ? deduplicate(command.options, control)
                                           : deduplicate_with_index(command.options, command.arguments.index, control);
  if (outcome) {
    // Only after success: a run without stored options has not finished, and recluster refuses it.
    const Status stored = store_options(command.options.output.out, stored_options_text(*command.app, command.options));
    if (!stored) return report_error(stored.error());
  }
  return report_outcome(outcome, command.options, command.progress.quiet);
}

// The flags of `recluster`, kept unparsed until the stored options of the run have been read.
struct ReclusterCommand {
  ReclusterArguments arguments;
  std::vector<std::string> overrides;
  ProgressArguments progress;
};

int run_recluster(const ReclusterCommand& command) {
  const Result<DedupOptions> options = read_stored_options(command.arguments.folder, command.overrides);
  if (!options) return report_error(options.error());
  ProgressPrinter printer(command.progress.quiet);
  const Result<DedupOutcome> outcome = recluster(*options, command_control(printer, kReportsWarnings));
  return report_outcome(outcome, *options, command.progress.quiet);
}

}  // namespace

void add_dedup_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<DedupCommand>();
  CLI::App* dedup =
      app.add_subcommand("dedup", "Remove near-duplicate pages from a crawl and report what was removed and why");
  DedupOptions& options = command->options;
  declare_preset(*dedup, [&options](const std::string& name) {
    return apply_preset(name, options.profile, options.candidates, options.match);
  });
  declare_run(*dedup, options);
  declare_options(*dedup, dedup_command_rows(), command->arguments);
  declare_options(*dedup, progress_argument_rows(), command->progress);
  dedup->footer(
      "Reads WARC, ARC, WET, HAR (plain, .gz, .zst), JSONL (id and html or text), HTML and XML files; with the Python\n"
      "package also Parquet, Arrow and CSV, and s3:, gs:, hdfs: and https:. Writes to --out:\n"
      "records/ (the survivors, in the input's format), clusters.tsv, matches.tsv, matches.jsonl, removed.jsonl,\n"
      "savings.html, savings.json, summary.json, timing.json and report/index.html.\n"
      "After a kill, repeat the command to resume.\n\n"
      "Examples:\n"
      "  paraprint dedup crawl/ --out clean\n"
      "  paraprint dedup pages.jsonl.gz --out clean --keep earliest,shortest-url\n"
      "  paraprint dedup crawl/*.warc.gz --out clean --revisits --memory 8GB --tmp /scratch\n"
      "  paraprint dedup new-crawl/ --out clean-new --index known\n"
      "  paraprint dedup 's3://bucket/pages/*.parquet' --out s3://bucket/clean\n"
      "  paraprint dedup crawl/ --out chinese --languages zh --revisits\n"
      "  paraprint dedup pages.jsonl --out annotated --annotate --annotation-fields cluster,cluster_size,is_kept\n"
      "  paraprint dedup crawl/ --out as-published --preset seed-004 --no-report");
  command->app = dedup;
  dedup->callback([command, &run] { run = [command] { return run_dedup(*command); }; });
}

void add_recluster_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<ReclusterCommand>();
  CLI::App* recluster =
      app.add_subcommand("recluster", "Apply other thresholds or another choice of survivor to a finished run");
  declare_options(*recluster, recluster_command_rows(), command->arguments);
  declare_options(*recluster, progress_argument_rows(), command->progress);
  recluster->allow_extras();
  recluster->footer(
      "Accepts --near, --containment, --min-characters, --align-words and the options in the groups Choosing and "
      "Output\n"
      "of `paraprint dedup`, except --out and --restart, which override those of the run. Rewrites the output from\n"
      "stored scores, without making or comparing profiles again. The inputs must still exist, unchanged.\n\n"
      "Examples:\n"
      "  paraprint recluster clean --near 0.8\n"
      "  paraprint recluster clean --never wrong-pairs.tsv\n"
      "  paraprint recluster clean --keep earliest --remove-contained");
  recluster->callback([command, recluster, &run] {
    command->overrides = recluster->remaining();
    run = [command] { return run_recluster(*command); };
  });
}

}  // namespace paraprint::cli
