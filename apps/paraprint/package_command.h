// Hands a command over to the Python package, which reads what this program does not (paraprint/table_inputs.h).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace paraprint::cli {

// Name and value; a name may repeat. Values are text, as on the command line, and have no zero bytes.
struct PackageArgument {
  std::string name;
  std::string value;
};

// Becomes main() of the package's module table_command: process, standard streams, signals and exit code are the same.
// The interpreter is the one in the environment variable PARAPRINT_PYTHON, which the launcher of an installed
// package sets. Returns, with an exit code and after a message, only if there is none, or it cannot be started;
// `input` is what needs the package, for that message.
int run_in_package(std::string_view input, std::span<const PackageArgument> arguments);

}  // namespace paraprint::cli
