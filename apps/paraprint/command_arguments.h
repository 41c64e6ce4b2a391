// What single commands take that is no setting of the library: files to print to, forms of output, folders of indexes.
// Rows like those of src/options/, so that --help, docs/cli.md and checks are made in the same way. The rows live apart
// from the commands because the program that writes the tables of docs/cli.md reads them as well.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "options/command_tables.h"

namespace paraprint::cli {

// Of commands that show progress.
struct ProgressArguments {
  bool quiet = false;
};
std::span<const OptionRow<ProgressArguments>> progress_argument_rows();

// Of commands that print a line per page, and warn about records that they could not read.
struct WarningArguments {
  bool quiet = false;
};
std::span<const OptionRow<WarningArguments>> warning_argument_rows();

struct DedupArguments {
  std::string index;  // empty: none
};
std::span<const OptionRow<DedupArguments>> dedup_command_rows();

struct ReclusterArguments {
  std::string folder;
};
std::span<const OptionRow<ReclusterArguments>> recluster_command_rows();

struct PlanArguments {
  bool json = false;
};
std::span<const OptionRow<PlanArguments>> plan_command_rows();

enum class ExtractFormat : std::uint8_t { kJson, kText, kMarkdown };

struct PrintedForm {
  ExtractFormat format = ExtractFormat::kJson;
  bool text = false;  // the same as ExtractFormat::kText
  bool bytes = false;
};
std::span<const OptionRow<PrintedForm>> extract_command_rows();
std::span<const OptionRow<PrintedForm>> profile_command_rows();

struct CompareArguments {
  std::string a;
  std::string b;
  bool json = false;
  std::string html;  // empty: none
  bool colour = true;
};
std::span<const OptionRow<CompareArguments>> compare_command_rows();

struct AlgorithmsArguments {
  bool json = false;
  bool presets = false;
};
std::span<const OptionRow<AlgorithmsArguments>> algorithms_command_rows();

enum class Shell : std::uint8_t { kBash, kZsh, kFish };

struct CompletionArguments {
  Shell shell = Shell::kBash;
};
std::span<const OptionRow<CompletionArguments>> completion_command_rows();

struct ManualArguments {
  std::vector<std::string> command;
  std::string out;
};
std::span<const OptionRow<ManualArguments>> manual_command_rows();

struct EvalExtractArguments {
  bool json = false;
};
std::span<const OptionRow<EvalExtractArguments>> eval_extract_command_rows();

struct SimulateArguments {
  bool list_edits = false;
};
std::span<const OptionRow<SimulateArguments>> simulate_command_rows();

struct ServeArguments {
  std::string token_file;
  std::string webhook_secret_file;
};
std::span<const OptionRow<ServeArguments>> serve_command_rows();

struct ViewArguments {
  std::string folder;
  std::string data;
  std::string token_file;
};
std::span<const OptionRow<ViewArguments>> view_command_rows();

// Each subcommand of `index` uses those of its tables.
struct IndexArguments {
  std::string data;
  std::vector<std::string> ids;
  double days = -1;          // negative: not given
  std::uint64_t before = 0;  // Unix time in seconds; 0: not given
  bool quick = false;
  bool profiles = false;
  std::string to;
  std::string from;
  bool read_only = false;
  bool dry_run = false;
  TraceOptions trace;
};
std::span<const OptionRow<IndexArguments>> index_folder_rows();   // of all but restore and migrate
std::span<const OptionRow<IndexArguments>> index_reading_rows();  // of those that change nothing
std::span<const OptionRow<IndexArguments>> index_migrate_rows();
std::span<const OptionRow<IndexArguments>> index_delete_rows();
std::span<const OptionRow<IndexArguments>> index_expire_rows();
std::span<const OptionRow<IndexArguments>> index_verify_rows();
std::span<const OptionRow<IndexArguments>> index_export_rows();
std::span<const OptionRow<IndexArguments>> index_backup_rows();
std::span<const OptionRow<IndexArguments>> index_restore_rows();

// Of the commands that use a model.
struct ModelArguments {
  std::string model;
  std::uint32_t words = 10;
  std::uint32_t topics = 5;
  std::string word;
  std::uint32_t count = 10;
};
std::span<const OptionRow<ModelArguments>> model_rows();  // of all of them
std::span<const OptionRow<ModelArguments>> topics_show_rows();
std::span<const OptionRow<ModelArguments>> topics_infer_rows();
std::span<const OptionRow<ModelArguments>> vectors_neighbours_rows();

}  // namespace paraprint::cli
