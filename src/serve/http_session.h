// One connection: reads requests, hands them to the worker threads and sends the answers, one after the other, each
// step with a deadline. Everything runs on the server's I/O thread except the work itself.
//
//   idle -> header -> body -> working -> sending -> idle, or lingering -> closed
//
// A bulk request repeats body, working, sending: a batch of lines is read, and its answers are made and sent slice by
// slice. Nothing more is made before the last slice is sent, and nothing more is read before the last batch is
// answered, so a client that does not read its answers is slowed down by TCP and costs one batch and one slice of
// memory. One that exceeds its rate waits after sending. A request for events waits for them (waiting, working,
// sending, waiting again) until its client leaves.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "feed/read_turns.h"
#include "memory/seeded_hash.h"
#include "serve/http_service.h"
#include "serve/parallel_runner.h"
#include "serve/rate_limiter.h"
#include "serve/service_log.h"

namespace paraprint::inline service {

// State shared by the connections of a server. The members after `run` belong to the I/O thread.
struct ServerContext {
  HttpService& service;
  ServiceLogger& logger;
  boost::asio::io_context& io;
  boost::asio::thread_pool& workers;
  ParallelRunner run;
  RateLimiter limiter;
  ReadTurns feed_turns{1};
  std::uint32_t requests_at_once = 0;
  std::uint32_t streams = 0;  // requests that follow the feed
  std::uint64_t buffered_bytes = 0;
  // Those of bodies, by network of their clients (client_network()); only with a rate.
  std::unordered_map<std::string, std::uint64_t, SeededHash> body_bytes_of = {};
  bool is_stopping = false;
  std::string date;  // current time in HTTP format
};

class HttpSession {
 public:
  using Clock = std::chrono::steady_clock;
  virtual ~HttpSession() = default;

  // None of these throws: if memory runs out, the connection is closed.
  virtual void start() = 0;
  // Sends this refusal without reading a request, then closes.
  virtual void refuse_all(const Refused& refused) = 0;
  // Aborts the current step if its deadline has passed, or if it waits for a client that has left.
  virtual void check_deadline(Clock::time_point now) = 0;
  // Accepts no further request. The current one is finished, a bulk request after its next line.
  virtual void begin_stop() = 0;
  virtual void close() = 0;
  virtual bool is_closed() const = 0;
};

std::shared_ptr<HttpSession> make_http_session(boost::asio::ip::tcp::socket socket, ServerContext& context);

// Status line and header of a response, including the empty line. `size_bytes` is the size of the body; without it,
// chunks follow. `is_last` announces that the connection will be closed.
std::string response_header(const HttpResponse& response, std::optional<std::size_t> size_bytes, bool is_last,
                            std::string_view date);
// What precedes and follows the bytes of a chunk, and what follows the last chunk. A chunk must not be empty.
std::string chunk_begin(std::size_t size_bytes);
inline constexpr std::string_view kChunkEnd = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace paraprint::inline service
