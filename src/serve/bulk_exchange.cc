// Nothing more is read before the answers to the previous batch are sent, so a client that does not read its answers is
// slowed down by TCP and costs no memory. Every handler keeps the session alive and first checks whether the connection
// was closed meanwhile.
#include "serve/bulk_exchange.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <optional>
#include <utility>

namespace paraprint {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

// A bulk request is processed in batches of about this size, or of what has arrived: waiting would delay answers.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
constexpr std::size_t kBatchPieceBytes = std::size_t{256} << 10;

}  // namespace

void BulkExchange::wake_to_stop() {
  connection_.cancel_read();
  pause_.cancel();
}

// If memory runs out, the answers sent so far remain valid and the last line says why the rest is missing.
void BulkExchange::read_lines() {
  if (parser_.is_done()) return work_on_lines();
  if (!body_.offer_room(parser_, kBatchPieceBytes)) return send(conversation_.break_off(kNoRoomForBodies), true);
  connection_.enter(SessionPhase::kBody, context_.service.limits().body_timeout);
  http::async_read_some(connection_.socket(), connection_.buffer(), parser_,
                        [this, session = owner_.keep_alive()](error_code error, std::size_t) {
                          if (!connection_.is_closed()) on_lines(error);
                        });
}

void BulkExchange::on_lines(error_code error) {
  record_.received_bytes += body_.keep_filled(parser_);
  if (error && error != http::error::need_buffer) {
    connection_.make_last();
    if (connection_.is_timed_out()) {
      return send(conversation_.break_off({Refusal::kTimeout, "timed out while waiting for more lines"}), true);
    }
    if (error == asio::error::operation_aborted && context_.is_stopping) return work_on_lines();
    if (is_malformed(error)) return break_off({Refusal::kBadRequest, "invalid HTTP: " + error.message()});
    return owner_.on_client_lost();
  }
  error_code ignored;
  const bool is_more_there = error == http::error::need_buffer || connection_.socket().available(ignored) > 0;
  if (!parser_.is_done() && is_more_there && body_.size() < kBatchBytes) return read_lines();
  work_on_lines();
}

// Batches count as requests in progress but are never refused for that: the client waits instead.
void BulkExchange::work_on_lines() {
  connection_.enter(SessionPhase::kWorking, 0);
  const bool is_end = parser_.is_done();
  context_.service.metrics().requests_at_once = ++context_.requests_at_once;
  asio::post(context_.workers, [this, is_end, session = owner_.keep_alive()]() mutable {
    Answer<std::string> answered = conversation_.answer_batch(body_.bytes(), is_end, context_.run);
    // The reference moves back: a session must be destroyed on the I/O thread, as its destructor updates the context.
    asio::post(context_.io, [this, is_end, session = std::move(session), answered = std::move(answered)]() mutable {
      context_.service.metrics().requests_at_once = --context_.requests_at_once;
      if (!connection_.is_closed()) on_answers(std::move(answered), is_end);
    });
  });
}

// If memory ran out after the first batch, the response ends without its last chunk, so that the client sees that
// answers are missing.
void BulkExchange::on_answers(Answer<std::string> answered, bool is_end) {
  body_.release();
  if (!answered) {
    return is_header_sent_ ? owner_.on_bulk_sent(asio::error::no_memory) : owner_.on_bulk_refused(answered.error());
  }
  body_.count(conversation_.held_bytes());  // of an incomplete line
  if (!is_end && context_.is_stopping) {
    connection_.make_last();
    *answered += conversation_.break_off({Refusal::kStopping, "the service is shutting down"});
    is_end = true;
  }
  send(std::move(*answered), is_end);
}

// The status is 200 from the first batch on; later errors can only be reported as a line.
void BulkExchange::send(std::string answers, bool is_end) {
  if (!parser_.is_done() && is_end) connection_.make_last();
  record_.status = 200;
  record_.sent_bytes += answers.size();
  sending_.clear();
  if (!is_header_sent_) {
    HttpResponse response;
    response.content_type = "application/x-ndjson";
    sending_ = response_header(response, std::nullopt, connection_.is_last(), context_.date);
  }
  is_header_sent_ = true;
  if (!answers.empty()) sending_ += chunk_of(answers);
  if (is_end) sending_ += chunk_of({});
  HttpConnection::Clock::duration pause{};
  // Each page is charged like a single request; a bulk request that exceeds the rate is delayed instead of refused.
  const auto lines = static_cast<double>(std::count(answers.begin(), answers.end(), '\n'));
  if (!is_end) pause = context_.limiter.charge(connection_.client(), lines, HttpConnection::Clock::now());
  connection_.enter(SessionPhase::kSending, context_.service.limits().write_timeout);
  asio::async_write(connection_.socket(), asio::buffer(sending_),
                    [this, is_end, pause, session = owner_.keep_alive()](error_code error, std::size_t) {
                      if (connection_.is_closed()) return;
                      if (error) return owner_.on_bulk_sent(error);
                      on_sent(is_end, pause);
                    });
}

// Ends the request early. The status can only say why as long as no part of the response was sent.
void BulkExchange::break_off(const Refused& refused) {
  if (!is_header_sent_) return owner_.on_bulk_refused(refused);
  send(conversation_.break_off(refused), true);
}

// While a bulk request pauses for its rate, it is in kBody without a deadline: the client is not the one who is late.
void BulkExchange::on_sent(bool is_end, HttpConnection::Clock::duration pause) {
  if (is_end) return owner_.on_bulk_sent({});
  if (context_.is_stopping) return work_on_lines();
  if (pause <= HttpConnection::Clock::duration::zero()) return read_lines();
  connection_.enter(SessionPhase::kBody, 0);
  pause_.expires_after(pause);
  pause_.async_wait([this, session = owner_.keep_alive()](error_code) {
    if (connection_.is_closed()) return;
    if (context_.is_stopping) return work_on_lines();
    read_lines();
  });
}

}  // namespace paraprint
