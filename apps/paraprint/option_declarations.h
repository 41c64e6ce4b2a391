// Declares the rows of the option tables (src/options/) to the parser of the command line. The configuration file takes
// the same names, and the options that a run stores are written from the same declarations.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "options/option_table.h"

namespace paraprint::cli {

inline constexpr const char* kInputsHelp = "WARC, ARC, WET, JSONL or HTML files, folders of them, or -";

inline std::string flag_of(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

// Declares one row. `options` must outlive the parsing. Text that is not a value, or out of range, is refused while
// parsing, in the words of the table.
template <class Options>
CLI::Option* declare_option(CLI::App& command, const OptionRow<Options>& row, Options& options) {
  const std::string flag = flag_of(row.name);
  CLI::Option* option = nullptr;
  if (is_switch(row)) {
    bool& field = options.*std::get<bool Options::*>(row.field);
    option = command.add_flag(flag + ",!--no-" + flag.substr(2), field);
  } else {
    option = command.add_option_function<std::vector<std::string>>(
        flag, [&row, &options](const std::vector<std::string>& texts) {
          Status set = set_option(row, options, texts);
          if (set) set = check_option(row, options);
          if (!set) throw CLI::ValidationError("paraprint: " + set.error().message);
        });
    option->expected(1)->type_name(std::string(kind_name(row)));
    if (is_list(row)) {
      option->take_all()->allow_extra_args(false);
      if (!row.has(kOnePerFlag)) option->delimiter(',');
    } else {
      option->take_last();
    }
  }
  option->description(std::string(row.help));
  option->default_str(option_text(row, options));
  option->group(std::string(row.group));
  if (row.has(kNotInFile)) option->configurable(false);
  return option;
}

// Declares the rows for which `is_wanted` is true, all by default.
template <class Options, class IsWanted>
void declare_options(CLI::App& command, std::span<const OptionRow<Options>> rows, Options& options,
                     IsWanted&& is_wanted) {
  for (const OptionRow<Options>& row : rows) {
    if (is_wanted(row)) declare_option(command, row, options);
  }
}
template <class Options>
void declare_options(CLI::App& command, std::span<const OptionRow<Options>> rows, Options& options) {
  declare_options(command, rows, options, [](const auto&) { return true; });
}

// Rows that name the files of models.
inline constexpr auto kOfModels = [](const auto& row) { return row.has(kModelFile); };

}  // namespace paraprint::cli
