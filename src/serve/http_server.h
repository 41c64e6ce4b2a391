// The transport: one thread handles all HTTP/1.1 connections, a pool of others does the work. It deals with sockets and
// deadlines only and knows nothing about pages.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "paraprint/result.h"
#include "serve/http_service.h"
#include "serve/service_log.h"

namespace paraprint::inline service {

// Connections beyond ServiceLimits::max_connections that still get a refusal; any more are closed without an answer.
inline constexpr std::size_t kRefusedConnections = 64;

class HttpServer {
 public:
  // Opens the listening socket; requests are only answered by run(). `service` and `logger` must outlive the server.
  // Errors: kInputOutput, naming address and port.
  static Result<std::unique_ptr<HttpServer>> listen(HttpService& service, ServiceLogger& logger,
                                                    const std::string& address, std::uint16_t port, unsigned threads);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;

  // Answers requests until `stop` is true, then finishes those in progress. kCancelled if some were still unfinished
  // after ServiceLimits::stop_seconds and their connections were closed; it returns when their work has ended. Calls
  // `stopping`, if not empty, when it notices the request to stop. Call it once per server.
  Status run(const std::atomic<bool>& stop, const std::function<void()>& stopping = {});

 private:
  class Implementation;
  explicit HttpServer(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint::inline service
