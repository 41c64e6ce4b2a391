// The state machine of a connection (states: http_session.h). At most one asynchronous operation on its socket is
// pending, so a session needs no queue; pipelined requests wait in the read buffer. Every handler keeps the session
// alive by a shared_ptr and first checks whether it was closed meanwhile.
#include "serve/http_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/read.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "serve/beast_request.h"
#include "serve/bulk_conversation.h"

namespace paraprint {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t kFirstBodyBytes = std::size_t{64} << 10;
// A bulk request is processed in batches of about this size, or of what has arrived: waiting would delay answers.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
constexpr std::size_t kBatchPieceBytes = std::size_t{256} << 10;
// A client that is still sending when it is refused has this long to read the refusal before the connection is reset.
constexpr std::chrono::seconds kLingerTime{2};
constexpr std::size_t kDiscardBytes = 16384;
const Refused kNoRoom = {Refusal::kBusy, "the memory for request bodies is full; try again later"};

class BeastSession final : public HttpSession, public std::enable_shared_from_this<BeastSession> {
 public:
  BeastSession(asio::ip::tcp::socket socket, ServerContext& context)
      : context_(context), socket_(std::move(socket)), pause_(context.io) {
    error_code error;
    const auto peer = socket_.remote_endpoint(error);
    if (!error) client_ = peer.address().to_string();
    socket_.set_option(asio::ip::tcp::no_delay(true), error);  // responses are written whole
    ++context_.service.metrics().connections;
  }
  ~BeastSession() override {
    release_body();
    --context_.service.metrics().connections;
  }

  void start() override { wait_for_request(); }
  void refuse_all(const Refused& refused) override {
    begin_request();
    refuse(refused);
  }
  void check_deadline(Clock::time_point now) override;
  void begin_stop() override;
  void close() override;
  bool is_closed() const override { return phase_ == Phase::kClosed; }

 private:
  enum class Phase : std::uint8_t { kIdle, kHeader, kBody, kWorking, kSending, kLingering, kClosed };

  void enter(Phase phase, std::uint32_t seconds);
  bool is_bulk() const { return conversation_.has_value(); }

  void wait_for_request();
  void begin_request();
  void read_header();
  void on_header(error_code error);
  Answer<void> check_rate();

  void begin_body();
  void read_body();
  void on_body(error_code error, std::size_t begin, std::size_t room);
  void on_read_failed(error_code error);
  void work();

  void refuse(const Refused& refused);
  void send(HttpResponse response);
  void on_sent(error_code error);
  void finish_request();
  void linger();
  void discard();
  void release_body();
  bool count_bytes(std::size_t size_bytes);

  void begin_bulk();
  void read_lines();
  void on_lines(error_code error, std::size_t begin, std::size_t room);
  void work_on_lines();
  void send_lines(std::string answers, bool is_end);
  void on_lines_sent(bool is_end, Clock::duration pause);

