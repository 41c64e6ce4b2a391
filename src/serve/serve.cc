#include "paraprint/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "serve/http_server.h"
#include "serve/page_service.h"
#include "serve/service_log.h"

namespace paraprint {
namespace {

constexpr unsigned kThreadsMaximum = 256;
// A token that can be guessed protects nothing.
constexpr std::size_t kTokenBytesMinimum = 16;

Status invalid(std::string message) {
  return failure(ErrorCode::kInvalidArgument, std::move(message));
}

Status validate_limits(const ServiceLimits& limits) {
  constexpr std::uint64_t kBodyBytesMaximum = std::uint64_t{1} << 30;
  if (limits.body_bytes < 1 || limits.body_bytes > kBodyBytesMaximum) {
    return invalid(fmt::format("the limit of a body is 1 to {} bytes", kBodyBytesMaximum));
  }
  if (limits.header_bytes < 256 || limits.header_bytes > (1U << 20)) {
    return invalid("the limit of a header is 256 to 1048576 bytes");
  }
  if (limits.connections < 1 || limits.requests_at_once < 1) {
    return invalid("the service needs at least one connection and one request at once");
  }
  if (limits.buffered_bytes < limits.body_bytes) {
    return invalid("the limit of all bodies together is less than that of one");
  }
  if (!(limits.pages_per_second >= 0) || !(limits.pages_burst >= 1)) {
    return invalid("the rate of pages is 0 or more a second, with a burst of at least 1");
  }
  if (limits.idle_seconds < 1 || limits.header_seconds < 1 || limits.body_seconds < 1 || limits.write_seconds < 1) {
    return invalid("times are at least a second");
  }
  return {};
}

}  // namespace

Status ServeOptions::validate() const {
  if (data.empty()) return invalid("the service needs the folder of an index");
  if (profile.algorithm != "paragraph") {
    return invalid("an index holds profiles of the paragraph method; leave the algorithm out");
  }
  if (!token.empty() && token.size() < kTokenBytesMinimum) {
    return invalid(fmt::format("a token has at least {} characters", kTokenBytesMinimum));
  }
  if (token.find_first_of(" \t\r\n") != std::string::npos) return invalid("a token has no white space");
  if (!is_loopback_address(address) && token.empty() && !allow_anonymous) {
    return invalid(
        fmt::format("{} can be reached from other machines: the service needs a token (--token-file or "
                    "PARAPRINT_TOKEN), or leave for everyone to ask (--allow-anonymous)",
                    address));
  }
  if (threads > kThreadsMaximum) return invalid(fmt::format("at most {} threads", kThreadsMaximum));
  return validate_limits(limits);
}

Status serve(const ServeOptions& options, const ServeControl& control) {
  Result<std::unique_ptr<PageService>> service = PageService::open(options);
  if (!service) return tl::unexpected<Error>(service.error());
  ServiceLogger logger(options.log, control.log);
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  const unsigned threads = options.threads != 0 ? options.threads : 2 * processors;
  Result<std::unique_ptr<HttpServer>> server =
      HttpServer::listen(**service, logger, options.address, options.port, threads);
  if (!server) return tl::unexpected<Error>(server.error());
  const std::uint16_t port = (*server)->port();
  logger.log_event("info", "listening", [&](JsonWriter& json) {
    json.member("address", options.address);
    json.member("port", port);
    json.member("data", options.data);
    json.member("threads", threads);
    json.member("token", !options.token.empty());
  });
  if (Result<IndexStatistics> statistics = (*service)->index().statistics()) {
    for (const std::string& warning : statistics->warnings) {
      logger.log_event("warning", "index", [&](JsonWriter& json) { json.member("message", warning); });
    }
  }
  if (control.ready) control.ready(port);
  static const std::atomic<bool> never{false};
  Status ended = (*server)->run(control.stop != nullptr ? *control.stop : never);
  server->reset();
  service->reset();  // waits for the index's background
  logger.log_event(ended ? "info" : "warning", "stopped", [&](JsonWriter& json) {
    if (!ended) json.member("message", ended.error().message);
  });
  return ended;
}

}  // namespace paraprint
