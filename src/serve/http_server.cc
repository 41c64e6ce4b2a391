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
#include <utility>
#include <vector>

#include "serve/http_session.h"

namespace paraprint {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

// How often deadlines and the request to stop are looked at.
constexpr std::chrono::milliseconds kTick{100};
// Connections beyond the limit that are told so; any more are closed without a word.
constexpr std::size_t kRefusedConnections = 64;

std::string http_date() {
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr)));
}

// One piece of work in parts. Whoever comes takes the next part; who brought it waits for the parts that others took.
class SharedWork {
 public:
  SharedWork(std::size_t count, const std::function<void(std::size_t)>& action) : count_(count), action_(action) {}

  void take_parts() {
    for (std::size_t part = next_++; part < count_; part = next_++) {
      action_(part);
      const std::lock_guard lock(mutex_);
      if (++done_ == count_) all_done_.notify_all();
    }
  }
  void wait() {
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return done_ == count_; });
  }

 private:
  std::atomic<std::size_t> next_{0};
  std::size_t count_;
  // Called for parts only, and the caller's wait() ends after the last one: the reference lives long enough.
  const std::function<void(std::size_t)>& action_;
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::size_t done_ = 0;
};

}  // namespace

class HttpServer::Implementation {
 public:
  Implementation(PageService& service, ServiceLogger& logger, unsigned threads)
      : workers_(threads),
        helpers_(threads - 1),
        context_{.service = service,
                 .logger = logger,
                 .io = io_,
                 .workers = workers_,
                 .run = [this](std::size_t count,
                               const std::function<void(std::size_t)>& action) { run_parts(count, action); },
                 .limiter = RateLimiter(service.limits().pages_per_second, service.limits().pages_burst),
                 .date = {}},
        acceptor_(io_),
        timer_(io_) {}

  Status listen(const std::string& address, std::uint16_t port) {
    error_code error;
    const asio::ip::tcp::endpoint endpoint(asio::ip::make_address(address, error), port);
    if (!error) acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) return {};
    return failure(ErrorCode::kInputOutput,
                   fmt::format("can't listen on {} port {}: {}", address, port, error.message()));
  }

  std::uint16_t port() const {
    error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  Status run(const std::atomic<bool>& stop) {
    stop_ = &stop;
    context_.date = http_date();
    accept();
    tick();
    for (;;) {
      try {
        io_.run();
        break;
      } catch (const std::exception& error) {  // out of memory: what was under way is lost, the rest goes on
        context_.logger.log_event("error", "exception",
                                  [&](JsonWriter& json) { json.member("message", error.what()); });
      }
    }
    workers_.join();
    io_.restart();
    io_.poll();  // what workers of connections that were cut off had to say
    if (!is_cut_off_) return {};
    return failure(ErrorCode::kCancelled, "requests were still under way when the time to stop was over");
  }

 private:
  void run_parts(std::size_t count, const std::function<void(std::size_t)>& action) {
    if (count == 0) return;
    const auto work = std::make_shared<SharedWork>(count, action);
    for (std::size_t i = 0; i < std::min<std::size_t>(helpers_, count - 1); ++i) {
      asio::post(workers_, [work] { work->take_parts(); });
    }
    work->take_parts();
    work->wait();
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, asio::ip::tcp::socket socket) {
      if (context_.is_stopping) return;
      if (error) {  // most likely too many open files: some of them will be closed
        is_accepting_ = false;
        return;
      }
      add_session(std::move(socket));
      accept();
    });
  }

  void add_session(asio::ip::tcp::socket socket) {
    ServiceMetrics& metrics = context_.service.metrics();
    ++metrics.connections_accepted;
    const std::size_t limit = context_.service.limits().connections;
    if (sessions_.size() >= limit + kRefusedConnections) {
      ++metrics.connections_refused;
      return;  // the socket closes itself
    }
    const bool is_refused = sessions_.size() >= limit;
    sessions_.push_back(make_http_session(std::move(socket), context_));
    const std::shared_ptr<HttpSession> session = sessions_.back();
    if (!is_refused) return session->start();
    ++metrics.connections_refused;
    session->refuse_all({Refusal::kBusy, fmt::format("the limit of {} connections is reached", limit)});
  }

  void tick() {
    const Clock::time_point now = Clock::now();
    context_.date = http_date();
    if (stop_->load() && !context_.is_stopping) begin_stop(now);
    for (const auto& session : sessions_) session->check_deadline(now);
    if (context_.is_stopping && now >= stop_deadline_) {
      for (const auto& session : sessions_) {
        is_cut_off_ = is_cut_off_ || !session->is_closed();
        session->close();
      }
    }
    std::erase_if(sessions_, [](const auto& session) { return session->is_closed(); });
    if (context_.is_stopping && sessions_.empty()) return;  // nothing is left to run for
    if (!is_accepting_ && !context_.is_stopping) {
      is_accepting_ = true;
      accept();
    }
    timer_.expires_after(kTick);
    timer_.async_wait([this](error_code error) {
      if (!error) tick();
    });
  }

  void begin_stop(Clock::time_point now) {
    context_.is_stopping = true;
    context_.service.begin_stop();
    context_.logger.log_event("info", "stopping", [this](JsonWriter& json) {
      json.member("connections", sessions_.size());
      json.member("requests_at_once", context_.requests_at_once);
    });
    stop_deadline_ = now + std::chrono::seconds(context_.service.limits().stop_seconds);
    error_code ignored;
    acceptor_.close(ignored);
    for (const auto& session : sessions_) session->begin_stop();
  }

  asio::io_context io_{1};
  asio::thread_pool workers_;
  std::size_t helpers_;
  ServerContext context_;
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  std::vector<std::shared_ptr<HttpSession>> sessions_;
  const std::atomic<bool>* stop_ = nullptr;
  Clock::time_point stop_deadline_;
  bool is_accepting_ = true;
  bool is_cut_off_ = false;
};

HttpServer::HttpServer(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(PageService& service, ServiceLogger& logger,
                                                       const std::string& address, std::uint16_t port,
                                                       unsigned threads) {
  auto implementation = std::make_unique<Implementation>(service, logger, threads);
  if (Status listening = implementation->listen(address, port); !listening) {
    return tl::unexpected<Error>(listening.error());
  }
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(implementation)));
}

std::uint16_t HttpServer::port() const {
  return implementation_->port();
}

Status HttpServer::run(const std::atomic<bool>& stop) {
  return implementation_->run(stop);
}

}  // namespace paraprint
