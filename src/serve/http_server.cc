// The event loop. One io_context run by one thread owns all sockets, timers and sessions, so none of them needs a lock.
// Work is posted to a thread pool, and its result is posted back. One timer ticks ten times per second to check all
// deadlines and the request to stop, so a connection needs no timer of its own.
#include "serve/http_server.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "serve/http_session.h"

namespace paraprint::inline service {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

// How often deadlines and the request to stop are checked.
constexpr std::chrono::milliseconds kTick{100};

// Formatted once per tick instead of once per response; HTTP dates have a resolution of one second anyway.
std::string http_date() {
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr)));
}

// One task in parts. Each thread that joins takes the next part until none is left; the thread that brought the task
// then waits for the parts that others took.
class SharedWork {
 public:
  SharedWork(std::size_t count, const std::function<void(std::size_t)>& action) : count_(count), action_(action) {}

  // The counter only grows, so a thread that comes late sees a number past the end and returns. An exception, which
  // means out of memory, must not leave a thread of the pool; the part counts as done, so that nobody waits for it.
  void take_parts() {
    for (std::size_t part = next_++; part < count_; part = next_++) {
      std::exception_ptr failure;
      try {
        action_(part);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      if (failure && !failure_) failure_ = failure;
      if (++done_ == count_) all_done_.notify_all();
    }
  }
  // Rethrows the first exception of a part.
  void wait() {
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return done_ == count_; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<std::size_t> next_{0};
  std::size_t count_;
  // Only called for parts, and wait() returns after the last of them, so the reference is alive even if a helper thread
  // joins later: it finds no part left.
  const std::function<void(std::size_t)>& action_;
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::size_t done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

class HttpServer::Implementation {
 public:
  Implementation(HttpService& service, ServiceLogger& logger, unsigned threads)
      : workers_(threads),
        helpers_(threads - 1),
        context_{.service = service,
                 .logger = logger,
                 .io = io_,
                 .workers = workers_,
                 .run = [this](std::size_t count,
                               const std::function<void(std::size_t)>& action) { run_parts(count, action); },
                 .limiter = RateLimiter(service.limits().rate, service.limits().burst),
                 .feed_turns = ReadTurns(std::max(1U, threads / 2)),
                 .date = {}},
        acceptor_(io_),
        timer_(io_) {}

  // Each step runs only if all earlier ones succeeded; the first error is reported.
  Status listen(const std::string& address, std::uint16_t port) {
    error_code error;
    const asio::ip::tcp::endpoint endpoint(asio::ip::make_address(address, error), port);
    if (!error) acceptor_.open(endpoint.protocol(), error);
    // A restarted service can listen at once, although old connections are in TIME_WAIT.
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) return {};
    const std::string_view advice =
        error == asio::error::address_in_use ? "; stop the program that uses the port, or choose another port" : "";
    return failure(ErrorCode::kInputOutput,
                   fmt::format("cannot listen on {} port {}: {}{}", address, port, error.message(), advice));
  }

  std::uint16_t port() const {
    error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  Status run(const std::atomic<bool>& stop, const std::function<void()>& stopping) {
    stop_ = &stop;
    stopping_ = &stopping;
    // run() returns when there is nothing left to wait for, which is after begin_stop() and the end of all sessions.
    // Handlers of sessions let no exception out; after one of the others, the timer is set again.
    for (;;) {
      try {
        if (!is_ticking_) tick();
        io_.run();
        break;
      } catch (const std::exception& error) {  // out of memory
        log_exception(error);
        renew_accept();
        std::this_thread::sleep_for(kTick);
      }
    }
    // Requests that were cut off may still be running. Their results are posted to io_, and handling them here lets the
    // last reference to each session go on this thread.
    workers_.join();
    io_.restart();
    io_.poll();
    if (!is_cut_off_) return {};
    return failure(ErrorCode::kCancelled, "requests were still in progress when the stop timeout expired");
  }

 private:
  // The calling worker takes parts as well, so this cannot deadlock even if all other workers are busy and no helper
  // ever starts.
  void run_parts(std::size_t count, const std::function<void(std::size_t)>& action) {
    if (count == 0) return;
    const auto work = std::make_shared<SharedWork>(count, action);
    try {
      for (std::size_t i = 0; i < std::min<std::size_t>(helpers_, count - 1); ++i) {
        asio::post(workers_, [work] { work->take_parts(); });
      }
    } catch (const std::exception&) {  // out of memory: this thread takes the parts of the helpers that are missing
    }
    work->take_parts();
    work->wait();
  }

  void log_exception(const std::exception& error) {
    try {
      context_.logger.log_event("error", "exception", [&](JsonWriter& json) { json.member("message", error.what()); });
    } catch (const std::exception&) {  // still out of memory
    }
  }

  // Asio itself may have run out of memory while it accepted a connection, and then no handler knows. If an accept is
  // pending all the same, it ends with an error and is not the current one any more.
  void renew_accept() {
    error_code ignored;
    acceptor_.cancel(ignored);
    ++accept_number_;
    is_accepting_ = false;
  }

  // One accept is pending at a time. After an error it is not renewed at once, which would spin; tick() does so later.
  void accept() {
    acceptor_.async_accept([this, number = ++accept_number_](error_code error, asio::ip::tcp::socket socket) {
      const bool is_current = number == accept_number_;
      if (is_current) is_accepting_ = false;
      if (context_.is_stopping) return;
      if (error) return;  // most likely too many open files; tick() tries again when some may have been closed
      add_session(std::move(socket));
      if (is_current) accept();
    });
    is_accepting_ = true;
  }

  // A connection beyond the limit still gets a session, to tell the client why it is closed; beyond a second limit not
  // even that, so that a flood of connections stays cheap.
  void add_session(asio::ip::tcp::socket socket) {
    TransportGauges& gauges = context_.service.gauges();
    ++gauges.connections_accepted;
    const std::size_t limit = context_.service.limits().max_connections;
    if (sessions_.size() >= limit) remove_closed_sessions();
    if (sessions_.size() >= limit + kRefusedConnections) {
      ++gauges.connections_refused;
      return;  // the socket's destructor closes it
    }
    const bool is_refused = sessions_.size() >= limit;
    sessions_.push_back(make_http_session(std::move(socket), context_));
    HttpSession& session = *sessions_.back();
    if (!is_refused) return session.start();
    ++gauges.connections_refused;
    session.refuse_all({Refusal::kBusy, fmt::format("the limit of {} connections is reached", limit)});
  }

  // Done at every tick, and between two of them when connections that have ended would count towards the limit.
  void remove_closed_sessions() {
    std::erase_if(sessions_, [](const auto& session) { return session->is_closed(); });
  }

  // The session vector holds the owning references; handlers in flight hold further ones until they have run.
  void tick() {
    is_ticking_ = false;
    const Clock::time_point now = Clock::now();
    context_.date = http_date();
    if (stop_->load() && !context_.is_stopping) begin_stop(now);
    for (const auto& session : sessions_) session->check_deadline(now);
    // Closing a connection does not end its work, so run() still waits for the calls in progress, but nothing is
    // answered, and requests that still wait for a thread are dropped.
    if (context_.is_stopping && now >= stop_deadline_) {
      context_.service.cut_off();
      for (const auto& session : sessions_) {
        is_cut_off_ = is_cut_off_ || !session->is_closed();
        session->close();
      }
    }
    remove_closed_sessions();
    if (context_.is_stopping && sessions_.empty()) return;  // without the timer, io_.run() ends
    if (!is_accepting_ && !context_.is_stopping) accept();
    timer_.expires_after(kTick);
    timer_.async_wait([this](error_code error) {
      if (!error) tick();
    });
    is_ticking_ = true;
  }

  // /readyz reports the stop from now on, no connection is accepted any more, and each session ends after its current
  // request.
  void begin_stop(Clock::time_point now) {
    context_.is_stopping = true;
    context_.service.begin_stop();
    stop_deadline_ = now + std::chrono::seconds(context_.service.limits().stop_timeout);
    if (*stopping_) (*stopping_)();
    context_.logger.log_event("info", "stopping", [this](JsonWriter& json) {
      json.member("connections", sessions_.size());
      json.member("requests_at_once", context_.requests_at_once);
    });
    error_code ignored;
    acceptor_.close(ignored);
    for (const auto& session : sessions_) session->begin_stop();
  }

  // Declared before everything that refers to it; 1 tells Asio that a single thread runs it.
  asio::io_context io_{1};
  asio::thread_pool workers_;
  std::size_t helpers_;
  ServerContext context_;
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  std::vector<std::shared_ptr<HttpSession>> sessions_;
  const std::atomic<bool>* stop_ = nullptr;
  const std::function<void()>* stopping_ = nullptr;
  Clock::time_point stop_deadline_;
  std::uint64_t accept_number_ = 0;  // of the current accept
  bool is_accepting_ = false;
  bool is_ticking_ = false;  // the timer is set
  bool is_cut_off_ = false;
};

HttpServer::HttpServer(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(HttpService& service, ServiceLogger& logger,
                                                       const std::string& address, std::uint16_t port,
                                                       unsigned threads) {
  auto implementation = std::make_unique<Implementation>(service, logger, threads);
  PARAPRINT_TRY(implementation->listen(address, port));
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(implementation)));
}

std::uint16_t HttpServer::port() const {
  return implementation_->port();
}

Status HttpServer::run(const std::atomic<bool>& stop, const std::function<void()>& stopping) {
  return implementation_->run(stop, stopping);
}

}  // namespace paraprint::inline service
