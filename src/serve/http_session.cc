// The state machine of a connection (phases: http_session.h); a bulk request runs in bulk_exchange.cc meanwhile. At
// most one asynchronous operation on its socket is pending, so a session needs no queue; pipelined requests wait in the
// read buffer. Every handler keeps the session alive by a shared_ptr and first checks whether it was closed meanwhile.
#include "serve/http_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/read.hpp>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "memory/release_memory.h"
#include "serve/beast_request.h"
#include "serve/bulk_exchange.h"
#include "serve/feed_exchange.h"
#include "serve/http_connection.h"
#include "serve/request_head.h"

namespace paraprint::inline service {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t kFirstBodyBytes = std::size_t{64} << 10;
// A client that is still sending when it is refused has this long to read the refusal before the connection is reset.
constexpr std::uint32_t kLingerSeconds = 2;

// Answers up to this size are sent whatever other connections keep in memory: refusals, health checks, metrics.
constexpr std::size_t kShortAnswerBytes = std::size_t{64} << 10;

class BeastSession final : public HttpSession, public ExchangeOwner, public std::enable_shared_from_this<BeastSession> {
 public:
  BeastSession(asio::ip::tcp::socket socket, ServerContext& context)
      : context_(context),
        connection_(std::move(socket), context),
        body_(context, connection_.client()),
        response_share_(context) {}

  void start() override {
    connection_.proceed([this] { wait_for_request(); });
  }
  void refuse_all(const Refused& refused) override {
    connection_.proceed([&] {
      begin_request();
      refuse(refused);
    });
  }
  void check_deadline(Clock::time_point now) override;
  void begin_stop() override;
  void close() override;
  bool is_closed() const override { return connection_.is_closed(); }

  std::shared_ptr<ExchangeOwner> keep_alive() override { return shared_from_this(); }
  void on_exchange_sent(error_code error) override { on_sent(error); }
  void on_exchange_refused(const Refused& refused) override { refuse(refused); }
  void on_exchange_answered(HttpResponse response) override { send(std::move(response)); }
  void on_client_lost() override;

 private:
  void wait_for_request();
  void begin_request();
  void read_header();
  void scan_header();
  void on_header_unread();
  void on_header();
  Answer<void> check_rate();

  void begin_body();
  void read_body();
  void on_body(error_code error);
  void on_read_failed(error_code error);
  Refused body_too_large() const;
  void work();
  void make_answer() noexcept;
  void on_answer();

  void refuse(const Refused& refused);
  void send(HttpResponse response);
  void on_sent(error_code error);
  void finish_request();
  void linger();
  void discard();
  void begin_bulk();
  // False if the request needs no wait: it is answered like any other.
  bool begin_events();

