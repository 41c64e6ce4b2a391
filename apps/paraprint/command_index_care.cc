// The maintenance subcommands of `paraprint index`: delete, expire, stats, verify, export, compact, backup, restore.
// All but restore open an existing index, with whatever settings it has, and run one action on it; none creates an
// index. Closing the index is not stopped by a signal, since that is when it writes what is pending.
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>

#include "commands.h"
#include "paraprint/index.h"
#include "paraprint/stop.h"
#include "stop_signals.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

constexpr double kSecondsPerDay = 86400;
constexpr double kDaysMaximum = 36500;  // a century: no page was seen earlier

struct CareCommand {
  std::string data;
  std::vector<std::string> ids;
  double days = -1;
  std::uint64_t before_seconds = 0;
  bool is_quick = false;
  bool with_profiles = false;
  std::string folder;  // of a backup
};

using Action = std::function<Result<int>(PageIndex& index, const CareCommand& command)>;

// Opens the index for one action; returns the exit code.
Result<int> open_and_act(const CareCommand& command, const Action& action, const StopFlag& stop) {
  IndexOptions options;
  options.create_if_missing = false;
  std::unique_ptr<PageIndex> index;  // outlives the scope below: closing must not be stopped
  const StopScope scope(&stop);
  Result<std::unique_ptr<PageIndex>> opened = PageIndex::open(command.data, options);
  if (!opened) return tl::unexpected<Error>(opened.error());
  index = std::move(*opened);
  const Result<IndexStatistics> statistics = index->statistics();
  if (!statistics) return tl::unexpected<Error>(statistics.error());
  for (const std::string& warning : statistics->warnings) print_line(warning);
  return action(*index, command);
}

int run_action(const CareCommand& command, const Action& action) {
  const Result<int> done = open_and_act(command, action, catch_stop_signals());
  const Status written = flush_output();
  if (!done) return report_end(done.error(), kBeginsAgain);
  if (!written) return report_error(written.error());
  return *done;
}

Result<int> exit_code_of(const Status& status) {
  if (!status) return tl::unexpected<Error>(status.error());
  return static_cast<int>(kSuccess);
}

Result<int> delete_pages(PageIndex& index, const CareCommand& command) {
  for (const std::string& id : command.ids) {
    if (Status going_on = check_stop(); !going_on) return tl::unexpected<Error>(going_on.error());
    const Result<bool> removed = index.remove(id);
    if (!removed) return tl::unexpected<Error>(removed.error());
    const Status printed = write_output_line(deletion_json(id, *removed));
    if (!printed) return tl::unexpected<Error>(printed.error());
  }
  return static_cast<int>(kSuccess);
}

// --days counts back from now; --before is an absolute time.
Result<int> expire_pages(PageIndex& index, const CareCommand& command) {
  std::uint64_t before = command.before_seconds;
  if (command.days >= 0) {
    const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    before = static_cast<std::uint64_t>(std::max(0.0, now - command.days * kSecondsPerDay));
  } else if (before == 0) {
    return tl::unexpected<Error>(Error{ErrorCode::kInvalidArgument, "index expire needs --days or --before"});
  }
  const Result<std::uint64_t> removed = index.expire(before);
  if (!removed) return tl::unexpected<Error>(removed.error());
  return exit_code_of(write_output_line(fmt::format(R"({{"expired":{}}})", *removed)));
}

Result<int> show_statistics(PageIndex& index, const CareCommand&) {
  const Result<IndexStatistics> statistics = index.statistics();
  if (!statistics) return tl::unexpected<Error>(statistics.error());
  return exit_code_of(write_output_line(statistics_json(*statistics)));
}

// Findings are a result, not an error: they are printed as JSON, and the exit code is 1.
Result<int> verify_index(PageIndex& index, const CareCommand& command) {
  const Result<IndexVerification> verification = index.verify(!command.is_quick);
  if (!verification) return tl::unexpected<Error>(verification.error());
  const Status printed = write_output_line(verification_json(*verification));
  if (!printed) return tl::unexpected<Error>(printed.error());
  return static_cast<int>(verification->is_clean() ? kSuccess : kFailure);
}

