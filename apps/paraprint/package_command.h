// Hands a command over to the Python package, which reads what this program does not (paraprint/table_inputs.h).
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_tree.h"
#include "options/option_table.h"

namespace paraprint::cli {

// Name and value; a name may repeat. Values are text, as on the command line, and have no zero bytes.
struct PackageArgument {
  std::string name;
  std::string value;
};

// Appends the options of these rows that were given, or that a preset set. Lists whose flag is repeated are left to the
// caller.
template <class Options>
void append_options(std::span<const OptionRow<Options>> rows, const Options& options, const CLI::App& command,
                    std::vector<PackageArgument>& arguments) {
  const Options defaults;
  for (const OptionRow<Options>& row : rows) {
    if (row.has(kOnePerFlag)) continue;
    const std::string value = option_text(row, options);
    const bool is_given = command.get_option(flag_of(row.name))->count() > 0;
    if (is_given || value != option_text(row, defaults)) arguments.push_back({std::string(row.name), value});
  }
}

// The first of these paths that the package reads, a table or a URI; empty if there is none.
std::string first_of_package(std::span<const std::string> paths);

// Becomes main() of the package's module table_command: process, standard streams, signals and exit code are the same.
// The interpreter is the one in the environment variable PARAPRINT_PYTHON, which the launcher of an installed
// package sets. One of the arguments is "command", the name of the command. Returns, with an exit code and after a
// message, only if there is no interpreter, or it cannot be started; `input` is what needs the package, for that
// message.
int run_in_package(std::string_view input, std::span<const PackageArgument> arguments);

}  // namespace paraprint::cli
