// `paraprint view`: a finished run, or an index, as a local web page (paraprint/view.h).
#include <fmt/format.h>

#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/engine.h"
#include "paraprint/view.h"
#include "stop_signals.h"
#include "stored_options.h"
#include "terminal.h"
#include "token_file.h"

namespace paraprint::cli {
namespace {

struct ViewCommand {
  ViewOptions options;
  ViewArguments arguments;
  ProgressArguments progress;
};

// An IPv6 address needs brackets.
std::string page_address(const ViewOptions& options, std::uint16_t port) {
  const bool has_colon = options.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", has_colon ? "[" : "", options.address, has_colon ? "]" : "", port);
}

int run_view(ViewCommand& command) {
  if (Status read = read_token(command.arguments.token_file, command.options.token); !read) {
    return report_error(read.error());
  }
  const ViewArguments& given = command.arguments;
  if (given.folder.empty() == given.data.empty()) {
    return report_error({ErrorCode::kInvalidArgument, "name the folder of a finished run, or with --data an index"});
  }
  ProgressPrinter printer(command.progress.quiet);
  RunControl control = command_control(printer, kReportsWarnings);
  ViewEvents events;
  events.ready = [&](std::uint16_t port) {
    print_line(fmt::format("{} shows {}; Ctrl+C ends it", page_address(command.options, port),
                           given.folder.empty() ? given.data : given.folder));
  };
  Status viewed;
  if (given.folder.empty()) {
    viewed = view_index(given.data, command.options, control, events);
  } else {
    const Result<DedupOptions> stored = read_stored_options(given.folder);
    if (!stored) return report_error(stored.error());
    viewed = view(*stored, command.options, control, events);
  }
  return viewed ? static_cast<int>(kSuccess) : report_error(viewed.error());
}

}  // namespace

void add_view_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<ViewCommand>();
  CLI::App* view =
      app.add_subcommand("view", "Explore a finished run or an index in a browser, try thresholds, judge pairs");
  declare_options(*view, view_command_rows(), command->arguments);
  declare_options(*view, view_option_rows(), command->options);
  declare_options(*view, progress_argument_rows(), command->progress);
  view->footer(
      "Serves one web page at a local address until it is interrupted. The run is read in place, and nothing in its\n"
      "folder changes but what you save: judgements.jsonl, never.tsv and always.tsv. An index is only read: its "
      "newest\n"
      "snapshot (serve --snapshots) or, while no process changes it, the index itself. docs/view.md describes the "
      "page.\n\n"
      "Examples:\n"
      "  paraprint view clean\n"
      "  paraprint view clean --port 8080 --judgements judging/ann.jsonl\n"
      "  paraprint view --data known\n"
      "  paraprint view clean --address 192.0.2.10 --token-file token");
  view->callback([command, &run] { run = [command] { return run_view(*command); }; });
}

}  // namespace paraprint::cli
