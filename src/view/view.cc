// The public call: opens the run, serves it, and loads the rest meanwhile.
#include "paraprint/view.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "base/propagate.h"
#include "base/start_thread.h"
#include "options/command_tables.h"
#include "serve/client_admission.h"
#include "serve/http_server.h"
#include "serve/service_log.h"
#include "view/explorer.h"
#include "view/view_service.h"

namespace paraprint::inline explorer {
namespace {

// Shorter tokens could be guessed.
constexpr std::size_t kViewTokenBytesMinimum = 16;
// The page asks several questions at once, and one of them may read texts.
constexpr unsigned kRequestThreads = 4;
constexpr std::chrono::milliseconds kStopLook{50};

// Loads on a thread of its own, then waits for the request to stop. The server ends with it: after that request, or
// after an error.
class BackgroundLoading {
 public:
  BackgroundLoading(Explorer& explorer, const RunControl& control, const ViewEvents& events)
      : explorer_(explorer), control_(control), events_(events) {}
  ~BackgroundLoading() {
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  BackgroundLoading(const BackgroundLoading&) = delete;
  BackgroundLoading& operator=(const BackgroundLoading&) = delete;

  Status start() {
    PARAPRINT_ASSIGN(thread_, start_thread("loads the run", [this] { work(); }));
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
      status_ = explorer_.load(control_);
      if (status_ && events_.loaded) events_.loaded();
    } catch (const std::bad_alloc&) {
      status_ = failure(ErrorCode::kLimitExceeded, "out of memory while reading the run; give it more with --memory");
    }
    while (status_ && !is_over_ && !is_asked_to_stop()) std::this_thread::sleep_for(kStopLook);
    server_stops_ = true;
  }

  Explorer& explorer_;
  const RunControl& control_;
  const ViewEvents& events_;
  Status status_;
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> server_stops_ = false;
  std::thread thread_;
};

}  // namespace
}  // namespace paraprint::inline explorer

namespace paraprint {

Status ViewOptions::validate() const {
  if (!token.empty() && token.size() < kViewTokenBytesMinimum) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("a token must have at least {} characters", kViewTokenBytesMinimum));
  }
  if (token.find_first_of(" \t\r\n") != std::string::npos) {
    return failure(ErrorCode::kInvalidArgument, "a token must not contain white space");
  }
  if (!is_loopback_address(address) && token.empty()) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("{} can be reached from other machines: set a token (token_file or PARAPRINT_TOKEN)", address));
  }
  return check_options(view_option_rows(), *this);
}

Status view(const DedupOptions& run, const ViewOptions& options, const RunControl& control, const ViewEvents& events) {
  PARAPRINT_TRY(options.validate());
  PARAPRINT_ASSIGN(const std::unique_ptr<Explorer> explorer, Explorer::open(run, options));
  ViewService service(*explorer, options);
  ServiceLogger logger(ServiceLog::kNone, {});
  PARAPRINT_ASSIGN(std::unique_ptr<HttpServer> server,
                   HttpServer::listen(service, logger, options.address, options.port, kRequestThreads));
  BackgroundLoading loading(*explorer, control, events);
  PARAPRINT_TRY(loading.start());
  if (events.ready) events.ready(server->port());
  // A browser that keeps a connection, or a long search, must not keep the command from ending.
  const Status ended = server->run(loading.server_stops());
  static_cast<void>(ended);
  server.reset();
  return loading.finish();
}

}  // namespace paraprint
