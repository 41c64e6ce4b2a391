// Writes the log. Lines are passed to the sink under one mutex, so those of different threads do not mix.
#include "serve/service_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

namespace paraprint::inline service {
namespace {

// UTC with milliseconds, e.g. "2026-05-01T10:00:00.123Z".
std::string time_text() {
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto milliseconds = now.time_since_epoch().count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)),
                     milliseconds);
}

constexpr int kMillisecondDecimals = 3;

}  // namespace

// Logs the route's pattern instead of the requested path, which may contain ids and URLs of pages. Status 0 means that
// the client went away.
void ServiceLogger::log_request(const RequestRecord& record) {
  const bool is_failure = record.status == 0 || record.status >= 400;
  if (level_ == ServiceLog::kNone || (level_ == ServiceLog::kErrors && !is_failure)) return;
  // 4xx is the client's fault, so only a warning; 5xx needs the operator's attention.
  const std::string_view level = record.status >= 500 ? "error" : is_failure ? "warning" : "info";
  log_event(level, "request", [&](JsonWriter& json) {
    json.member("client", record.client);
    json.member("method", record.method);
    json.member("path", record.route != nullptr ? record.route->path : "other");
    json.member("status", record.status);
    if (!record.reason.empty()) json.member("reason", record.reason);
    if (!record.verdict.empty()) json.member("verdict", record.verdict);
    // A bulk request is always status 200; its number of answered lines shows how far it came.
    // The same of the events of a stream.
    const bool has_lines =
        record.route != nullptr && (record.route->body == BodyKind::kStream || record.route->sends_events);
    if (has_lines) json.member("lines", record.lines);
    json.member("received_bytes", record.received_bytes);
    json.member("sent_bytes", record.sent_bytes);
    json.member("milliseconds",
                Real{std::chrono::duration<double, std::milli>(record.duration).count(), kMillisecondDecimals});
  });
}

// The level limits requests only; events of the service itself are rare and always logged.
void ServiceLogger::log_event(std::string_view level, std::string_view event,
                              const std::function<void(JsonWriter&)>& write) {
  if (level_ == ServiceLog::kNone) return;
  JsonWriter json;  // of this call alone: out of memory, half a line must not become the beginning of the next one
  json.begin_object();
  json.member("time", time_text());
  json.member("level", level);
  json.member("event", event);
  if (write) write(json);
  json.end_object();
  const std::lock_guard lock(mutex_);
  sink_(json.take());
}

}  // namespace paraprint::inline service
