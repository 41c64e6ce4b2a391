// The public entry point: validates options, opens the index, and runs the server until it is asked to stop.
#include "paraprint/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "base/propagate.h"
#include "base/start_thread.h"
#include "feed/event_feed.h"
#include "memory/open_files.h"
#include "online/repeated_task.h"
#include "options/command_tables.h"
#include "serve/client_admission.h"
#include "serve/http_server.h"
#include "serve/page_service.h"
#include "serve/service_log.h"

namespace paraprint::inline service {
namespace {

// Shorter tokens could be guessed.
constexpr std::size_t kTokenBytesMinimum = 16;

// After the connections were cut off at the end of the stop timeout, the calls in progress have this long to end.
constexpr std::chrono::seconds kAbandonGrace{1};

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

// Half of the files that the process may have open are for the index. If connections took them, it could not open its
// next file, and would refuse all changes until the service is started again. So there are only as many connections as
// the other half allows.
Status bound_connections(ServiceLimits& limits) {
  constexpr std::uint64_t kOtherFiles = 64;  // standard streams, events, copies, webhooks
  const std::uint64_t maximum = open_files_maximum();
  const std::uint64_t taken = index_files_maximum() + kRefusedConnections + kOtherFiles;
  if (maximum <= taken) {
    return invalid(
        fmt::format("the limit of open files is {}, of which a service needs {} besides its connections; "
                    "raise it (ulimit -n, or LimitNOFILE= of systemd)",
                    maximum, taken));
  }
  limits.max_connections = static_cast<std::uint32_t>(std::min<std::uint64_t>(limits.max_connections, maximum - taken));
  return {};
}

// Requests to webhooks that are in progress when all others have ended have this long.
std::chrono::milliseconds webhook_grace(const ServiceLimits& limits) {
  return std::min<std::chrono::milliseconds>(std::chrono::seconds(2), std::chrono::seconds(limits.stop_timeout) / 2);
}

Status start_feed(EventFeed& feed, ServiceLogger& logger) {
  for (const std::string& warning : feed.warnings()) {
    logger.log_event("warning", "feed", [&](JsonWriter& json) { json.member("message", warning); });
  }
  Status started = feed.start_webhooks([&logger](std::string_view message) {
    logger.log_event("warning", "webhook", [&](JsonWriter& json) { json.member("message", message); });
  });
  if (!started) feed.stop(std::chrono::milliseconds(0));
  return started;
}

// Calls `expired` if stopping takes too long, from a thread of its own: whatever it is that takes long, usually a disk
// that does not answer, cannot be interrupted and may keep any other thread.
class StopTimer {
 public:
  explicit StopTimer(std::function<void()> expired) : expired_(std::move(expired)) {}
  ~StopTimer() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  StopTimer(const StopTimer&) = delete;
  StopTimer& operator=(const StopTimer&) = delete;

  Status start() {
    PARAPRINT_ASSIGN(thread_, start_thread("bounds the time of stopping", [this] { wait(); }));
    return {};
  }
  void begin_stop(std::chrono::seconds time) {
    const std::lock_guard lock(mutex_);
    deadline_ = std::chrono::steady_clock::now() + time;
    changed_.notify_one();
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_ || deadline_; });
    if (is_over_ || changed_.wait_until(lock, *deadline_, [this] { return is_over_; })) return;
    lock.unlock();
    expired_();
  }

  std::function<void()> expired_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool is_over_ = false;
  std::thread thread_;
};

// Lets a service that only reads its index follow the snapshots that the writer publishes.
class SnapshotFollower {
 public:
  SnapshotFollower(PageService& service, ServiceLogger& logger) : service_(service), logger_(logger) {}

  Status start(std::chrono::seconds pause) {
    return task_.start("follows the index", pause, [this] { follow(); });
  }
  void stop() { task_.stop(); }

