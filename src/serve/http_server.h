// The transport: connections of HTTP/1.1 on one thread, the work on others. Knows sockets and deadlines, and nothing
// of pages.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "paraprint/result.h"
#include "serve/page_service.h"
#include "serve/service_log.h"

namespace paraprint {

class HttpServer {
 public:
  // Listens; nothing is answered before run(). kInputOutput names address and port. `service` and `logger` must
  // outlive the server.
  static Result<std::unique_ptr<HttpServer>> listen(PageService& service, ServiceLogger& logger,
                                                    const std::string& address, std::uint16_t port, unsigned threads);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;

  // Answers requests until `stop` is true, then finishes those under way. kCancelled: not all of them were done
  // ServiceLimits::stop_seconds later, and their connections were closed. Once a server.
  Status run(const std::atomic<bool>& stop);

 private:
  class Implementation;
  explicit HttpServer(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
