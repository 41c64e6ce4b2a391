// The server ends with the thread that loads: after a request to stop, or after an error.
#include "view/loading.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>

#include "base/propagate.h"
#include "base/start_thread.h"
#include "serve/http_server.h"
#include "serve/service_log.h"

namespace paraprint::inline explorer {
namespace {

// The page asks several questions at once, and one of them may read texts.
constexpr unsigned kRequestThreads = 4;
constexpr std::chrono::milliseconds kStopLook{50};

// Loads on a thread of its own, then waits for the request to stop.
class BackgroundLoading {
 public:
  BackgroundLoading(const std::function<Status(const RunControl&)>& load, const RunControl& control,
                    const ViewEvents& events)
      : load_(load), control_(control), events_(events) {}
  ~BackgroundLoading() {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  BackgroundLoading(const BackgroundLoading&) = delete;
  BackgroundLoading& operator=(const BackgroundLoading&) = delete;

  Status start() {
    PARAPRINT_ASSIGN(thread_, start_thread("loads what is shown", [this] { work(); }));
    return {};
  }
  const std::atomic<bool>& server_stops() const { return server_stops_; }
  // After the server has ended. A request to stop is no error.
  Status finish() {
    is_over_ = true;
    thread_.join();
    if (status_ || status_.error().code != ErrorCode::kCancelled) return status_;
    return {};
  }

 private:
  bool is_asked_to_stop() const { return control_.stop != nullptr && control_.stop->load(); }
  void work() {
    try {
      status_ = load_(control_);
      if (status_ && events_.loaded) events_.loaded();
    } catch (const std::bad_alloc&) {
      status_ = failure(ErrorCode::kLimitExceeded, "out of memory while reading; give it more with --memory");
    }
    while (status_ && !is_over_ && !is_asked_to_stop()) std::this_thread::sleep_for(kStopLook);
    server_stops_ = true;
  }

  const std::function<Status(const RunControl&)>& load_;
  const RunControl& control_;
  const ViewEvents& events_;
  Status status_;
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> server_stops_ = false;
  std::thread thread_;
};

}  // namespace

RunControl LoadingState::watched(const RunControl& control) {
  RunControl watched = control;
  watched.progress = [this, shown = control.progress](const Progress& progress) {
    set_step({std::string(progress.stage), progress.done, progress.total});
    if (shown) shown(progress);
  };
  return watched;
}

Status serve_while_loading(HttpService& service, const ViewOptions& options, const RunControl& control,
                           const ViewEvents& events, const std::function<Status(const RunControl&)>& load) {
  ServiceLogger logger(ServiceLog::kNone, {});
  PARAPRINT_ASSIGN(std::unique_ptr<HttpServer> server,
                   HttpServer::listen(service, logger, options.address, options.port, kRequestThreads));
  BackgroundLoading loading(load, control, events);
  PARAPRINT_TRY(loading.start());
  if (events.ready) events.ready(server->port());
  // A browser that keeps a connection, or a long search, must not keep the command from ending.
  const Status ended = server->run(loading.server_stops());
  static_cast<void>(ended);
  server.reset();
  return loading.finish();
}

}  // namespace paraprint::inline explorer