  ServerContext& context_;
  asio::ip::tcp::socket socket_;
  asio::steady_timer pause_;
  std::string client_;
  boost::beast::flat_buffer buffer_;
  std::optional<RequestParser> parser_;
  RequestHead head_;
  RoutedTarget target_;
  std::string body_;
  std::uint64_t counted_bytes_ = 0;  // this session's share of the context's buffered_bytes
  std::string header_bytes_;
  HttpResponse response_;
  std::optional<BulkConversation> conversation_;
  RequestRecord record_;
  Clock::time_point request_begin_;
  Phase phase_ = Phase::kIdle;
  Clock::time_point deadline_ = Clock::time_point::max();
  bool is_timed_out_ = false;
  bool is_last_ = false;         // the connection is closed after this response
  bool is_header_sent_ = false;  // of a bulk response
};

// 0 seconds: no deadline. Work has none, because it cannot be interrupted; only stopping the server ends the wait.
void BeastSession::enter(Phase phase, std::uint32_t seconds) {
  phase_ = phase;
  deadline_ = seconds == 0 ? Clock::time_point::max() : Clock::now() + std::chrono::seconds(seconds);
}

void BeastSession::check_deadline(Clock::time_point now) {
  if (now < deadline_) return;
  deadline_ = Clock::time_point::max();
  is_timed_out_ = true;
  if (phase_ == Phase::kHeader || phase_ == Phase::kBody) {
    error_code ignored;
    socket_.cancel(ignored);  // the pending read fails, and its handler sends the refusal
    return;
  }
  if (phase_ == Phase::kSending) finish_request();  // the client does not read; count and log the request
  close();
}

// A bulk request that waits for lines, or for its rate, would wait until its deadline: its handler is woken to send the
// last line. Everything else ends on its own.
void BeastSession::begin_stop() {
  is_last_ = true;
  if (phase_ == Phase::kIdle) return close();
  if (phase_ == Phase::kBody && is_bulk()) {
    error_code ignored;
    socket_.cancel(ignored);
    pause_.cancel();
  }
}

void BeastSession::close() {
  if (phase_ == Phase::kClosed) return;
  phase_ = Phase::kClosed;
  deadline_ = Clock::time_point::max();
  error_code ignored;
  socket_.close(ignored);
  pause_.cancel();
}

void BeastSession::wait_for_request() {
  if (context_.is_stopping) return close();
  if (buffer_.size() > 0) return read_header();
  enter(Phase::kIdle, context_.service.limits().idle_seconds);
  socket_.async_read_some(buffer_.prepare(kDiscardBytes),
                          [self = shared_from_this()](error_code error, std::size_t size_bytes) {
                            if (self->is_closed()) return;
                            if (error) return self->close();
                            self->buffer_.commit(size_bytes);
                            self->read_header();
                          });
}

void BeastSession::begin_request() {
  request_begin_ = Clock::now();
  record_ = {};
  head_ = {};
  target_ = {};
  response_ = {};
  conversation_.reset();
  is_timed_out_ = false;
  is_header_sent_ = false;
}

void BeastSession::read_header() {
  begin_request();
  parser_.emplace();
  parser_->header_limit(context_.service.limits().header_bytes);
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // our limits: check_body(), on_body()
  enter(Phase::kHeader, context_.service.limits().header_seconds);
  http::async_read_header(socket_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
    if (!self->is_closed()) self->on_header(error);
  });
}

void BeastSession::on_header(error_code error) {
  if (error) {
    is_last_ = true;
    if (is_timed_out_) return refuse({Refusal::kTimeout, "timed out while reading the request header"});
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return refuse({Refusal::kHeaderTooLarge, "the request header is too large"});
    }
    if (is_malformed(error)) return refuse({Refusal::kBadRequest, fmt::format("invalid HTTP: {}", error.message())});
    return close();
  }
  const bool is_old = parser_->get().version() < 11;
  is_last_ = is_last_ || context_.is_stopping || is_old || !parser_->keep_alive();
  head_ = head_of(*parser_);
  head_.client = client_;
  std::string allow;
  Answer<RoutedTarget> target = context_.service.admit(head_, allow);
  if (target) {
    target_ = std::move(*target);
    record_.route = target_.route;
    if (Answer<void> checked = check_rate(); !checked) return refuse(checked.error());
    if (target_.route->body == BodyKind::kStream && is_old) {
      return refuse({Refusal::kBadRequest, "bulk calls require HTTP/1.1"});  // for chunks
    }
    return begin_body();
  }
  response_.allow = allow;
  refuse(target.error());
}

// Lines of bulk requests are charged when they are answered. Health checks, metrics and the description are free.
Answer<void> BeastSession::check_rate() {
  const bool is_counted =
      target_.route->needs_token && target_.route->body != BodyKind::kStream && target_.route->call != Call::kMetrics;
  if (!is_counted) return {};
  const auto wait = context_.limiter.take(client_, Clock::now());
  if (wait <= Clock::duration::zero()) return {};
  response_.retry_seconds = static_cast<std::uint32_t>(std::ceil(std::chrono::duration<double>(wait).count()));
  return paraprint::refuse(Refusal::kRateLimited, fmt::format("the limit is {} requests per second",
                                                              context_.service.limits().pages_per_second));
}