 private:
  // The snapshot before stays open after an error, out of memory included; the next look tries again.
  void follow() noexcept {
    try {
      const Result<bool> refreshed = service_.refresh();
      const std::string problem = refreshed ? std::string() : refreshed.error().message;
      if (!refreshed && problem != reported_problem_ && refreshed.error().code != ErrorCode::kCancelled) {
        logger_.log_event("warning", "snapshot", [&](JsonWriter& json) { json.member("message", problem); });
      }
      reported_problem_ = problem;
      if (refreshed && *refreshed) log_snapshot();
    } catch (const std::bad_alloc&) {
    }
  }
  void log_snapshot() {
    const Result<IndexStatistics> statistics = service_.index().statistics();
    if (!statistics) return;
    logger_.log_event("info", "snapshot", [&](JsonWriter& json) {
      json.member("snapshot", statistics->snapshot);
      json.member("pages", statistics->pages);
    });
  }

  PageService& service_;
  ServiceLogger& logger_;
  std::string reported_problem_;  // the last one, so that it is not logged at every look
  RepeatedTask task_;
};

}  // namespace

// Twice the processors, because some of the threads wait for the disk.
unsigned request_threads(const ServeOptions& options) {
  return options.threads != 0 ? options.threads : 2 * std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace paraprint::inline service

namespace paraprint {

// Checks everything that can be wrong before files or sockets are touched.
Status ServeOptions::validate() const {
  if (data.empty()) return invalid("the service needs an index folder");
  PARAPRINT_TRY(check_index_algorithm(profile.algorithm));
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
  if (read_only && !backups.empty()) {
    return invalid("a read-only service makes no backups; let the service that changes the index make them");
  }
  if (read_only && feed.feed != FeedScope::kOff) {
    return invalid("a read-only service has no feed; follow that of the service that changes the index");
  }
  PARAPRINT_TRY(check_feed_options(feed));
  return validate_limits(limits);
}

Status serve(const ServeOptions& options, const RunControl& control, const ServeEvents& events) {
  ServeOptions bounded = options;
  PARAPRINT_TRY(bound_connections(bounded.limits));
  PARAPRINT_ASSIGN(std::unique_ptr<PageService> service, PageService::open(bounded, control));
  ServiceLogger logger(options.log, events.log);
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
  if (const std::uint32_t most = bounded.limits.max_connections; most < options.limits.max_connections) {
    logger.log_event("warning", "connections", [&](JsonWriter& json) {
      json.member("message", fmt::format("the limit of open files ({}) allows {} connections instead of {}; raise it "
                                         "(ulimit -n, or LimitNOFILE= of systemd)",
                                         open_files_maximum(), most, options.limits.max_connections));
    });
  }
  // Warnings of opening the index, e.g. rebuilt search tables, would otherwise only be seen by asking /v1/stats.
  if (Result<IndexStatistics> statistics = service->index().statistics()) {
    for (const std::string& warning : statistics->warnings) {
      logger.log_event("warning", "index", [&](JsonWriter& json) { json.member("message", warning); });
    }
  }
  SnapshotFollower follower(*service, logger);
  if (options.read_only) PARAPRINT_TRY(follower.start(std::chrono::seconds(options.refresh)));
  StopTimer timer(events.abandon);
  if (events.abandon) PARAPRINT_TRY(timer.start());
  // Last, because their threads use the logger: from here on, nothing returns before they are stopped.
  if (EventFeed* const feed = service->feed(); feed != nullptr) PARAPRINT_TRY(start_feed(*feed, logger));
  // The socket listens already: a client that connects now waits until run() accepts it.
  if (events.ready) events.ready(port);
  static const std::atomic<bool> never{false};
  Status ended = server->run(control.stop != nullptr ? *control.stop : never, [&] {
    timer.begin_stop(std::chrono::seconds(options.limits.stop_timeout) + kAbandonGrace);
    if (events.stopping) events.stopping();
  });
  follower.stop();
  if (EventFeed* const feed = service->feed(); feed != nullptr) feed->stop(webhook_grace(options.limits));
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
