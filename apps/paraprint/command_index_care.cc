// The other subcommands of `paraprint index`: delete, expire, stats, verify, export, provenance, compact, snapshot,
// backup, restore, migrate. All but the last two open an existing index, with whatever settings it has, and run one
// action on it; none creates an index. Closing the index is not stopped by a signal, since that is when it writes what
// is pending.
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/index.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

constexpr double kSecondsPerDay = 86400;

using Action = std::function<Result<int>(PageIndex& index, const IndexArguments& command, const RunControl& control)>;

// Opens the index for one action; returns the exit code.
Result<int> open_and_act(const IndexArguments& command, const Action& action) {
  IndexOptions options;
  options.create_if_missing = false;
  options.read_only = command.read_only;
  RunControl control;
  control.stop = &catch_stop_signals();
  control.warning = print_line;
  const Result<std::unique_ptr<PageIndex>> index = PageIndex::open(command.data, options, control);
  if (!index) return tl::unexpected<Error>(index.error());
  return action(**index, command, control);
}

int run_action(const IndexArguments& command, const Action& action) {
  const Result<int> done = open_and_act(command, action);
  const Status written = flush_output();
  if (!done) return report_end(done.error(), kBeginsAgain);
  if (!written) return report_error(written.error());
  return *done;
}

Result<int> exit_code_of(const Status& status) {
  if (!status) return tl::unexpected<Error>(status.error());
  return static_cast<int>(kSuccess);
}

Result<int> delete_pages(PageIndex& index, const IndexArguments& command, const RunControl& control) {
  for (const std::string& id : command.ids) {
    if (control.stop->load()) return tl::unexpected<Error>(Error{ErrorCode::kCancelled, "stopped before completion"});
    const Result<bool> removed = index.remove(id);
    if (!removed) return tl::unexpected<Error>(removed.error());
    const Status printed = write_output_line(deletion_json(id, *removed));
    if (!printed) return tl::unexpected<Error>(printed.error());
  }
  return static_cast<int>(kSuccess);
}

// --days counts back from now; --before is an absolute time.
Result<int> expire_pages(PageIndex& index, const IndexArguments& command, const RunControl& control) {
  std::uint64_t before = command.before;
  if (command.days >= 0) {
    const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    before = static_cast<std::uint64_t>(std::max(0.0, now - command.days * kSecondsPerDay));
  } else if (before == 0) {
    return tl::unexpected<Error>(Error{ErrorCode::kInvalidArgument, "index expire needs --days or --before"});
  }
  const Result<std::uint64_t> removed = index.expire(before, control);
  if (!removed) return tl::unexpected<Error>(removed.error());
  return exit_code_of(write_output_line(fmt::format(R"({{"expired":{}}})", *removed)));
}

Result<int> show_statistics(PageIndex& index, const IndexArguments&, const RunControl&) {
  const Result<IndexStatistics> statistics = index.statistics();
  if (!statistics) return tl::unexpected<Error>(statistics.error());
  return exit_code_of(write_output_line(statistics_json(*statistics)));
}

// Findings are a result, not an error: they are printed as JSON, and the exit code is 1.
Result<int> verify_index(PageIndex& index, const IndexArguments& command, const RunControl& control) {
  const Result<VerifyOutcome> verification = index.verify(!command.quick, control);
  if (!verification) return tl::unexpected<Error>(verification.error());
  const Status printed = write_output_line(verification_json(*verification));
  if (!printed) return tl::unexpected<Error>(printed.error());
  return static_cast<int>(verification->is_clean() ? kSuccess : kFailure);
}

Result<int> export_pages(PageIndex& index, const IndexArguments& command, const RunControl& control) {
  const auto print = [](const IndexedPage& page, const Profile* profile) {
    return write_output_line(stored_page_json(page, profile));
  };
  return exit_code_of(index.for_each_page(command.profiles, print, control));
}

Result<int> trace_pages(PageIndex& index, const IndexArguments& command, const RunControl& control) {
  for (const std::string& id : command.ids) {
    const Result<TracedCopies> traced = index.trace(id, command.trace, control);
    if (!traced) return tl::unexpected<Error>(traced.error());
    const Status printed = write_output_line(trace_json(id, *traced));
    if (!printed) return tl::unexpected<Error>(printed.error());
  }
  return static_cast<int>(kSuccess);
}

Result<int> compact_index(PageIndex& index, const IndexArguments& command, const RunControl& control) {
  if (Status compacted = index.compact(control); !compacted) return tl::unexpected<Error>(compacted.error());
  return show_statistics(index, command, control);
}

Result<int> publish_snapshot(PageIndex& index, const IndexArguments&, const RunControl& control) {
  if (Status published = index.snapshot(control); !published) return tl::unexpected<Error>(published.error());
  const Result<IndexStatistics> statistics = index.statistics();
  if (!statistics) return tl::unexpected<Error>(statistics.error());
  return exit_code_of(write_output_line(fmt::format(R"({{"snapshot":{}}})", statistics->snapshot)));
}

Result<int> back_up(PageIndex& index, const IndexArguments& command, const RunControl& control) {
  return exit_code_of(index.backup(command.to, control));
}

// Restores and migrations work on folders, not on an open index.
int run_restore(const IndexArguments& command) {
  RunControl control;
  control.stop = &catch_stop_signals();
  const Status restored = restore_index(command.from, command.data, control);
  return restored ? static_cast<int>(kSuccess) : report_end(restored.error(), kBeginsAgain);
}

