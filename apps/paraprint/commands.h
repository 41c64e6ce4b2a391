// The commands of `paraprint`: each declares its options on a CLI11 subcommand and answers with an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace paraprint::cli {

// Persisted in scripts of users: never renumber. docs/cli.md lists them.
enum ExitCode {
  kSuccess = 0,
  kFailure = 1,          // reading, writing or the system failed
  kUsage = 2,            // options or inputs that can't be used
  kUnreadableInput = 3,  // finished, but an input could not be read to its end
  kNoSpaceLeft = 4,      // stopped cleanly: the disk is full; the same command goes on
  kInterrupted = 5,      // stopped by a signal, state saved; the same command goes on
};

// Each adds a subcommand; `run` is set to what to call when that subcommand was chosen.
using Command = std::function<int()>;
void add_dedup_command(CLI::App& app, Command& run);
void add_recluster_command(CLI::App& app, Command& run);
void add_extract_command(CLI::App& app, Command& run);
void add_profile_command(CLI::App& app, Command& run);
void add_compare_command(CLI::App& app, Command& run);
void add_eval_command(CLI::App& app, Command& run);
void add_algorithms_command(CLI::App& app, Command& run);
void add_simulate_command(CLI::App& app, Command& run);
void add_crawl_command(CLI::App& app, Command& run);
void add_serve_command(CLI::App& app, Command& run);
void add_index_command(CLI::App& app, Command& run);
void add_index_care_commands(CLI::App& group, Command& run);  // subcommands of index: all but add and find
void add_topics_command(CLI::App& app, Command& run);
void add_vectors_command(CLI::App& app, Command& run);
void add_version_command(CLI::App& app, Command& run);

}  // namespace paraprint::cli
