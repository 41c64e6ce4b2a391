// The log of the service: JSON objects, one a line.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

#include "paraprint/serve.h"
#include "report/json_writer.h"
#include "serve/service_metrics.h"

namespace paraprint {

// Thread-safe. Does nothing without a sink. Addresses of pages and other contents of requests are not logged.
class ServiceLogger {
 public:
  ServiceLogger(ServiceLog level, std::function<void(std::string_view)> sink)
      : level_(sink ? level : ServiceLog::kNone), sink_(std::move(sink)) {}

  void log_request(const RequestRecord& record);
  // Something that happened to the service itself. `write` adds members.
  void log_event(std::string_view level, std::string_view event, const std::function<void(JsonWriter&)>& write);

 private:
  ServiceLog level_;
  std::function<void(std::string_view)> sink_;
  std::mutex mutex_;
  JsonWriter json_;
};

}  // namespace paraprint
