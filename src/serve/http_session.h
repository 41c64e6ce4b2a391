// One connection: requests read, handed to the threads that work, and answered, one after the other, under deadlines.
// Everything here runs on the server's one thread for input and output, but for the work itself.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "serve/page_service.h"
#include "serve/parallel_runner.h"
#include "serve/rate_limiter.h"
#include "serve/service_log.h"

namespace paraprint {

// What the connections of a server share. The members below `run` belong to the thread for input and output.
struct ServerContext {
  PageService& service;
  ServiceLogger& logger;
  boost::asio::io_context& io;
  boost::asio::thread_pool& workers;
  ParallelRunner run;
  RateLimiter limiter;
  std::uint32_t requests_at_once = 0;
  std::uint64_t buffered_bytes = 0;
  bool is_stopping = false;
  std::string date;  // of now, as HTTP writes it
};

class HttpSession {
 public:
  using Clock = std::chrono::steady_clock;
  virtual ~HttpSession() = default;

  virtual void start() = 0;
  // Answers with this refusal before anything is read, and closes.
  virtual void refuse_all(const Refused& refused) = 0;
  // Ends what has taken too long.
  virtual void check_deadline(Clock::time_point now) = 0;
  // No further request; the one under way is finished, a bulk request at its next line.
  virtual void begin_stop() = 0;
  virtual void close() = 0;
  virtual bool is_closed() const = 0;
};

std::shared_ptr<HttpSession> make_http_session(boost::asio::ip::tcp::socket socket, ServerContext& context);

// The status line and the header of an answer, up to and with the empty line. `size_bytes` of the body; nothing:
// chunks follow.
std::string response_header(const HttpResponse& response, std::optional<std::size_t> size_bytes, bool is_last,
                            std::string_view date);
std::string chunk_of(std::string_view bytes);  // as a chunk; of no bytes: the last one

}  // namespace paraprint
