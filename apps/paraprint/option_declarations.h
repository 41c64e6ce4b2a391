// Declares the rows of the option tables (src/options/) to the parser of the command line. The configuration file takes
// the same names, and the options that a run stores are written from the same declarations.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command_tree.h"
#include "options/option_table.h"

namespace paraprint::cli {

// The name of a row as CLI11 takes it: "--near", "model", or "--input,inputs" for what is both.
template <class Options>
std::string declared_name(const OptionRow<Options>& row) {
  if (!row.has(kPositional)) return flag_of(row.name);
  return (row.flag.empty() ? "" : flag_of(row.flag) + ',') + std::string(row.name);
}

// Declares one row. `options` must outlive the parsing. Text that is not a value, or out of range, is refused while
// parsing, in the words of the table.
template <class Options>
CLI::Option* declare_option(CLI::App& command, const OptionRow<Options>& row, Options& options) {
  const std::string name = declared_name(row);
  CLI::Option* option = nullptr;
  if (is_switch(row)) {
    bool& field = options.*std::get<bool Options::*>(row.field);
    option = command.add_flag(name + ",!--no-" + name.substr(2), field);
  } else {
    option = command.add_option_function<std::vector<std::string>>(
        name, [&row, &options](const std::vector<std::string>& texts) {
          Status set = set_option(row, options, texts);
          if (set) set = check_option(row, options);
          if (!set) throw CLI::ValidationError("paraprint: " + set.error().message);
        });
    option->type_name(std::string(kind_name(row)));
    if (is_list(row) && row.has(kPositional)) {
      option->take_all();
    } else {
      // One word each, so that the next one is an argument again.
      option->expected(1)->allow_extra_args(false);
      is_list(row) ? option->take_all() : option->take_last();
      if (is_list(row) && !row.has(kOnePerFlag)) option->delimiter(',');
    }
  }
  if (const auto* choice = std::get_if<ChoiceField<Options>>(&row.field)) {
    attach_choices(*option, {choice->names.begin(), choice->names.end()});
  }
  option->description(help_text(row));
  if (has_default(row)) option->default_str(option_text(row, options));
  if (row.has(kRequired)) option->required();
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

// Declares --preset. `apply(name)` sets what the preset names. Options that are given are set again after it, so they
// override it in whatever order the command line and the configuration file have them.
template <class Apply>
CLI::Option* declare_preset(CLI::App& command, Apply apply) {
  const OptionRow<PresetChoice>& row = preset_option_rows().front();
  const std::string flag = declared_name(row);
  CLI::Option* const preset = command.add_option_function<std::string>(flag, [&command, flag, apply](const auto& name) {
    if (Status applied = apply(name); !applied) throw CLI::ValidationError("paraprint: " + applied.error().message);
    for (CLI::Option* option : command.get_options({})) {
      if (option->count() > 0 && option->get_name() != flag) option->run_callback();
    }
  });
  preset->type_name(std::string(kind_name(row)))->description(help_text(row))->group(std::string(row.group));
  preset->expected(1)->allow_extra_args(false)->take_last();
  std::vector<std::string> names;
  for (const Preset& known : presets()) names.emplace_back(known.name);
  attach_choices(*preset, names);
  return preset;
}

}  // namespace paraprint::cli
