// Nothing more is answered before the previous slice of answers is sent, and nothing more is read before a batch is
// answered, so a client that does not read its answers is slowed down by TCP and costs one batch and one slice. Every
// handler keeps the session alive and first checks whether the connection was closed meanwhile.
#include "serve/bulk_exchange.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <optional>
#include <utility>

#include "memory/release_memory.h"

namespace paraprint::inline service {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

// A bulk request is read in batches of about this size, or of what has arrived: waiting would delay answers.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
// Room for a read: it grows with what arrives, so that clients which send little cost little.
constexpr std::size_t kFirstPieceBytes = std::size_t{16} << 10;
constexpr std::size_t kPieceBytesMaximum = std::size_t{256} << 10;

const Refused kStoppingService = {Refusal::kStopping, "the service is shutting down"};

}  // namespace

// Without this wait, a client could send everything in requests so short that each is over before it has to pause.
void BulkExchange::start() {
  const auto debt = context_.limiter.charge(connection_.client(), 0, HttpConnection::Clock::now());
  if (debt > HttpConnection::Clock::duration::zero() && !context_.is_stopping) return wait_for(debt);
  parser_.is_done() ? begin_batch() : read_lines();
}

// A wait for the rate has no deadline: the client is not the one who is late.
void BulkExchange::wait_for(HttpConnection::Clock::duration pause) {
  connection_.enter(SessionPhase::kWaiting, 0);
  pause_.expires_after(pause);
  pause_.async_wait(
      [this, session = owner_.keep_alive()](error_code) { connection_.proceed([this] { next_step(); }); });
}

// Nothing is read during a pause, which can take hours. A client that has closed its side may wait for its answers, but
// one that is gone looks the same.
void BulkExchange::tick() {
  if (connection_.phase() != SessionPhase::kWaiting || !connection_.has_client_left()) return;
  connection_.proceed([this] { owner_.on_client_lost(); });
}

void BulkExchange::wake_to_stop() {
  if (connection_.phase() == SessionPhase::kBody) connection_.cancel_read();
  if (connection_.phase() == SessionPhase::kWaiting) pause_.cancel();
}

// If memory runs out, the answers sent so far remain valid and the last line says why the rest is missing.
void BulkExchange::read_lines() {
  const std::size_t room_bytes = std::clamp(body_.size(), kFirstPieceBytes, kPieceBytesMaximum);
  if (!body_.offer_room(parser_, room_bytes)) return send(conversation_.break_off(kNoRoomForBodies), true);
  connection_.enter(SessionPhase::kBody, context_.service.limits().body_timeout);
  http::async_read_some(connection_.socket(), connection_.buffer(), parser_,
                        [this, session = owner_.keep_alive()](error_code error, std::size_t) {
                          connection_.proceed([&] { on_lines(error); });
                        });
}

void BulkExchange::on_lines(error_code error) {
  record_.received_bytes += body_.keep_filled(parser_);
  if (error && error != http::error::need_buffer) {
    connection_.make_last();
    if (connection_.is_timed_out()) {
      return send(conversation_.break_off({Refusal::kTimeout, "timed out while waiting for more lines"}), true);
    }
    if (error == asio::error::operation_aborted && context_.is_stopping) return begin_batch();
    if (is_malformed(error)) return break_off({Refusal::kBadRequest, "invalid HTTP: " + error.message()});
    return owner_.on_client_lost();
  }
  error_code ignored;
  const bool is_more_there = error == http::error::need_buffer || connection_.socket().available(ignored) > 0;
  // The request to stop does not reach a read that is complete.
  const bool is_more_wanted = body_.size() < kBatchBytes && !context_.is_stopping;
  if (!parser_.is_done() && is_more_there && is_more_wanted) return read_lines();
  begin_batch();
}

void BulkExchange::begin_batch() {
  conversation_.give(body_.bytes(), parser_.is_done());
  work_on_lines();
}