// Clients such as curl wait for "100 Continue" before a large body, so it is sent only when the header was accepted.
void BeastSession::begin_body() {
  const auto next = [](const std::shared_ptr<BeastSession>& self) {
    if (self->target_.route->body == BodyKind::kStream) return self->begin_bulk();
    if (self->parser_->is_done()) return self->work();
    self->enter(Phase::kBody, self->context_.service.limits().body_seconds);
    self->read_body();
  };
  const auto expect = parser_->get()[http::field::expect];
  if (parser_->is_done() || !boost::beast::iequals(expect, "100-continue")) return next(shared_from_this());
  enter(Phase::kSending, context_.service.limits().write_seconds);
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kContinue.data(), kContinue.size()),
                    [self = shared_from_this(), next](error_code error, std::size_t) {
                      if (self->is_closed()) return;
                      if (error) return self->close();
                      next(self);
                    });
}

void BeastSession::read_body() {
  const std::size_t begin = body_.size();
  // Doubles with what has arrived, whatever Content-Length promises. One byte over the limit shows that it is exceeded.
  std::size_t room = std::max(kFirstBodyBytes, begin);
  if (const auto left = parser_->content_length_remaining()) room = std::min<std::size_t>(room, *left);
  room = std::min<std::size_t>(room, context_.service.limits().body_bytes + 1 - begin);
  if (!count_bytes(room)) return refuse(kNoRoom);
  body_.resize(begin + room);
  parser_->get().body().data = body_.data() + begin;
  parser_->get().body().size = room;
  http::async_read(socket_, buffer_, *parser_, [self = shared_from_this(), begin, room](error_code error, std::size_t) {
    if (!self->is_closed()) self->on_body(error, begin, room);
  });
}

// need_buffer: the buffer is full and more of the body follows.
void BeastSession::on_body(error_code error, std::size_t begin, std::size_t room) {
  body_.resize(begin + room - parser_->get().body().size);
  if (error && error != http::error::need_buffer) return on_read_failed(error);
  if (body_.size() > context_.service.limits().body_bytes) {
    return refuse({Refusal::kBodyTooLarge,
                   fmt::format("the body is larger than {} bytes", context_.service.limits().body_bytes)});
  }
  if (!parser_->is_done()) return read_body();
  work();
}

void BeastSession::on_read_failed(error_code error) {
  is_last_ = true;
  if (is_timed_out_) return refuse({Refusal::kTimeout, "timed out while reading the request body"});
  if (is_malformed(error)) return refuse({Refusal::kBadRequest, fmt::format("invalid HTTP: {}", error.message())});
  finish_request();  // the client has disconnected
  close();
}

// Quick calls are answered on the I/O thread, so that health checks work even when all worker threads are busy.
void BeastSession::work() {
  record_.received_bytes = body_.size();
  const Call call = target_.route->call;
  const bool is_quick = call == Call::kHealth || call == Call::kReadiness || call == Call::kDescription;
  if (is_quick) return send(context_.service.answer(target_, head_, body_));
  if (context_.requests_at_once >= context_.service.limits().requests_at_once) {
    return refuse({Refusal::kBusy, "too many requests are in progress; try again later"});
  }
  enter(Phase::kWorking, 0);
  context_.service.metrics().requests_at_once = ++context_.requests_at_once;
  asio::post(context_.workers, [self = shared_from_this()]() mutable {
    HttpResponse response = self->context_.service.answer(self->target_, self->head_, self->body_);
    // The reference moves back: a session must be destroyed on the I/O thread, as its destructor updates the context.
    auto& io = self->context_.io;
    asio::post(io, [self = std::move(self), response = std::move(response)]() mutable {
      self->context_.service.metrics().requests_at_once = --self->context_.requests_at_once;
      if (!self->is_closed()) self->send(std::move(response));
    });
  });
}