  ServerContext& context_;
  HttpConnection connection_;
  RequestBody body_;
  std::optional<RequestHeadScanner> scanner_;
  std::optional<RequestParser> parser_;
  ChunkExtensions chunk_extensions_;
  // Called by the parser, which keeps a reference to it.
  std::function<void(std::uint64_t, boost::beast::string_view, error_code&)> on_chunk_;
  RequestHead head_;
  RoutedTarget target_;
  std::string header_bytes_;
  std::optional<HttpResponse> answered_;  // from the worker thread
  HttpResponse response_;
  BufferShare response_share_;
  RequestRecord record_;
  Clock::time_point request_begin_;
  std::optional<BulkExchange> bulk_;
  std::optional<FeedExchange> events_;
};

void BeastSession::check_deadline(Clock::time_point now) {
  if (bulk_) bulk_->tick();
  if (events_) events_->tick(now);
  if (!connection_.expire(now)) return;
  const SessionPhase phase = connection_.phase();
  // The pending read fails, or its handler is about to run. It sends the refusal.
  if (phase == SessionPhase::kHeader || phase == SessionPhase::kBody) return connection_.cancel_read();
  // The client does not read; the request is counted and logged.
  if (phase == SessionPhase::kSending) connection_.proceed([this] { finish_request(); });
  close();
}

// A bulk request that waits for lines, or for its rate, would wait until its deadline: its handler is woken to send the
// last line. So would a stream of events. Everything else ends on its own.
void BeastSession::begin_stop() {
  connection_.make_last();
  if (connection_.phase() == SessionPhase::kIdle) return close();
  if (bulk_) bulk_->wake_to_stop();
  if (events_) events_->begin_stop();
}

void BeastSession::close() {
  if (is_closed()) return;
  connection_.close();
  if (bulk_) bulk_->cancel_pause();
  if (events_) events_->leave();
}

void BeastSession::wait_for_request() {
  if (context_.is_stopping) return close();
  if (connection_.buffer().size() > 0) return read_header();
  connection_.enter(SessionPhase::kIdle, context_.service.limits().idle_timeout);
  connection_.socket().async_read_some(connection_.room_to_read(),
                                       [self = shared_from_this()](error_code error, std::size_t size_bytes) {
                                         self->connection_.proceed([&] {
                                           if (error) return self->close();
                                           self->connection_.buffer().commit(size_bytes);
                                           self->read_header();
                                         });
                                       });
}

void BeastSession::begin_request() {
  request_begin_ = Clock::now();
  record_ = {};
  head_ = {};
  target_ = {};
  response_ = {};
}

void BeastSession::read_header() {
  begin_request();
  parser_.reset();
  scanner_.emplace(context_.service.limits().max_header_bytes);
  connection_.enter(SessionPhase::kHeader, context_.service.limits().header_timeout);
  scan_header();
}

// Reads until the header is complete. Invalid bytes are refused as soon as they arrive, so that a client with another
// protocol need not wait for the deadline.
void BeastSession::scan_header() {
  auto& buffer = connection_.buffer();
  const Answer<bool> is_complete = scanner_->scan({static_cast<const char*>(buffer.data().data()), buffer.size()});
  if (!is_complete) {
    connection_.make_last();
    return refuse(is_complete.error());
  }
  if (*is_complete) return on_header();
  connection_.socket().async_read_some(connection_.room_to_read(),
                                       [self = shared_from_this()](error_code error, std::size_t size_bytes) {
                                         self->connection_.proceed([&] {
                                           const bool is_late = self->connection_.is_timed_out();
                                           if (error || is_late) return self->on_header_unread();
                                           self->connection_.buffer().commit(size_bytes);
                                           self->scan_header();
                                         });
                                       });
}

void BeastSession::on_header_unread() {
  if (!connection_.is_timed_out()) return close();
  connection_.make_last();
  refuse({Refusal::kTimeout, "timed out while reading the request header"});
}

// After any doubt about where this request ends, what follows must not be taken for another one.
void BeastSession::on_header() {
  parser_.emplace();
  parser_->header_limit(context_.service.limits().max_header_bytes);
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // our limits: check_body(), on_body()
  chunk_extensions_ = {};
  // A chunk that is too large by itself is refused at once, so that no size, however close to an overflow, is counted.
  on_chunk_ = [this](std::uint64_t size_bytes, boost::beast::string_view extensions, error_code& error) {
    const bool has_limit = target_.route->body != BodyKind::kStream;
    if (!chunk_extensions_.accept({extensions.data(), extensions.size()})) error = http::error::bad_chunk_extension;
    if (has_limit && size_bytes > context_.service.limits().max_body_bytes) error = http::error::body_limit;
  };
  parser_->on_chunk_header(on_chunk_);
  error_code error;
  auto& buffer = connection_.buffer();
  buffer.consume(parser_->put(asio::buffer(buffer.data(), scanner_->size_bytes()), error));
  if (error) {
    connection_.make_last();
    return refuse({Refusal::kBadRequest, fmt::format("invalid HTTP: {}", error.message())});
  }
  head_ = head_of(*parser_);  // so that a refusal of HEAD has no body, and the log has the method
  head_.client = connection_.client();
  if (const Answer<void> framed = check_framing(framing_of(*parser_)); !framed) {
    connection_.make_last();
    return refuse(framed.error());
  }
  const bool is_old = parser_->get().version() < 11;
  if (context_.is_stopping || is_old || !parser_->keep_alive()) connection_.make_last();
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

// Lines of bulk requests are charged when they are answered.
Answer<void> BeastSession::check_rate() {
  if (target_.route->cost != RouteCost::kCharged || target_.route->body == BodyKind::kStream) return {};
  const auto wait = context_.limiter.take(connection_.client(), Clock::now());
  if (wait <= Clock::duration::zero()) return {};
  response_.retry_seconds = static_cast<std::uint32_t>(std::ceil(std::chrono::duration<double>(wait).count()));
  return paraprint::refuse(Refusal::kRateLimited,
                           fmt::format("the limit is {} requests per second", context_.service.limits().rate));
}

// Clients such as curl wait for "100 Continue" before a large body, so it is sent only when the header was accepted.
void BeastSession::begin_body() {
  const auto next = [](const std::shared_ptr<BeastSession>& self) {
    if (self->target_.route->body == BodyKind::kStream) return self->begin_bulk();
    if (self->parser_->is_done()) return self->work();
    self->connection_.enter(SessionPhase::kBody, self->context_.service.limits().body_timeout);
    self->read_body();
  };
  const auto expect = parser_->get()[http::field::expect];
  const bool is_old = parser_->get().version() < 11;  // does not know 1xx responses (RFC 9110 10.1.1)
  if (is_old || parser_->is_done() || !boost::beast::iequals(expect, "100-continue")) return next(shared_from_this());
  connection_.enter(SessionPhase::kSending, context_.service.limits().write_timeout);
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(connection_.socket(), asio::buffer(kContinue.data(), kContinue.size()),
                    [self = shared_from_this(), next](error_code error, std::size_t) {
                      self->connection_.proceed([&] { error ? self->close() : next(self); });
                    });
}

void BeastSession::read_body() {
  const std::size_t begin = body_.size();
  // Doubles with what has arrived, whatever Content-Length promises. One byte over the limit shows that it is exceeded.
  std::size_t room = std::max(kFirstBodyBytes, begin);
  if (const auto left = parser_->content_length_remaining()) room = std::min<std::size_t>(room, *left);
  room = std::min<std::size_t>(room, context_.service.limits().max_body_bytes + 1 - begin);
  if (!body_.offer_room(*parser_, room)) return refuse(kNoRoomForBodies);
  http::async_read(connection_.socket(), connection_.buffer(), *parser_,
                   [self = shared_from_this()](error_code error, std::size_t) {
                     self->connection_.proceed([&] { self->on_body(error); });
                   });
}

// need_buffer: the buffer is full and more of the body follows.
void BeastSession::on_body(error_code error) {
  body_.keep_filled(*parser_);
  const bool is_late = connection_.is_timed_out() && !parser_->is_done();
  if (is_late || (error && error != http::error::need_buffer)) return on_read_failed(error);
  if (body_.size() > context_.service.limits().max_body_bytes) {
    return refuse(body_too_large());
  }
  if (!parser_->is_done()) return read_body();
  work();
}

void BeastSession::on_read_failed(error_code error) {
  connection_.make_last();
  if (connection_.is_timed_out()) return refuse({Refusal::kTimeout, "timed out while reading the request body"});
  if (error == http::error::body_limit) return refuse(body_too_large());
  if (is_malformed(error)) return refuse({Refusal::kBadRequest, fmt::format("invalid HTTP: {}", error.message())});
  on_client_lost();
}

void BeastSession::on_client_lost() {
  finish_request();
  close();
}

Refused BeastSession::body_too_large() const {
  return {Refusal::kBodyTooLarge,
          fmt::format("the body is larger than {} bytes", context_.service.limits().max_body_bytes)};
}

void BeastSession::work() {
  record_.received_bytes = body_.size();
  if (target_.route->sends_events && head_.method != kHeadMethod && begin_events()) return;
  if (target_.route->cost == RouteCost::kQuick) return send(context_.service.answer(target_, head_, body_.bytes()));
  if (context_.requests_at_once >= context_.service.limits().max_requests) {
    return refuse({Refusal::kBusy, "too many requests are in progress; try again later"});
  }
  connection_.enter(SessionPhase::kWorking, 0);
  run_on_worker(
      context_, connection_.completion_memory(), [this]() noexcept { make_answer(); },
      [self = shared_from_this()] { self->connection_.proceed([&] { self->on_answer(); }); });
}

// On a worker thread.
void BeastSession::make_answer() noexcept {
  if (context_.service.is_cut_off()) return;
  try {
    answered_ = context_.service.answer(target_, head_, body_.bytes());
  } catch (const std::exception&) {  // out of memory even for the refusal
    answered_.reset();
  }
}

void BeastSession::on_answer() {
  if (!answered_) return refuse({Refusal::kBusy, "out of memory; try again later"});
  send(*std::exchange(answered_, std::nullopt));
}

void BeastSession::refuse(const Refused& refused) {
  HttpResponse response = response_of(refused);
  response.allow = response_.allow;  // set by admission
  if (response_.retry_seconds > 0) response.retry_seconds = response_.retry_seconds;
  // The rest of the body stays unread, so no further request can follow on this connection.
  if (!parser_ || !parser_->is_done()) connection_.make_last();
  send(std::move(response));
}

void BeastSession::send(HttpResponse response) {
  body_.release();  // a client that reads slowly must not keep it in memory
  const std::size_t size_bytes = response.body.size();
  if (size_bytes > kShortAnswerBytes && !response_share_.count(size_bytes)) return refuse(kNoRoomForAnswers);
  response_ = std::move(response);
  if (context_.is_stopping) connection_.make_last();
  record_.status = response_.status;
  record_.reason = response_.reason;
  record_.verdict = response_.verdict;
  header_bytes_ = response_header(response_, response_.body.size(), connection_.is_last(), context_.date);
  if (head_.method == kHeadMethod) response_.body.clear();  // the header keeps the length that GET would have
  record_.sent_bytes = response_.body.size();
  connection_.enter(SessionPhase::kSending, context_.service.limits().write_timeout);
  const std::array<asio::const_buffer, 2> buffers = {asio::buffer(header_bytes_), asio::buffer(response_.body)};
  asio::async_write(connection_.socket(), buffers, [self = shared_from_this()](error_code error, std::size_t) {
    self->connection_.proceed([&] { self->on_sent(error); });
  });
}

void BeastSession::on_sent(error_code error) {
  release_memory(response_.body);
  response_share_.release();
  finish_request();
  bulk_.reset();
  events_.reset();
  if (error) return close();
  if (connection_.is_last()) return linger();
  wait_for_request();
}

// Once per request, whether its response was sent or not.
void BeastSession::finish_request() {
  record_.method = head_.method;
  record_.client = connection_.client();
  record_.duration = Clock::now() - request_begin_;
  if (bulk_) record_.lines = bulk_->lines_answered();
  if (events_) record_.lines = events_->events_sent();
  context_.service.count_request(record_);
  context_.logger.log_request(record_);
}

// Closing a socket with unread input resets the connection, and the client might never see the response.
void BeastSession::linger() {
  connection_.enter(SessionPhase::kLingering, kLingerSeconds);
  error_code ignored;
  connection_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  discard();
}

void BeastSession::discard() {
  connection_.buffer().clear();
  connection_.socket().async_read_some(connection_.room_to_read(),
                                       [self = shared_from_this()](error_code error, std::size_t) {
                                         self->connection_.proceed([&] { error ? self->close() : self->discard(); });
                                       });
}

// The options are checked before the first line is read, while a refusal can still have its own status.
void BeastSession::begin_bulk() {
  Answer<AddOptions> options = read_options(target_.parameters);
  if (!options) return refuse(options.error());
  PageService* const lines = context_.service.line_service();
  PARAPRINT_ASSERT(lines != nullptr);  // only their services have routes with streams
  bulk_.emplace(*this, BulkExchange::ExchangeParts{*lines, context_, connection_, *parser_, body_, record_},
                call_of(*target_.route), *options);
  bulk_->start();
}

bool BeastSession::begin_events() {
  PageService* const service = context_.service.line_service();
  PARAPRINT_ASSERT(service != nullptr);  // only its service has routes that send events
  Answer<EventSubscription> subscription = service->subscribe(target_, head_);
  const auto refused = [this](const Refused& why) {
    refuse(why);
    return true;
  };
  if (!subscription) return refused(subscription.error());
  const EventRequest& request = subscription->request;
  if (request.form == EventForm::kPage && request.wait_seconds == 0) return false;
  if (request.form == EventForm::kStream && parser_->get().version() < 11) {
    return refused({Refusal::kBadRequest, "streams of events require HTTP/1.1"});  // for chunks
  }
  const std::uint32_t limit = context_.service.limits().max_streams;
  if (context_.streams >= limit) {
    return refused({Refusal::kBusy, fmt::format("the limit of {} clients that follow the feed is reached", limit)});
  }
  events_.emplace(*this, context_, connection_, record_, std::move(*subscription));
  events_->start();
  return true;
}

}  // namespace

std::shared_ptr<HttpSession> make_http_session(asio::ip::tcp::socket socket, ServerContext& context) {
  return std::make_shared<BeastSession>(std::move(socket), context);
}

}  // namespace paraprint::inline service
