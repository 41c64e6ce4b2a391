// What a session needs of its client, whatever it reads and sends: the socket, the phase with its deadline, and the
// memory that the body of a request takes.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "serve/beast_request.h"
#include "serve/http_session.h"
#include "serve/refusal.h"
#include "serve/worker_task.h"

namespace paraprint::inline service {

// See http_session.h for their order.
enum class SessionPhase : std::uint8_t { kIdle, kHeader, kBody, kWaiting, kWorking, kSending, kLingering, kClosed };

// Used on the I/O thread alone. The context must outlive it.
class HttpConnection {
 public:
  using Clock = HttpSession::Clock;

  HttpConnection(boost::asio::ip::tcp::socket socket, ServerContext& context);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  boost::asio::ip::tcp::socket& socket() { return socket_; }
  // Bytes read ahead of the parser. Its size is limited, so a part that the parser needs as a whole (a header, the line
  // of a chunk, a trailer) cannot grow without end.
  boost::beast::flat_buffer& buffer() { return buffer_; }
  // Room to read into; empty if the limit of the buffer is reached.
  boost::asio::mutable_buffer room_to_read();
  const std::string& client() const { return client_; }  // its address

  SessionPhase phase() const { return phase_; }
  bool is_closed() const { return phase_ == SessionPhase::kClosed; }
  // 0 seconds: no deadline. Work has none, because it cannot be interrupted; only stopping the server ends the wait.
  void enter(SessionPhase phase, std::uint32_t seconds);

  // True if the deadline of the phase has passed, whenever it is asked until another one is entered: cancelling does
  // not reach a read that is complete and only waits for its handler, so one attempt is not enough.
  bool expire(Clock::time_point now);
  // Whether expire() was true in this phase. What a read has brought in the meantime came too late.
  bool is_timed_out() const { return is_timed_out_; }

  // Makes the response at hand the last one: the connection is closed after it.
  void make_last() { is_last_ = true; }
  bool is_last() const { return is_last_; }

  // Takes the next step unless the connection was closed meanwhile. If memory runs out, only this connection is closed.
  template <class Step>
  void proceed(const Step& step) noexcept {
    if (is_closed()) return;
    try {
      step();
    } catch (const std::exception&) {
      close();
    }
  }
  CompletionMemory& completion_memory() { return completion_memory_; }

  // Whether the connection is broken, or the client has closed its side: then it may only wait for the rest of its
  // answer, but one that is gone looks the same. For phases without a pending read or write, in which only the socket
  // itself knows. Bytes that are not read yet hide nothing, unless there are so many that the end behind them could not
  // be received.
  bool has_client_left();
  // A pending read fails with operation_aborted; its handler decides what follows.
  void cancel_read();
  void close();

 private:
  ServerContext& context_;
  boost::asio::ip::tcp::socket socket_;
  std::string client_;
  boost::beast::flat_buffer buffer_;
  CompletionMemory completion_memory_;
  SessionPhase phase_ = SessionPhase::kIdle;
  Clock::time_point deadline_ = Clock::time_point::max();
  bool is_timed_out_ = false;
  bool is_last_ = false;
};

// The session of a request that is more than a body and an answer: a bulk request, or one for events.
class ExchangeOwner {
 public:
  virtual ~ExchangeOwner() = default;
  // Keeps the session alive, and with it the exchange and all that it uses.
  virtual std::shared_ptr<ExchangeOwner> keep_alive() = 0;
  // The exchange is over: all is sent, or sending failed. The exchange may be destroyed in this call, as in the next
  // two.
  virtual void on_exchange_sent(boost::system::error_code error) = 0;
  // The exchange is over before any part of a response was sent.
  virtual void on_exchange_refused(const Refused& refused) = 0;
  virtual void on_exchange_answered(HttpResponse response) = 0;
  // The client has disconnected.
  virtual void on_client_lost() = 0;
};

// A share of ServiceLimits::max_buffered_bytes, the limit for the bodies and answers of all connections.
class BufferShare {
 public:
  // With `network`, what that client takes as a whole has a limit too (client_network()).
  explicit BufferShare(ServerContext& context, std::string network = {})
      : context_(context), network_(std::move(network)) {}
  ~BufferShare() { release(); }
  BufferShare(const BufferShare&) = delete;
  BufferShare& operator=(const BufferShare&) = delete;

  // Counts bytes until release(). False, and nothing is counted, if a limit would be exceeded.
  bool count(std::size_t size_bytes);
  void release();

 private:
  ServerContext& context_;
  const std::string network_;
  std::uint64_t counted_bytes_ = 0;
};

// The body of a request, as far as it is in memory, and its share of the limit for all connections. Room that was
// offered and is not filled yet is in memory and counts as well.
//
// A client that exceeds its rate is made to wait with a body in memory. So where there is a rate, the bodies of one
// client have a limit of their own, and leave room for those of others.
class RequestBody {
 public:
  RequestBody(ServerContext& context, std::string_view client);
  ~RequestBody() { release(); }
  RequestBody(const RequestBody&) = delete;
  RequestBody& operator=(const RequestBody&) = delete;

  // Valid until the next room is offered.
  std::string_view bytes() const { return {bytes_.data(), filled_bytes_}; }
  std::size_t size() const { return filled_bytes_; }

  // Gives the parser room to fill: what is left of the room before, or if nothing is left, `room_bytes` more. So a body
  // that comes in many small pieces takes no more memory than another one. False, and nothing is given, if the limit is
  // exceeded.
  bool offer_room(RequestParser& parser, std::size_t room_bytes);
  // Ends the body after what the parser has filled. Returns the number of bytes that it filled.
  std::size_t keep_filled(const RequestParser& parser);

  // Counts bytes that are kept elsewhere, see BufferShare.
  bool count(std::size_t size_bytes) { return share_.count(size_bytes); }
  // Frees the body and ends its share.
  void release();

 private:
  BufferShare share_;
  std::string bytes_;  // with the room
  std::size_t filled_bytes_ = 0;
};

// The refusals when a BufferShare has no room left.
inline const Refused kNoRoomForBodies = {
    Refusal::kBusy, "the memory for request bodies, or this client's share of it, is full; try again later"};
inline const Refused kNoRoomForAnswers = {
    Refusal::kBusy, "the memory for answers is full; send this again later (a page may have been added)"};

}  // namespace paraprint::inline service
