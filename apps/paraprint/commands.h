// The commands of `paraprint`: each declares its options on a CLI11 subcommand and returns an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace paraprint::cli {

// Users' scripts depend on these numbers: never renumber. docs/cli.md lists them.
enum ExitCode {
  kSuccess = 0,
  kFailure = 1,          // reading or writing failed, or memory ran out
  kUsage = 2,            // unusable options or inputs
  kUnreadableInput = 3,  // finished, but an input could not be read to its end
  kNoSpaceLeft = 4,      // stopped cleanly because the disk is full; can be resumed
  kInterrupted = 5,      // stopped by a signal with the state saved; can be resumed
};

// Each function adds a subcommand. If the user chose it, parsing sets `run` to the function to call.
using Command = std::function<int()>;
void add_dedup_command(CLI::App& app, Command& run);
void add_recluster_command(CLI::App& app, Command& run);
void add_contaminated_command(CLI::App& app, Command& run);
void add_payloads_command(CLI::App& app, Command& run);
void add_cdx_command(CLI::App& app, Command& run);
void add_wacz_command(CLI::App& app, Command& run);
void add_extract_command(CLI::App& app, Command& run);
void add_profile_command(CLI::App& app, Command& run);
void add_plan_command(CLI::App& app, Command& run);
void add_audit_command(CLI::App& app, Command& run);
void add_compare_command(CLI::App& app, Command& run);
void add_eval_command(CLI::App& app, Command& run);
void add_eval_extract_command(CLI::App& app, Command& run);
void add_algorithms_command(CLI::App& app, Command& run);
void add_simulate_command(CLI::App& app, Command& run);
void add_crawl_command(CLI::App& app, Command& run);
void add_serve_command(CLI::App& app, Command& run);
void add_view_command(CLI::App& app, Command& run);
void add_index_command(CLI::App& app, Command& run);
void add_index_care_commands(CLI::App& group, Command& run);  // the subcommands of index other than add and find
void add_topics_command(CLI::App& app, Command& run);
void add_vectors_command(CLI::App& app, Command& run);
void add_version_command(CLI::App& app, Command& run);
// What they print describes all commands of `app`, which must live until `run` has been called.
void add_completion_command(CLI::App& app, Command& run);
void add_manual_command(CLI::App& app, Command& run);

}  // namespace paraprint::cli