int run_migrate(const IndexArguments& command, bool is_quiet) {
  ProgressPrinter printer(is_quiet);
  RunControl control;
  control.stop = &catch_stop_signals();
  control.progress = [&](const Progress& progress) { printer.show(progress); };
  if (!is_quiet) control.warning = print_line;
  const Result<IndexMigration> migrated =
      command.dry_run ? plan_index_migration(command.data) : migrate_index(command.data, control);
  if (!migrated) return report_end(migrated.error(), "the index is as usable as before; repeat the command to go on");
  return print_output(migration_json(*migrated, !command.dry_run) + "\n");
}

void add_restore_command(CLI::App& group, Command& run) {
  auto command = std::make_shared<IndexArguments>();
  CLI::App* restore = group.add_subcommand("restore", "Create an index from a backup and check every byte");
  declare_options(*restore, index_restore_rows(), *command);
  restore->footer("Example:\n  paraprint index restore --from known-monday --data known");
  restore->callback([command, &run] { run = [command] { return run_restore(*command); }; });
}

void add_migrate_command(CLI::App& group, Command& run) {
  auto command = std::make_shared<IndexArguments>();
  auto progress = std::make_shared<ProgressArguments>();
  CLI::App* migrate = group.add_subcommand("migrate", "Convert an index of an older format, in place");
  declare_options(*migrate, index_migrate_rows(), *command);
  declare_options(*migrate, progress_argument_rows(), *progress);
  migrate->footer(
      "Prints {\"from\",\"to\",\"steps\",\"done\"}; an index of the newest format has no steps. After a kill, the same "
      "command\ncompletes it; until then either the older program or this one opens the index. Exit code 2 if the "
      "index is from\nbefore the first release and cannot be converted, or from a later one.\n\nExamples:\n"
      "  paraprint index migrate known --dry-run\n"
      "  paraprint index migrate known");
  migrate->callback(
      [command, progress, &run] { run = [command, progress] { return run_migrate(*command, progress->quiet); }; });
}

}  // namespace

void add_index_care_commands(CLI::App& group, Command& run) {
  // Declares a subcommand with --data and its action; options of its own are added below.
  const auto add = [&](const char* name, const char* summary, const char* footer, const Action& action) {
    auto command = std::make_shared<IndexArguments>();
    CLI::App* made = group.add_subcommand(name, summary);
    declare_options(*made, index_folder_rows(), *command);
    made->footer(footer);
    made->callback([command, action, &run] { run = [command, action] { return run_action(*command, action); }; });
    return std::pair{made, command};
  };
  const auto [remove, remove_command] = add("delete", "Delete pages by id",
                                            "Prints {\"id\",\"deleted\"} per page.\n\nExample:\n"
                                            "  paraprint index delete --data known https://example.org/old.html",
                                            delete_pages);
  declare_options(*remove, index_delete_rows(), *remove_command);

  const auto [expire, expire_command] =
      add("expire", "Delete pages that have not been seen for a while",
          "Prints {\"expired\"}.\n\nExamples:\n  paraprint index expire --data known --days 90\n"
          "  paraprint index expire --data known --before 1767225600",
          expire_pages);
  declare_options(*expire, index_expire_rows(), *expire_command);

  const auto [stats, stats_command] =
      add("stats", "Print sizes and counts",
          "Examples:\n  paraprint index stats --data known\n  paraprint index stats --data known --read-only",
          show_statistics);
  declare_options(*stats, index_reading_rows(), *stats_command);

  const auto [verify, verify_command] =
      add("verify", "Check all stored data",
          "Prints {\"clean\",\"pages\",\"texts\",\"findings\"}; every finding comes with advice. Exit code 1 if "
          "there is any.\n\nExample:\n  paraprint index verify --data known",
          verify_index);
  declare_options(*verify, index_verify_rows(), *verify_command);
  declare_options(*verify, index_reading_rows(), *verify_command);

  const auto [exported, export_command] =
      add("export", "Print every page as a JSON line", "Example:\n  paraprint index export --data known > pages.jsonl",
          export_pages);
  declare_options(*exported, index_export_rows(), *export_command);
  declare_options(*exported, index_reading_rows(), *export_command);

  const auto [provenance, provenance_command] =
      add("provenance", "Print who copied from whom in the clusters of pages",
          "Prints {\"id\",\"cluster\",\"pages\",\"pages_filtered_out\",\"has_more\"} per id; \"pages\" has the "
          "members of provenance.jsonl.\nPages that were added with --provenance have statements; of others only "
          "the texts speak.\n\nExamples:\n"
          "  paraprint index provenance --data known https://example.org/1\n"
          "  paraprint index provenance --data known --published-from 2024-05 --source example.org page-7",
          trace_pages);
  declare_options(*provenance, index_delete_rows(), *provenance_command);
  declare_options(*provenance, trace_option_rows(), provenance_command->trace);
  declare_options(*provenance, statement_filter_rows(), provenance_command->trace.filter);
  declare_options(*provenance, index_reading_rows(), *provenance_command);

  add("compact", "Free the disk space of deleted pages", "Example:\n  paraprint index compact --data known",
      compact_index);

  add("snapshot", "Publish a snapshot for --read-only",
      "Prints {\"snapshot\"}, its number. From then on, every command and service that changes the index publishes "
      "another one\nwhen it ends. Removing the folder 'snapshots' of the index ends that.\n\nExample:\n"
      "  paraprint index snapshot --data known",
      publish_snapshot);

  const auto [backup, backup_command] =
      add("backup", "Write a snapshot of the index",
          "Files are hard-linked if the file system allows it. A backup is itself an index.\n\nExample:\n"
          "  paraprint index backup --data known --to known-monday",
          back_up);
  declare_options(*backup, index_backup_rows(), *backup_command);

  add_restore_command(group, run);
  add_migrate_command(group, run);
}

}  // namespace paraprint::cli