void BeastSession::refuse(const Refused& refused) {
  if (is_header_sent_) return on_sent(asio::error::no_memory);  // a bulk response that lacks its last chunk
  HttpResponse response = response_of(refused);
  response.allow = response_.allow;  // set by admission
  if (response_.retry_seconds > 0) response.retry_seconds = response_.retry_seconds;
  // The rest of the body stays unread, so no further request can follow on this connection.
  if (!parser_ || !parser_->is_done()) is_last_ = true;
  send(std::move(response));
}

void BeastSession::send(HttpResponse response) {
  release_body();  // a client that reads slowly must not keep it in memory
  response_ = std::move(response);
  is_last_ = is_last_ || context_.is_stopping;
  record_.status = response_.status;
  record_.reason = response_.reason;
  record_.verdict = response_.verdict;
  header_bytes_ = response_header(response_, response_.body.size(), is_last_, context_.date);
  if (head_.method == kHeadMethod) response_.body.clear();  // the header keeps the length that GET would have
  record_.sent_bytes = response_.body.size();
  enter(Phase::kSending, context_.service.limits().write_seconds);
  const std::array<asio::const_buffer, 2> buffers = {asio::buffer(header_bytes_), asio::buffer(response_.body)};
  asio::async_write(socket_, buffers, [self = shared_from_this()](error_code error, std::size_t) {
    if (!self->is_closed()) self->on_sent(error);
  });
}

void BeastSession::on_sent(error_code error) {
  finish_request();
  if (error) return close();
  if (is_last_) return linger();
  wait_for_request();
}

// Once per request, whether its response was sent or not.
void BeastSession::finish_request() {
  record_.method = head_.method;
  record_.client = client_;
  record_.duration = Clock::now() - request_begin_;
  if (conversation_) record_.lines = conversation_->lines_answered();
  context_.service.metrics().count_request(record_);
  context_.logger.log_request(record_);
}

// Closing a socket with unread input resets the connection, and the client might never see the response.
void BeastSession::linger() {
  phase_ = Phase::kLingering;
  deadline_ = Clock::now() + kLingerTime;
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  discard();
}

void BeastSession::discard() {
  buffer_.clear();
  socket_.async_read_some(buffer_.prepare(kDiscardBytes), [self = shared_from_this()](error_code error, std::size_t) {
    if (self->is_closed()) return;
    if (error) return self->close();
    self->discard();
  });
}

void BeastSession::release_body() {
  context_.buffered_bytes -= std::exchange(counted_bytes_, 0);
  context_.service.metrics().buffered_bytes = context_.buffered_bytes;
  body_ = std::string();  // frees the capacity, too
}

// Counts bytes until release_body(); false if the limit for all connections is exceeded, but counted even then.
bool BeastSession::count_bytes(std::size_t size_bytes) {
  counted_bytes_ += size_bytes;
  context_.buffered_bytes += size_bytes;
  context_.service.metrics().buffered_bytes = context_.buffered_bytes;
  return context_.buffered_bytes <= context_.service.limits().buffered_bytes;
}

// The options are checked before the first line is read, while a refusal can still have its own status.
void BeastSession::begin_bulk() {
  Answer<AddOptions> options = read_options(target_.parameters);
  if (!options) return refuse(options.error());
  conversation_.emplace(context_.service, target_.route->call, *options);
  read_lines();
}

// If memory runs out, the answers sent so far remain valid and the last line says why the rest is missing.
void BeastSession::read_lines() {
  if (parser_->is_done()) return work_on_lines();
  if (!count_bytes(kBatchPieceBytes)) return send_lines(conversation_->break_off(kNoRoom), true);
  enter(Phase::kBody, context_.service.limits().body_seconds);
  const std::size_t begin = body_.size();
  body_.resize(begin + kBatchPieceBytes);
  parser_->get().body().data = body_.data() + begin;
  parser_->get().body().size = kBatchPieceBytes;
  http::async_read_some(socket_, buffer_, *parser_, [self = shared_from_this(), begin](error_code error, std::size_t) {
    if (!self->is_closed()) self->on_lines(error, begin, kBatchPieceBytes);
  });
}

