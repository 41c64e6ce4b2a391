// `paraprint serve`: the index of known pages over HTTP (paraprint/serve.h). Log lines go to standard error through
// print_line(), which escapes anything that clients sent.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <memory>

#include "command_arguments.h"
#include "commands.h"
#include "option_declarations.h"
#include "options/command_tables.h"
#include "paraprint/presets.h"
#include "paraprint/serve.h"
#include "service_manager.h"
#include "stop_signals.h"
#include "terminal.h"
#include "token_file.h"

namespace paraprint::cli {
namespace {

struct ServeCommand {
  ServeOptions options;
  ServeArguments arguments;
};

// Without an answer the manager would stop the service after its timeout, so a failure must be seen; the service itself
// works.
void notify(std::string_view state) {
  if (const Status sent = notify_service_manager(state); !sent) static_cast<void>(report_error(sent.error()));
}

int run_serve(ServeCommand& command) {
  if (Status read = read_token(command.arguments.token_file, command.options.token); !read)
    return report_error(read.error());
  if (Status read = read_secrets(command.arguments.webhook_secret_file, command.options.feed.webhook_secrets); !read)
    return report_error(read.error());
  RunControl control;
  control.stop = &catch_stop_signals();
  ServeEvents events;
  events.log = print_line;
  events.ready = [](std::uint16_t) { notify("READY=1"); };
  events.stopping = [] { notify("STOPPING=1"); };
  // Without destructors: threads that cannot be interrupted still use what these would destroy.
  events.abandon = [] {
    std::_Exit(report_error({ErrorCode::kCancelled,
                             "requests were still in progress when the stop timeout expired; "
                             "the service ends without them"}));
  };
  const Status served = serve(command.options, control, events);
  return served ? static_cast<int>(kSuccess) : report_error(served.error());
}

}  // namespace

void add_serve_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<ServeCommand>();
  ServeOptions& options = command->options;
  CLI::App* serve = app.add_subcommand("serve", "Serve the index of known pages over HTTP");
  declare_preset(*serve, [&options](const std::string& name) {
    return apply_preset(name, options.profile, options.index.candidates, options.index.match);
  });
  declare_options(*serve, serve_option_rows(), options);
  declare_options(*serve, serve_command_rows(), command->arguments);
  declare_options(*serve, index_option_rows(), options.index);
  declare_options(*serve, service_limit_option_rows(), options.limits);
  declare_options(*serve, feed_option_rows(), options.feed);
  declare_options(*serve, match_option_rows(), options.index.match, kOfAnyCommand);
  declare_options(*serve, candidate_option_rows(), options.index.candidates);
  declare_options(*serve, profile_option_rows(), options.profile, kOfAnyCommand);
  serve->footer(
      "On SIGINT and SIGTERM it finishes the requests in progress and ends. docs/service.md describes the calls.\n\n"
      "Examples:\n"
      "  paraprint serve --data known\n"
      "  paraprint serve --data known --snapshots 60\n"
      "  paraprint serve --data known --read-only --port 8711\n"
      "  paraprint serve --data known --address 0.0.0.0 --token-file /etc/paraprint/token\n"
      "  paraprint serve --data known --feed adds --webhook https://news.example/copies --webhook-verdicts "
      "near,contained\n"
      "  paraprint serve --config /etc/paraprint/serve.toml\n"
      "  curl -s http://127.0.0.1:8710/v1/pages?url=https://example.org/ -H 'Content-Type: text/html' \\\n"
      "       --data-binary @page.html");
  serve->callback([command, &run] { run = [command] { return run_serve(*command); }; });
}

}  // namespace paraprint::cli
