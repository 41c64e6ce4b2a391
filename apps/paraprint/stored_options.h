// The options that a finished `paraprint dedup` stored next to its work, for the commands that take the run up again.
#pragma once

#include <string>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace paraprint::cli {

// Declares all options of a run, in the order of --help: for dedup itself, and to read what it stored.
void declare_run(CLI::App& command, DedupOptions& options);

// The options in force as TOML, for store_options(). `command` has parsed them with these declarations.
std::string stored_options_text(const CLI::App& command, const DedupOptions& options);

// The options of the run in `folder`, with its output folder set to this one. `overrides` are flags that replace some
// of them; inputs and output folder cannot be replaced. Errors: kNotFound without a finished run; kInvalidArgument for
// a file that is damaged, and for options or flags that are refused.
Result<DedupOptions> read_stored_options(const std::string& folder, const std::vector<std::string>& overrides = {});

}  // namespace paraprint::cli