// Slices count as requests in progress but are never refused for that: the client waits instead.
void BulkExchange::work_on_lines() {
  connection_.enter(SessionPhase::kWorking, 0);
  run_on_worker(
      context_, connection_.completion_memory(),
      [this]() noexcept { answered_ = conversation_.answer_slice(context_.run); },
      [this, session = owner_.keep_alive()] { connection_.proceed([this] { on_answers(); }); });
}

// If memory ran out after the first slice, the response ends without its last chunk, so that the client sees that
// answers are missing.
void BulkExchange::on_answers() {
  if (!answered_) {
    return is_header_sent_
               ? owner_.on_exchange_sent(asio::error::no_memory)
               : owner_.on_exchange_refused({Refusal::kBusy, "out of memory; try again later, with shorter lines"});
  }
  std::string answers = std::move(*answered_);
  answered_.reset();
  if (!answers_share_.count(answers.size())) {
    conversation_.lose_slice();
    return send(conversation_.break_off(kNoRoomForAnswers), true);
  }
  const bool is_end = parser_.is_done() && !conversation_.has_lines();
  if (!is_end && context_.is_stopping) {
    answers += conversation_.break_off(kStoppingService);
    return send(std::move(answers), true);
  }
  if (!conversation_.has_lines()) {
    body_.release();
    // Of an incomplete line; it was counted as part of the body until now.
    if (!body_.count(conversation_.held_bytes())) {
      answers += conversation_.break_off(kNoRoomForBodies);
      return send(std::move(answers), true);
    }
  }
  send(std::move(answers), is_end);
}

// The status is 200 from the first slice on; later errors can only be reported as a line.
void BulkExchange::send(std::string answers, bool is_end) {
  if (is_end) body_.release();  // lines without an answer are not answered any more
  if (is_end && !parser_.is_done()) connection_.make_last();
  record_.status = 200;
  record_.sent_bytes += answers.size();
  // Each page is charged like a single request; a bulk request that exceeds the rate is delayed instead of refused. The
  // debt that the last slice leaves delays the next request.
  const auto lines = static_cast<double>(std::count(answers.begin(), answers.end(), '\n'));
  const auto pause = context_.limiter.charge(connection_.client(), lines, HttpConnection::Clock::now());
  before_answers_.clear();
  if (!is_header_sent_) {
    HttpResponse response;
    response.content_type = kJsonLinesType;
    before_answers_ = response_header(response, std::nullopt, connection_.is_last(), context_.date);
  }
  is_header_sent_ = true;
  if (!answers.empty()) before_answers_ += chunk_begin(answers.size());
  sending_ = std::move(answers);
  const auto text = [](std::string_view bytes) { return asio::buffer(bytes.data(), bytes.size()); };
  const std::array<asio::const_buffer, 4> buffers = {asio::buffer(before_answers_), asio::buffer(sending_),
                                                     text(sending_.empty() ? std::string_view() : kChunkEnd),
                                                     text(is_end ? kLastChunk : std::string_view())};
  connection_.enter(SessionPhase::kSending, context_.service.limits().write_timeout);
  asio::async_write(connection_.socket(), buffers,
                    [this, is_end, pause, session = owner_.keep_alive()](error_code error, std::size_t) {
                      connection_.proceed([&] { error ? owner_.on_exchange_sent(error) : on_sent(is_end, pause); });
                    });
}

// Ends the request early. The status can only say why as long as no part of the response was sent.
void BulkExchange::break_off(const Refused& refused) {
  if (!is_header_sent_) return owner_.on_exchange_refused(refused);
  send(conversation_.break_off(refused), true);
}

// The request to stop wakes only pauses that have begun, and may have come while the slice was being sent.
void BulkExchange::on_sent(bool is_end, HttpConnection::Clock::duration pause) {
  release_memory(sending_);
  answers_share_.release();
  if (is_end) return owner_.on_exchange_sent({});
  if (pause <= HttpConnection::Clock::duration::zero() || context_.is_stopping) return next_step();
  wait_for(pause);
}

void BulkExchange::next_step() {
  if (context_.is_stopping) return break_off(kStoppingService);
  if (conversation_.has_lines()) return work_on_lines();
  parser_.is_done() ? begin_batch() : read_lines();
}

}  // namespace paraprint::inline service
