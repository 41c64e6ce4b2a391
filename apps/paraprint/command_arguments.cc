// The tables of command_arguments.h.
#include "command_arguments.h"

namespace paraprint::cli {
namespace {

constexpr double kDaysMaximum = 36'500;  // a century: no page was seen earlier
constexpr NumberRange kShown = {.minimum = 1, .maximum = 1000};

const OptionRow<ProgressArguments> kProgressRows[] = {
    {.name = "quiet",
     .field = &ProgressArguments::quiet,
     .group = kGeneralGroup,
     .help = "No progress, only errors",
     .uses = kNotInFile},
};

const OptionRow<WarningArguments> kWarningRows[] = {
    {.name = "quiet",
     .field = &WarningArguments::quiet,
     .group = kGeneralGroup,
     .help = "Do not report broken records"},
};

const OptionRow<DedupArguments> kDedupRows[] = {
    {.name = "index",
     .field = &DedupArguments::index,
     .group = kGeneralGroup,
     .help = "Folder of an index of known pages: remove those pages, add the ones kept; created if missing",
     .uses = kNotInFile},
};

const OptionRow<ReclusterArguments> kReclusterRows[] = {
    {.name = "folder",
     .field = &ReclusterArguments::folder,
     .group = kGeneralGroup,
     .help = "The --out folder of that run",
     .uses = kPositional | kRequired},
};

const OptionRow<PlanArguments> kPlanRows[] = {
    {.name = "json",
     .field = &PlanArguments::json,
     .group = kGeneralGroup,
     .help = "JSON instead of tables",
     .uses = kNotInFile},
};

constexpr std::string_view kExtractFormats[] = {"json", "text", "markdown"};

const OptionRow<PrintedForm> kExtractRows[] = {
    {.name = "format",
     .field = choice<&PrintedForm::format>(kExtractFormats),
     .group = kGeneralGroup,
     .help = "json: lines with text and metadata; text: plain text; markdown: with headings, lists, tables, code and "
             "links. On a terminal, control characters are escaped"},
    {.name = "text", .field = &PrintedForm::text, .group = kGeneralGroup, .help = "Short for --format text"},
};

const OptionRow<PrintedForm> kProfileRows[] = {
    {.name = "bytes",
     .field = &PrintedForm::bytes,
     .group = kGeneralGroup,
     .help = "Also print the binary form in base 64, which `paraprint serve` accepts instead of a page"},
};

const OptionRow<CompareArguments> kCompareRows[] = {
    {.name = "a",
     .field = &CompareArguments::a,
     .group = kGeneralGroup,
     .help = "HTML or text file, or an archive, of which the first page is used",
     .uses = kPositional | kRequired},
    {.name = "b",
     .field = &CompareArguments::b,
     .group = kGeneralGroup,
     .help = "The page to compare with, in the same forms",
     .uses = kPositional | kRequired},
    {.name = "json",
     .field = &CompareArguments::json,
     .group = kGeneralGroup,
     .help = "Verdict, scores and matched passages as JSON"},
    {.name = "html",
     .field = &CompareArguments::html,
     .group = kGeneralGroup,
     .help = "Write a page with both texts side by side to this file; goes before --json"},
    {.name = "colour", .field = &CompareArguments::colour, .group = kGeneralGroup, .help = "Colours on a terminal"},
};

const OptionRow<AlgorithmsArguments> kAlgorithmsRows[] = {
    {.name = "json", .field = &AlgorithmsArguments::json, .group = kGeneralGroup, .help = "JSON instead of a table"},
    {.name = "presets",
     .field = &AlgorithmsArguments::presets,
     .group = kGeneralGroup,
     .help = "List the presets that --preset and eval accept instead"},
};

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

const OptionRow<CompletionArguments> kCompletionRows[] = {
    {.name = "shell",
     .field = choice<&CompletionArguments::shell>(kShells),
     .group = kGeneralGroup,
     .help = "bash, zsh or fish",
     .uses = kPositional | kRequired},
};

const OptionRow<ManualArguments> kManualRows[] = {
    {.name = "command",
     .field = &ManualArguments::command,
     .group = kGeneralGroup,
     .help = "The command, like index add [the program]",
     .uses = kPositional},
    {.name = "out", .field = &ManualArguments::out, .group = kGeneralGroup, .help = "Folder to write all pages to"},
};

const OptionRow<EvalExtractArguments> kEvalExtractRows[] = {
    {.name = "json",
     .field = &EvalExtractArguments::json,
     .group = kGeneralGroup,
     .help = "Print all figures as JSON, and the table to standard error"},
};

const OptionRow<SimulateArguments> kSimulateRows[] = {
    {.name = "list_edits",
     .field = &SimulateArguments::list_edits,
     .group = kGeneralGroup,
     .help = "List the edits and exit",
     .uses = kNotInFile},
};

const OptionRow<ServeArguments> kServeRows[] = {
    {.name = "token_file",
     .field = &ServeArguments::token_file,
     .group = kGeneralGroup,
     .help = "File with the bearer token that requests must send [$PARAPRINT_TOKEN; none: no authentication]"},
    {.name = "webhook_secret_file",
     .field = &ServeArguments::webhook_secret_file,
     .group = kGeneralGroup,
     .help =
         "File with the secrets that sign requests to webhooks: a line for all of them, or one for each [unsigned]"},
};

const OptionRow<ViewArguments> kViewCommandRows[] = {
    {.name = "folder",
     .field = &ViewArguments::folder,
     .group = kGeneralGroup,
     .help = "Output folder of a finished run",
     .uses = kPositional},
    {.name = "data",
     .field = &ViewArguments::data,
     .group = kGeneralGroup,
     .help = "Folder of an index, to look at instead of a run"},
    {.name = "token_file",
     .field = &ViewArguments::token_file,
     .group = kGeneralGroup,
     .help = "File with the bearer token that requests must send [$PARAPRINT_TOKEN; none: no authentication]"},
};

const OptionRow<IndexArguments> kIndexFolderRows[] = {
    {.name = "data",
     .field = &IndexArguments::data,
     .group = kGeneralGroup,
     .help = "Folder of the index",
     .uses = kRequired},
};

const OptionRow<IndexArguments> kIndexReadingRows[] = {
    {.name = "read_only",
     .field = &IndexArguments::read_only,
     .group = kGeneralGroup,
     .help = "Read the newest snapshot, also while another process changes the index; write nothing to its folder"},
};

const OptionRow<IndexArguments> kIndexMigrateRows[] = {
    {.name = "data",
     .field = &IndexArguments::data,
     .group = kGeneralGroup,
     .help = "Folder of the index",
     .uses = kPositional | kRequired,
     .flag = "data"},
    {.name = "dry_run",
     .field = &IndexArguments::dry_run,
     .group = kGeneralGroup,
     .help = "Print what would be done, and change nothing"},
};

const OptionRow<IndexArguments> kIndexDeleteRows[] = {
    {.name = "ids",
     .field = &IndexArguments::ids,
     .group = kGeneralGroup,
     .help = "Ids of pages",
     .uses = kPositional | kRequired},
};

const OptionRow<IndexArguments> kIndexExpireRows[] = {
    {.name = "days",
     .field = &IndexArguments::days,
     .group = kGeneralGroup,
     .help = "Not seen for this number of days",
     .range = {.minimum = 0, .maximum = kDaysMaximum},
     .uses = kNoDefault},
    {.name = "before",
     .field = &IndexArguments::before,
     .group = kGeneralGroup,
     .help = "Last seen before this Unix time, in seconds",
     .uses = kNoDefault},
};

const OptionRow<IndexArguments> kIndexVerifyRows[] = {
    {.name = "quick",
     .field = &IndexArguments::quick,
     .group = kGeneralGroup,
     .help = "Skip looking up every key of every page"},
};

const OptionRow<IndexArguments> kIndexExportRows[] = {
    {.name = "profiles",
     .field = &IndexArguments::profiles,
     .group = kGeneralGroup,
     .help = "Include the fingerprints of each page"},
};

const OptionRow<IndexArguments> kIndexBackupRows[] = {
    {.name = "to",
     .field = &IndexArguments::to,
     .group = kGeneralGroup,
     .help = "New folder for the backup",
     .uses = kRequired},
};

const OptionRow<IndexArguments> kIndexRestoreRows[] = {
    {.name = "from",
     .field = &IndexArguments::from,
     .group = kGeneralGroup,
     .help = "Folder of the backup",
     .uses = kRequired},
    {.name = "data",
     .field = &IndexArguments::data,
     .group = kGeneralGroup,
     .help = "New folder for the index",
     .uses = kRequired},
};

const OptionRow<ModelArguments> kModelRows[] = {
    {.name = "model",
     .field = &ModelArguments::model,
     .group = kGeneralGroup,
     .help = "The model file",
     .uses = kPositional | kRequired},
};

const OptionRow<ModelArguments> kTopicsShowRows[] = {
    {.name = "words",
     .field = &ModelArguments::words,
     .group = kGeneralGroup,
     .help = "Number of words per topic",
     .range = kShown},
};

const OptionRow<ModelArguments> kTopicsInferRows[] = {
    {.name = "topics",
     .field = &ModelArguments::topics,
     .group = kGeneralGroup,
     .help = "Number of topics per page, largest share first",
     .range = kShown},
};

const OptionRow<ModelArguments> kVectorsNeighboursRows[] = {
    {.name = "word",
     .field = &ModelArguments::word,
     .group = kGeneralGroup,
     .help = "The word",
     .uses = kPositional | kRequired},
    {.name = "count",
     .field = &ModelArguments::count,
     .group = kGeneralGroup,
     .help = "Number of neighbours",
     .range = kShown},
};

}  // namespace

std::span<const OptionRow<ProgressArguments>> progress_argument_rows() {
  return kProgressRows;
}
std::span<const OptionRow<WarningArguments>> warning_argument_rows() {
  return kWarningRows;
}
std::span<const OptionRow<DedupArguments>> dedup_command_rows() {
  return kDedupRows;
}
std::span<const OptionRow<ReclusterArguments>> recluster_command_rows() {
  return kReclusterRows;
}
std::span<const OptionRow<PlanArguments>> plan_command_rows() {
  return kPlanRows;
}
std::span<const OptionRow<PrintedForm>> extract_command_rows() {
  return kExtractRows;
}
std::span<const OptionRow<PrintedForm>> profile_command_rows() {
  return kProfileRows;
}
std::span<const OptionRow<CompareArguments>> compare_command_rows() {
  return kCompareRows;
}
std::span<const OptionRow<AlgorithmsArguments>> algorithms_command_rows() {
  return kAlgorithmsRows;
}
std::span<const OptionRow<CompletionArguments>> completion_command_rows() {
  return kCompletionRows;
}
std::span<const OptionRow<ManualArguments>> manual_command_rows() {
  return kManualRows;
}
std::span<const OptionRow<EvalExtractArguments>> eval_extract_command_rows() {
  return kEvalExtractRows;
}
std::span<const OptionRow<SimulateArguments>> simulate_command_rows() {
  return kSimulateRows;
}
std::span<const OptionRow<ServeArguments>> serve_command_rows() {
  return kServeRows;
}
std::span<const OptionRow<ViewArguments>> view_command_rows() {
  return kViewCommandRows;
}
std::span<const OptionRow<IndexArguments>> index_folder_rows() {
  return kIndexFolderRows;
}
std::span<const OptionRow<IndexArguments>> index_reading_rows() {
  return kIndexReadingRows;
}
std::span<const OptionRow<IndexArguments>> index_migrate_rows() {
  return kIndexMigrateRows;
}
std::span<const OptionRow<IndexArguments>> index_delete_rows() {
  return kIndexDeleteRows;
}
std::span<const OptionRow<IndexArguments>> index_expire_rows() {
  return kIndexExpireRows;
}
std::span<const OptionRow<IndexArguments>> index_verify_rows() {
  return kIndexVerifyRows;
}
std::span<const OptionRow<IndexArguments>> index_export_rows() {
  return kIndexExportRows;
}
std::span<const OptionRow<IndexArguments>> index_backup_rows() {
  return kIndexBackupRows;
}
std::span<const OptionRow<IndexArguments>> index_restore_rows() {
  return kIndexRestoreRows;
}
std::span<const OptionRow<ModelArguments>> model_rows() {
  return kModelRows;
}
std::span<const OptionRow<ModelArguments>> topics_show_rows() {
  return kTopicsShowRows;
}
std::span<const OptionRow<ModelArguments>> topics_infer_rows() {
  return kTopicsInferRows;
}
std::span<const OptionRow<ModelArguments>> vectors_neighbours_rows() {
  return kVectorsNeighboursRows;
}

}  // namespace paraprint::cli
