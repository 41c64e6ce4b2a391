// The public entry point: validates options, opens the index, and runs the server until it is asked to stop.
#include "paraprint/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/propagate.h"
#include "options/command_tables.h"
#include "serve/http_server.h"
#include "serve/page_service.h"
#include "serve/service_log.h"

namespace paraprint {
namespace {

// Shorter tokens could be guessed.
constexpr std::size_t kTokenBytesMinimum = 16;

Status invalid(std::string message) {
  return failure(ErrorCode::kInvalidArgument, std::move(message));
}

// `!(x >= y)` instead of `x < y` also rejects NaN.
Status validate_limits(const ServiceLimits& limits) {
  PARAPRINT_TRY(check_options(service_limit_option_rows(), limits));
  if (limits.max_buffered_bytes >= limits.max_body_bytes) return {};
  return invalid(fmt::format("max_buffered_bytes is {}; it must not be less than max_body_bytes ({})",
                             limits.max_buffered_bytes, limits.max_body_bytes));
}

}  // namespace

// Twice the processors, because some of the threads wait for the disk.
unsigned request_threads(const ServeOptions& options) {
  return options.threads != 0 ? options.threads : 2 * std::max(1U, std::thread::hardware_concurrency());
}

// Checks everything that can be wrong before files or sockets are touched.
Status ServeOptions::validate() const {
  if (data.empty()) return invalid("the service needs an index folder");
  if (profile.algorithm != "paragraph") {
    return invalid("an index requires the paragraph method; omit the algorithm");
  }
  if (!token.empty() && token.size() < kTokenBytesMinimum) {
    return invalid(fmt::format("a token must have at least {} characters", kTokenBytesMinimum));
  }
  if (token.find_first_of(" \t\r\n") != std::string::npos) return invalid("a token must not contain white space");
  if (!is_loopback_address(address) && token.empty() && !allow_anonymous) {
    return invalid(
        fmt::format("{} can be reached from other machines: set a token (token_file or PARAPRINT_TOKEN), or let "
                    "everyone use the service (allow_anonymous)",
                    address));
  }
  PARAPRINT_TRY(check_options(serve_option_rows(), *this));
  return validate_limits(limits);
}

Status serve(const ServeOptions& options, const ServeControl& control) {
  PARAPRINT_ASSIGN(std::unique_ptr<PageService> service, PageService::open(options));
  ServiceLogger logger(options.log, control.log);
  const unsigned threads = request_threads(options);
  PARAPRINT_ASSIGN(std::unique_ptr<HttpServer> server,
                   HttpServer::listen(*service, logger, options.address, options.port, threads));
  const std::uint16_t port = server->port();
  logger.log_event("info", "listening", [&](JsonWriter& json) {
    json.member("address", options.address);
    json.member("port", port);
    json.member("data", options.data);
    json.member("threads", threads);
    json.member("token", !options.token.empty());
  });
  // Warnings of opening the index, e.g. rebuilt search tables, would otherwise only be seen by asking /v1/stats.
  if (Result<IndexStatistics> statistics = service->index().statistics()) {
    for (const std::string& warning : statistics->warnings) {
      logger.log_event("warning", "index", [&](JsonWriter& json) { json.member("message", warning); });
    }
  }
  // The socket listens already: a client that connects now waits until run() accepts it.
  if (control.ready) control.ready(port);
  static const std::atomic<bool> never{false};
  Status ended = server->run(control.stop != nullptr ? *control.stop : never);
  // The server first: its sessions refer to the service. Closing the index waits for its background thread, so once
  // "stopped" is logged, the folder is free again.
  server.reset();
  service.reset();
  logger.log_event(ended ? "info" : "warning", "stopped", [&](JsonWriter& json) {
    if (!ended) json.member("message", ended.error().message);
  });
  return ended;
}

}  // namespace paraprint