Result<int> export_pages(PageIndex& index, const CareCommand& command) {
  return exit_code_of(index.for_each_page(command.with_profiles, [](const IndexedPage& page, const Profile* profile) {
    return write_output_line(stored_page_json(page, profile));
  }));
}

Result<int> compact_index(PageIndex& index, const CareCommand& command) {
  if (Status compacted = index.compact(); !compacted) return tl::unexpected<Error>(compacted.error());
  return show_statistics(index, command);
}

Result<int> back_up(PageIndex& index, const CareCommand& command) {
  return exit_code_of(index.backup(command.folder));
}

}  // namespace

void add_index_care_commands(CLI::App& group, Command& run) {
  // Declares a subcommand with --data and its action; options of its own are added below.
  const auto add = [&](const char* name, const char* summary, const char* footer, const Action& action) {
    auto command = std::make_shared<CareCommand>();
    CLI::App* made = group.add_subcommand(name, summary);
    made->add_option("--data", command->data, "Folder of the index")->required();
    made->footer(footer);
    made->callback([command, action, &run] { run = [command, action] { return run_action(*command, action); }; });
    return std::pair{made, command};
  };
  const auto [remove, remove_command] = add("delete", "Delete pages by id",
                                            "Prints {\"id\",\"deleted\"} per page.\n\nExample:\n"
                                            "  paraprint index delete --data known https://example.org/old.html",
                                            delete_pages);
  remove->add_option("ids", remove_command->ids, "Ids of pages")->required();

  const auto [expire, expire_command] =
      add("expire", "Delete pages that have not been seen for a while",
          "Prints {\"expired\"}.\n\nExamples:\n  paraprint index expire --data known --days 90\n"
          "  paraprint index expire --data known --before 1767225600",
          expire_pages);
  expire->add_option("--days", expire_command->days, "Not seen for this number of days")
      ->check(CLI::Range(0.0, kDaysMaximum));
  expire->add_option("--before", expire_command->before_seconds, "Last seen before this Unix time, in seconds");

  add("stats", "Print sizes and counts", "Example:\n  paraprint index stats --data known", show_statistics);

  const auto [verify, verify_command] =
      add("verify", "Check all stored data",
          "Prints {\"clean\",\"pages\",\"texts\",\"findings\"}; every finding comes with advice. Exit code 1 if "
          "there is any.\n\nExample:\n  paraprint index verify --data known",
          verify_index);
  verify->add_flag("--quick", verify_command->is_quick, "Skip looking up every key of every page");

  const auto [exported, export_command] =
      add("export", "Print every page as a JSON line", "Example:\n  paraprint index export --data known > pages.jsonl",
          export_pages);
  exported->add_flag("--profiles", export_command->with_profiles, "Include the fingerprints of each page");

  add("compact", "Free the disk space of deleted pages", "Example:\n  paraprint index compact --data known",
      compact_index);

  const auto [backup, backup_command] =
      add("backup", "Write a snapshot of the index",
          "Files are hard-linked if the file system allows it. A backup is itself an index.\n\nExample:\n"
          "  paraprint index backup --data known --to known-monday",
          back_up);
  backup->add_option("--to", backup_command->folder, "New folder for the backup")->required();

  // restore works on folders, not on an open index.
  auto command = std::make_shared<CareCommand>();
  CLI::App* restore = group.add_subcommand("restore", "Create an index from a backup and check every byte");
  restore->add_option("--from", command->folder, "Folder of the backup")->required();
  restore->add_option("--data", command->data, "New folder for the index")->required();
  restore->footer("Example:\n  paraprint index restore --from known-monday --data known");
  restore->callback([command, &run] {
    run = [command] {
      const StopScope scope(&catch_stop_signals());
      const Status restored = restore_index(command->folder, command->data);
      return restored ? static_cast<int>(kSuccess) : report_end(restored.error(), kBeginsAgain);
    };
  });
}

}  // namespace paraprint::cli
