// Rewrites the tables of options in a Markdown page from the option tables, between markers:
//
//   <!-- options: run, Deciding -->   one group of a run's options (also: crawl, index find, ...: see all_blocks())
//   <!-- end of options -->
//
// usage: paraprint_option_tables PAGE [--check]
// --check only compares, and fails if the page is out of date. `make option-tables` runs it.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "command_arguments.h"
#include "options/command_tables.h"
#include "options/option_table.h"
#include "paraprint/presets.h"

namespace paraprint {
namespace {

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

// How it is written: "`--near FLOAT`", "`--report`, `--no-report`", "`inputs...`, `--input TEXT`".
template <class Options>
std::string option_cell(const OptionRow<Options>& row) {
  const std::string flag = flag_of(row.name);
  if (is_switch(row)) return fmt::format("`{}`, `--no-{}`", flag, flag.substr(2));
  if (!row.has(kPositional)) return fmt::format("`{} {}`", flag, kind_name(row));
  std::string place = fmt::format("`{}{}`", row.name, is_list(row) ? "..." : "");
  if (!row.flag.empty()) place += fmt::format(", `{} {}`", flag_of(row.flag), kind_name(row));
  return place;
}

template <class Options>
std::string default_cell(const OptionRow<Options>& row) {
  if (row.has(kRequired)) return "required";
  if (!has_default(row)) return "";
  const OptionValue value = option_value(row, Options{});
  if (is_switch(row)) return std::get<bool>(value) ? "on" : "off";
  const std::string text = row.has(kSize) ? size_text(std::get<std::uint64_t>(value)) : option_text(row, Options{});
  return text.empty() ? "" : "`" + text + "`";
}

template <class Options>
std::string row_text(const OptionRow<Options>& row) {
  return fmt::format("| {} | {} | {} |\n", option_cell(row), default_cell(row), escaped(help_text(row)));
}

std::string row_text(const Preset& preset) {
  std::string settings;
  for (const auto& [option, value] : preset_settings(preset)) {
    settings += fmt::format("{}`{} {}`", settings.empty() ? "" : " ", flag_of(option), value);
  }
  return fmt::format("| `{}` | {} | {} | {} |\n", preset.name, preset.source, preset.summary, settings);
}

constexpr std::string_view kHeader = "| Option | Default | Meaning |\n|---|---|---|\n";
constexpr std::string_view kHeaderOfPresets = "| Preset | Source | System | Settings |\n|---|---|---|---|\n";
constexpr std::string_view kHeaderOfSubcommands = "| Subcommand | Option | Default | Meaning |\n|---|---|---|---|\n";

using BlocksByName = std::map<std::string, std::string, std::less<>>;

// The rows by table and group, as the markers name them.
class Blocks {
 public:
  void append(const std::string& block, std::string_view header, const std::string& row) {
    std::string& text = found_[block];
    if (text.empty()) text = header;
    text += row;
  }
  template <class Rows>
  void add(const std::string& table, const Rows rows) {
    for (const auto& row : rows) {
      append(table, kHeader, row_text(row));
      append(fmt::format("{}, {}", table, row.group), kHeader, row_text(row));
    }
  }
  // One table for subcommands that have few options each.
  template <class Rows>
  void add_subcommand(const std::string& table, std::string_view subcommand, const Rows rows) {
    for (const auto& row : rows) {
      append(table, kHeaderOfSubcommands, fmt::format("| `{}` {}", subcommand, row_text(row)));
    }
  }
  BlocksByName take() { return std::move(found_); }