void BeastSession::on_lines(error_code error, std::size_t begin, std::size_t room) {
  body_.resize(begin + room - parser_->get().body().size);
  record_.received_bytes += body_.size() - begin;
  if (error && error != http::error::need_buffer) {
    is_last_ = true;
    if (is_timed_out_) {
      return send_lines(conversation_->break_off({Refusal::kTimeout, "timed out while waiting for more lines"}), true);
    }
    if (error == asio::error::operation_aborted && context_.is_stopping) return work_on_lines();
    finish_request();
    return close();
  }
  error_code ignored;
  const bool is_more_there = error == http::error::need_buffer || socket_.available(ignored) > 0;
  if (!parser_->is_done() && is_more_there && body_.size() < kBatchBytes) return read_lines();
  work_on_lines();
}

// Batches count as requests in progress but are never refused for that: the client waits instead.
void BeastSession::work_on_lines() {
  enter(Phase::kWorking, 0);
  const bool is_end = parser_->is_done();
  context_.service.metrics().requests_at_once = ++context_.requests_at_once;
  asio::post(context_.workers, [self = shared_from_this(), is_end]() mutable {
    Answer<std::string> answered = self->conversation_->answer_batch(self->body_, is_end, self->context_.run);
    auto& io = self->context_.io;
    asio::post(io, [self = std::move(self), is_end, answered = std::move(answered)]() mutable {
      self->context_.service.metrics().requests_at_once = --self->context_.requests_at_once;
      if (self->is_closed()) return;
      self->release_body();
      if (!answered) return self->refuse(answered.error());
      self->count_bytes(self->conversation_->held_bytes());  // of an incomplete line
      if (is_end) return self->send_lines(std::move(*answered), true);
      if (self->context_.is_stopping) {
        self->is_last_ = true;
        *answered += self->conversation_->break_off({Refusal::kStopping, "the service is shutting down"});
        return self->send_lines(std::move(*answered), true);
      }
      self->send_lines(std::move(*answered), false);
    });
  });
}

// The status is 200 from the first batch on; later errors can only be reported as a line.
void BeastSession::send_lines(std::string answers, bool is_end) {
  if (!parser_->is_done() && is_end) is_last_ = true;
  record_.status = 200;
  record_.sent_bytes += answers.size();
  response_.content_type = "application/x-ndjson";
  header_bytes_.clear();
  if (!is_header_sent_) header_bytes_ = response_header(response_, std::nullopt, is_last_, context_.date);
  is_header_sent_ = true;
  if (!answers.empty()) header_bytes_ += chunk_of(answers);
  if (is_end) header_bytes_ += chunk_of({});
  Clock::duration pause{};
  // Each page is charged like a single request; a bulk request that exceeds the rate is delayed instead of refused.
  const auto lines = static_cast<double>(std::count(answers.begin(), answers.end(), '\n'));
  if (!is_end) pause = context_.limiter.charge(client_, lines, Clock::now());
  enter(Phase::kSending, context_.service.limits().write_seconds);
  asio::async_write(socket_, asio::buffer(header_bytes_),
                    [self = shared_from_this(), is_end, pause](error_code error, std::size_t) {
                      if (self->is_closed()) return;
                      if (error) return self->on_sent(error);
                      self->on_lines_sent(is_end, pause);
                    });
}

// While a bulk request pauses for its rate, it is in kBody without a deadline: the client is not the one who is late.
void BeastSession::on_lines_sent(bool is_end, Clock::duration pause) {
  if (is_end) return on_sent({});
  if (context_.is_stopping) return work_on_lines();
  if (pause <= Clock::duration::zero()) return read_lines();
  enter(Phase::kBody, 0);
  pause_.expires_after(pause);
  pause_.async_wait([self = shared_from_this()](error_code) {
    if (self->is_closed()) return;
    if (self->context_.is_stopping) return self->work_on_lines();
    self->read_lines();
  });
}

}  // namespace

std::shared_ptr<HttpSession> make_http_session(asio::ip::tcp::socket socket, ServerContext& context) {
  return std::make_shared<BeastSession>(std::move(socket), context);
}

}  // namespace paraprint
