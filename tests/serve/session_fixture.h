// Connections whose event loop a test runs step by step: it decides which handler comes next, and when a tick does.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "serve/http_session.h"
#include "serve/plain_http_client.h"
#include "serve/service_fixture.h"

namespace paraprint {

class SessionTest : public ServiceTest {
 protected:
  static constexpr std::chrono::hours kAfterAllDeadlines{1};

  struct Connection {
    explicit Connection(SessionTest& test, std::uint32_t own_address = INADDR_ANY)
        : client(test.acceptor_.local_endpoint().port(), own_address),
          session(make_http_session(test.acceptor_.accept(), *test.context_)) {}

    PlainHttpClient client;
    std::shared_ptr<HttpSession> session;  // not started
  };

  // Opens the service and makes what its connections share.
  void open_sessions(const ServeOptions& options = {}) {
    open(options);
    context_.reset(new ServerContext{.service = *service_,
                                     .logger = logger_,
                                     .io = io_,
                                     .workers = workers_,
                                     .run =
                                         [](std::size_t count, const std::function<void(std::size_t)>& action) {
                                           for (std::size_t i = 0; i < count; ++i) action(i);
                                         },
                                     .limiter = RateLimiter(service_->limits().rate, service_->limits().burst),
                                     .date = {}});
  }

  // Runs the handlers that are ready and those of work in progress until `is_done`, at most for a minute. Returns
  // whether it is.
  bool run_until(const std::function<bool()>& is_done) {
    const auto limit = HttpSession::Clock::now() + std::chrono::minutes(1);
    while (!is_done() && HttpSession::Clock::now() < limit) io_.run_one_for(std::chrono::milliseconds(1));
    return is_done();
  }

  static void tick(HttpSession& session, HttpSession::Clock::duration later = {}) {
    session.check_deadline(HttpSession::Clock::now() + later);
  }

  // Of a bulk request whose end is still to come.
  static std::string bulk_begin(std::string_view lines) {
    return "POST /v1/bulk/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
           "Transfer-Encoding: chunked\r\n\r\n" +
           chunk(lines);
  }
  static std::string chunk(std::string_view bytes) { return chunk_begin(bytes.size()).append(bytes).append(kChunkEnd); }

  // Before what may keep the last reference to a session.
  ServiceLogger logger_{ServiceLog::kNone, nullptr};
  std::unique_ptr<ServerContext> context_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{io_.get_executor()};
  boost::asio::thread_pool workers_{2};
  boost::asio::ip::tcp::acceptor acceptor_{io_,
                                           boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
};

}  // namespace paraprint