 private:
  BlocksByName found_;
};

// Runs and single pages.
void add_runs(Blocks& blocks) {
  DedupOptions run;
  for_each_run_table(run, [&](const auto rows, auto&) { blocks.add("run", rows); });
  blocks.add("plan", dedup_argument_rows());
  blocks.add("plan", preset_option_rows());
  blocks.add("plan", plan_option_rows());
  blocks.add("plan", cli::plan_command_rows());
  blocks.add("plan", cli::progress_argument_rows());
  blocks.add("audit", dedup_argument_rows());
  blocks.add("audit", preset_option_rows());
  blocks.add("audit", audit_option_rows());
  blocks.add("audit", cli::progress_argument_rows());
  blocks.add("dedup", dedup_argument_rows());
  blocks.add("dedup", preset_option_rows());
  blocks.add("dedup", cli::dedup_command_rows());
  blocks.add("dedup", cli::progress_argument_rows());
  blocks.add("recluster", cli::recluster_command_rows());
  blocks.add("recluster", cli::progress_argument_rows());
  blocks.add("view", cli::view_command_rows());
  blocks.add("view", view_option_rows());
  blocks.add("view", cli::progress_argument_rows());
  blocks.add("extract", page_stream_argument_rows());
  blocks.add("extract", cli::extract_command_rows());
  blocks.add("extract", page_stream_option_rows());
  blocks.add("extract", cli::warning_argument_rows());
  blocks.add("profile", page_stream_argument_rows());
  blocks.add("profile", cli::profile_command_rows());
  blocks.add("profile", page_stream_option_rows());
  blocks.add("profile", cli::warning_argument_rows());
  blocks.add("compare", cli::compare_command_rows());
  blocks.add("algorithms", cli::algorithms_command_rows());
  blocks.add("completion", cli::completion_command_rows());
  blocks.add("manual", cli::manual_command_rows());
  for (const Preset& preset : presets()) blocks.append("presets", kHeaderOfPresets, row_text(preset));
}

// Evaluation, and files around a run.
void add_judging_and_archives(Blocks& blocks) {
  blocks.add("eval", evaluate_argument_rows());
  blocks.add("eval", preset_option_rows());
  blocks.add("eval", labelled_input_option_rows());
  blocks.add("eval", evaluate_option_rows());
  blocks.add("eval", sample_option_rows());
  blocks.add("eval", cli::progress_argument_rows());
  blocks.add("eval-extract", evaluate_extraction_argument_rows());
  blocks.add("eval-extract", evaluate_extraction_option_rows());
  blocks.add("eval-extract", cli::eval_extract_command_rows());
  blocks.add("eval-extract", cli::progress_argument_rows());
  blocks.add("simulate", simulate_argument_rows());
  blocks.add("simulate", simulate_option_rows());
  blocks.add("simulate", cli::simulate_command_rows());
  blocks.add("simulate", cli::progress_argument_rows());
  blocks.add("cdx", cdx_argument_rows());
  blocks.add("cdx", cdx_option_rows());
  blocks.add("cdx", cli::progress_argument_rows());
  blocks.add("wacz", wacz_argument_rows());
  blocks.add("wacz", wacz_option_rows());
  blocks.add("wacz", cli::progress_argument_rows());
  blocks.add("contaminated", contamination_argument_rows());
  blocks.add("contaminated", contamination_option_rows());
  blocks.add("contaminated", cli::progress_argument_rows());
  blocks.add("payloads", payload_argument_rows());
  blocks.add("payloads", payload_option_rows());
  blocks.add("payloads", cli::progress_argument_rows());
}

// What crawls, and keeps known pages.
void add_online(Blocks& blocks) {
  blocks.add("crawl", crawl_argument_rows());
  blocks.add("crawl", preset_option_rows());
  blocks.add("crawl", crawl_option_rows());
  blocks.add("crawl", cli::progress_argument_rows());
  blocks.add("index find", cli::index_folder_rows());
  blocks.add("index find", preset_option_rows());
  blocks.add("index find", page_stream_argument_rows());
  blocks.add("index find", lookup_option_rows());
  blocks.add("index find", page_stream_option_rows());
  blocks.add("index find", cli::warning_argument_rows());
  blocks.add("index add", index_add_option_rows());
  blocks.add("index add", origin_option_rows());
  blocks.add("index add", index_option_rows());
  blocks.add_subcommand("index others", "delete", cli::index_delete_rows());
  blocks.add_subcommand("index others", "expire", cli::index_expire_rows());
  for (const char* name : {"find", "stats", "verify", "export", "provenance"}) {
    blocks.add_subcommand("index others", name, cli::index_reading_rows());
  }
  blocks.add_subcommand("index others", "verify", cli::index_verify_rows());
  blocks.add_subcommand("index others", "export", cli::index_export_rows());
  blocks.add_subcommand("index others", "find", statement_filter_rows());
  blocks.add_subcommand("index others", "provenance", cli::index_delete_rows());
  blocks.add_subcommand("index others", "provenance", trace_option_rows());
  blocks.add_subcommand("index others", "provenance", statement_filter_rows());
  blocks.add_subcommand("index others", "backup", cli::index_backup_rows());
  blocks.add_subcommand("index others", "restore", cli::index_restore_rows());
  blocks.add_subcommand("index others", "migrate", cli::index_migrate_rows());
  blocks.add_subcommand("index others", "migrate", cli::progress_argument_rows());
  blocks.add("serve", serve_option_rows());
  blocks.add("serve", preset_option_rows());
  blocks.add("serve", cli::serve_command_rows());
  blocks.add("serve", index_option_rows());
  blocks.add("serve", service_limit_option_rows());
  blocks.add("serve", feed_option_rows());
}

// What is trained.
void add_models(Blocks& blocks) {
  blocks.add("vectors file", vector_file_option_rows());
  blocks.add("vectors", vector_argument_rows());
  blocks.add("vectors", vector_option_rows());
  blocks.add("vectors reduce", reduction_argument_rows());
  blocks.add("vectors reduce", reduction_option_rows());
  blocks.add("vectors reduce", cli::progress_argument_rows());
  blocks.add_subcommand("vectors others", "import", import_option_rows());
  blocks.add_subcommand("vectors others", "neighbours", cli::model_rows());
  blocks.add_subcommand("vectors others", "neighbours", cli::vectors_neighbours_rows());
  blocks.add_subcommand("vectors others", "info", cli::model_rows());
  blocks.add("topics", topic_argument_rows());
  blocks.add("topics", topic_option_rows());
  blocks.add("topics", cli::progress_argument_rows());
  blocks.add_subcommand("topics others", "show", cli::model_rows());
  blocks.add_subcommand("topics others", "show", cli::topics_show_rows());
  blocks.add_subcommand("topics others", "info", cli::model_rows());
  blocks.add_subcommand("topics others", "infer", cli::model_rows());
  blocks.add_subcommand("topics others", "infer", page_stream_argument_rows());
  blocks.add_subcommand("topics others", "infer", cli::topics_infer_rows());
  blocks.add_subcommand("topics others", "infer", page_stream_option_rows());
  blocks.add_subcommand("topics others", "infer", cli::warning_argument_rows());
}

BlocksByName all_blocks() {
  Blocks blocks;
  add_runs(blocks);
  add_judging_and_archives(blocks);
  add_online(blocks);
  add_models(blocks);
  return blocks.take();
}

constexpr std::string_view kBegin = "<!-- options: ";
constexpr std::string_view kBeginEnd = " -->\n";
constexpr std::string_view kEnd = "<!-- end of options -->\n";

// Throws for a marker without its end or of an unknown name.
std::string rewritten(const std::string& page) {
  const BlocksByName known = all_blocks();
  std::string result;
  std::size_t at = 0;
  for (std::size_t begin; (begin = page.find(kBegin, at)) != std::string::npos;) {
    const std::size_t name_end = page.find(kBeginEnd, begin);
    const std::size_t end = page.find(kEnd, begin);
    if (name_end == std::string::npos || end == std::string::npos) throw std::runtime_error("a marker has no end");
    const std::string name = page.substr(begin + kBegin.size(), name_end - begin - kBegin.size());
    const auto block = known.find(name);
    if (block == known.end()) throw std::runtime_error("there is no table '" + name + "'");
    result += page.substr(at, name_end + kBeginEnd.size() - at);
    result += block->second;
    at = end;
  }
  return result + page.substr(at);
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: paraprint_option_tables PAGE [--check]\n";
    return 2;
  }
  const std::string path = argv[1];
  const bool checks = argc > 2 && std::string_view(argv[2]) == "--check";
  std::ifstream file(path, std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  try {
    const std::string wanted = paraprint::rewritten(page);
    if (wanted == page) return 0;
    if (checks) {
      std::cerr << path << " is out of date: run `make option-tables`\n";
      return 1;
    }
    std::ofstream(path, std::ios::binary) << wanted;
    return 0;
  } catch (const std::exception& error) {
    std::cerr << path << ": " << error.what() << '\n';
    return 2;
  }
}
