// `paraprint simulate`: a labelled corpus of reposts from real pages (paraprint/simulate.h, docs/simulator.md).
// Required options are checked by the library, not by the parser, because --list-edits needs none of them.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "paraprint/simulate.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

struct SimulateCommand {
  SimulateOptions options;
  bool lists_edits = false;
  bool is_quiet = false;
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
  if (command.lists_edits) return list_edits();
  ProgressPrinter printer(command.is_quiet);
  const Result<SimulateOutcome> outcome = simulate_corpus(
      command.options, [&printer](const Progress& progress) { printer.show(progress); },
      [&](std::string_view line) {
        if (!command.is_quiet) print_line(line);
      });
  if (!outcome) return report_error(outcome.error());
  if (!command.is_quiet) {
    print_line(fmt::format("{} pages from {} base articles ({} usable in {} pages)", outcome->pages,
                           outcome->bases_used, outcome->bases_usable, outcome->pages_read));
    print_line(fmt::format("labelled pairs: {} dup, {} near, {} topic, {} diff (unlisted pairs are diff too)",
                           outcome->pairs_duplicate, outcome->pairs_near, outcome->pairs_topic,
                           outcome->pairs_different));
    print_line(fmt::format("output: {}", command.options.folder));
  }
  return outcome->unreadable_inputs > 0 ? kUnreadableInput : kSuccess;
}

void declare_simulate(CLI::App& command, SimulateOptions& options) {
  constexpr const char* kGroup = "Corpus";
  command.add_option("--input,inputs", options.inputs, "WARC, ARC, WET, JSONL or HTML files, folders of them, or -");
  command.add_option("--out", options.folder, "Folder for the corpus; created if missing, must be empty")
      ->group(kGroup);
  command.add_option("--pages", options.pages, "Pages of the corpus, including hard negatives")->group(kGroup);
  command.add_option("--seed", options.seed, "Different seeds give different corpora")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--bases", options.bases, "Base articles; 0: one per five pages, or as many as the input has")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--edits", options.edits,
                  "Edits to make: name, name=strength or name=min-max, strengths in (0, 1] [all of --list-edits]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kGroup);
  command
      .add_option("--edits-per-page", options.edits_per_page,
                  "Maximum number of edits per page, not counting another template; 1 to 8")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--template-share", options.template_share,
                  "Share of the copies that also get another site's template")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--formula-share", options.formula_share,
                  "Share of pages made from grammars, which differ only in facts; 0 to 0.9")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--min-characters", options.base_characters_minimum, "Minimum letters and digits of a base article")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--max-characters", options.base_characters_maximum,
                  "Longer articles are cut between paragraphs into several base articles")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--pages-per-file", options.pages_per_file, "Average pages per WARC file")
      ->capture_default_str()
      ->group(kGroup);
  command.add_flag("--texts", options.write_texts, "Also write the articles' texts to docs.jsonl")->group(kGroup);
  command.add_option("--extractor", options.extractor, "Extractor of the base articles")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--threads", options.threads, "Threads; 0: one per processor. Does not change the output")
      ->capture_default_str()
      ->group(kGroup);
  declare_reading(command, options.reading);
}

}  // namespace

void add_simulate_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<SimulateCommand>();
  CLI::App* simulate = app.add_subcommand("simulate", "Make a labelled corpus of reposts from real pages");
  declare_simulate(*simulate, command->options);
  simulate->add_flag("--list-edits", command->lists_edits, "List the edits and exit")->configurable(false);
  simulate->add_flag("--quiet", command->is_quiet, "No progress, only errors")->configurable(false);
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
