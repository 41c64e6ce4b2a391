// `paraprint serve`: the index of known pages over HTTP (paraprint/serve.h). Log lines go to standard error through
// print_line(), which escapes anything that clients sent.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>

#include "commands.h"
#include "option_declarations.h"
#include "paraprint/serve.h"
#include "stop_signals.h"
#include "sync_mode.h"
#include "terminal.h"

namespace paraprint::cli {
namespace {

constexpr const char* kTokenVariable = "PARAPRINT_TOKEN";

struct ServeCommand {
  ServeOptions options;
  std::string sync = "always";
  std::string token_file;
};

// The token is never an option, because all users of a machine can see the options of a process. A file takes
// precedence over the variable.
Status read_token(const ServeCommand& command, std::string& token) {
  if (command.token_file.empty()) {
    const char* const variable = std::getenv(kTokenVariable);
    if (variable != nullptr) token = variable;
    return {};
  }
  std::ifstream file(command.token_file);
  if (std::getline(file, token) && !token.empty()) return {};
  return tl::unexpected<Error>(
      Error{ErrorCode::kNotFound, fmt::format("{}: the first line contains no token", command.token_file)});
}

int run_serve(ServeCommand& command) {
  if (Status parsed = parse_sync_mode(command.sync, command.options.index.sync); !parsed) {
    return report_error(parsed.error());
  }
  if (Status read = read_token(command, command.options.token); !read) return report_error(read.error());
  ServeControl control;
  control.stop = &catch_stop_signals();
  control.log = [](std::string_view line) { print_line(line); };
  const Status served = serve(command.options, control);
  return served ? static_cast<int>(kSuccess) : report_error(served.error());
}

void declare_limits(CLI::App& command, ServiceLimits& limits) {
  constexpr const char* kGroup = "Limits";
  command.add_option("--max-body-bytes", limits.body_bytes, "Larger bodies, and lines of bulk requests, are refused")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--max-header-bytes", limits.header_bytes, "Larger request headers are refused")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--max-buffered-bytes", limits.buffered_bytes, "Bodies in memory, for all connections together")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--max-connections", limits.connections, "Concurrent connections")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--max-requests", limits.requests_at_once,
                  "Requests in progress or waiting for a thread; others get status 503")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--rate", limits.pages_per_second,
                  "Requests and lines of bulk requests per second and client address; 0: no limit")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--burst", limits.pages_burst, "Requests that a client may send at once after a pause")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--idle-timeout", limits.idle_seconds, "Seconds that a connection may stay open without a request")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--header-timeout", limits.header_seconds, "Seconds for the header of a request")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--body-timeout", limits.body_seconds,
                  "Seconds for the body of a request; for a bulk request, between two pieces of it")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--write-timeout", limits.write_seconds, "Seconds for a client to receive the response")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--stop-timeout", limits.stop_seconds, "Seconds for requests in progress after a stop signal")
      ->capture_default_str()
      ->group(kGroup);
}

}  // namespace

void add_serve_command(CLI::App& app, Command& run) {
  auto command = std::make_shared<ServeCommand>();
  ServeOptions& options = command->options;
  CLI::App* serve = app.add_subcommand("serve", "Serve the index of known pages over HTTP");
  serve->add_option("--data", options.data, "Folder of the index; created if missing")->required();
  serve->add_option("--address", options.address, "IP address to listen on; any other than loopback requires a token")
      ->capture_default_str();
  serve->add_option("--port", options.port, "Port; 0: a free one, which the log reports")->capture_default_str();
  serve->add_option("--token-file", command->token_file,
                    "File with the bearer token that requests must send [$PARAPRINT_TOKEN; none: no authentication]");
  serve->add_flag("--allow-anonymous", options.allow_anonymous, "Listen on other addresses without a token");
  serve->add_option("--backups", options.backups,
                    "Folder for the backups of POST /v1/backups; without it, that call is refused");
  serve->add_option("--threads", options.threads, "Threads that process requests; 0: two per processor")
      ->capture_default_str();
  serve->add_option("--sync", command->sync, "always, interval or none: what a power cut may lose")
      ->capture_default_str();
  // description("TEXT"): otherwise --help would print the whole map.
  serve->add_option("--log", options.log, "requests, errors or none: what is written to standard error, as JSON lines")
      ->transform(CLI::CheckedTransformer(std::map<std::string, ServiceLog>{{"requests", ServiceLog::kRequests},
                                                                            {"errors", ServiceLog::kErrors},
                                                                            {"none", ServiceLog::kNone}})
                      .description("TEXT"))
      ->default_str("requests");
  declare_limits(*serve, options.limits);
  declare_match(*serve, options.index.match);
  declare_candidates(*serve, options.index.candidates);
  declare_profile(*serve, options.profile);
  serve->footer(
      "On SIGINT and SIGTERM it finishes the requests in progress and ends. docs/service.md describes the calls.\n\n"
      "Examples:\n"
      "  paraprint serve --data known\n"
      "  paraprint serve --data known --address 0.0.0.0 --token-file /etc/paraprint/token\n"
      "  curl -s http://127.0.0.1:8710/v1/pages?url=https://example.org/ -H 'Content-Type: text/html' \\\n"
      "       --data-binary @page.html");
  serve->callback([command, &run] { run = [command] { return run_serve(*command); }; });
}

}  // namespace paraprint::cli
