// The log of the service: one JSON object per line.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

#include "paraprint/serve.h"
#include "report/json_writer.h"
#include "serve/http_service.h"

namespace paraprint::inline service {

// Thread-safe. Does nothing without a sink. URLs and contents of pages are never logged.
class ServiceLogger {
 public:
  ServiceLogger(ServiceLog level, std::function<void(std::string_view)> sink)
      : level_(sink ? level : ServiceLog::kNone), sink_(std::move(sink)) {}

  void log_request(const RequestRecord& record);
  // Logs an event of the service itself. `write`, if not empty, adds members to the object.
  void log_event(std::string_view level, std::string_view event, const std::function<void(JsonWriter&)>& write);

 private:
  ServiceLog level_;
  std::function<void(std::string_view)> sink_;
  std::mutex mutex_;
};

}  // namespace paraprint::inline service
