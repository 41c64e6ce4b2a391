// Every handler keeps the session alive and first checks whether the connection was closed meanwhile.
#include "serve/feed_exchange.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <utility>

#include "memory/release_memory.h"
#include "serve/worker_task.h"

namespace paraprint::inline service {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = HttpSession::Clock;

namespace {

// Proxies and clients close connections on which nothing happens, commonly after a minute.
constexpr std::chrono::seconds kHeartbeatPause{15};
// For the slice at hand when the service stops.
constexpr std::uint32_t kLastSliceSeconds = 1;
// A client that has lost its connection waits this long.
constexpr std::string_view kStreamBegin = "retry: 2000\n";
constexpr std::string_view kStreamEnd = ": the service is shutting down\n\n";

}  // namespace

FeedExchange::FeedExchange(ExchangeOwner& owner, ServerContext& context, HttpConnection& connection,
                           RequestRecord& record, EventSubscription subscription)
    : owner_(owner),
      context_(context),
      connection_(connection),
      record_(record),
      subscription_(std::move(subscription)),
      text_share_(context) {}

// The client learns its position at once, so that it can resume before the first event.
void FeedExchange::start() {
  is_counted_ = true;
  ++context_.streams;
  context_.service.gauges().streams = context_.streams;
  if (!is_stream()) {
    wake_at_ = Clock::now() + std::chrono::seconds(subscription_.request.wait_seconds);
    return step();
  }
  connection_.make_last();
  told_after_ = subscription_.reader.after();
  send(std::string(kStreamBegin) + heartbeat_text(subscription_.reader, true), false);
}

void FeedExchange::leave() {
  if (!std::exchange(is_counted_, false)) return;
  stop_asking();
  --context_.streams;
  context_.service.gauges().streams = context_.streams;
}

void FeedExchange::stop_asking() {
  if (std::exchange(is_asking_, false)) context_.feed_turns.withdraw(*this);
}

void FeedExchange::tick(Clock::time_point now) {
  if (!is_counted_ || connection_.phase() != SessionPhase::kWaiting) return;
  connection_.proceed([&] { is_asking_ ? static_cast<void>(end_unless_wanted(now)) : go_on(now); });
}

// Between two looks at the log, of which the last one has found nothing.
void FeedExchange::go_on(Clock::time_point now) {
  if (end_unless_wanted(now)) return;
  if (!is_stream() || now < wake_at_) return step();
  const std::uint64_t after = subscription_.reader.after();
  const bool has_moved = std::exchange(told_after_, after) != after;
  send(heartbeat_text(subscription_.reader, has_moved), false);
}

// Ends a stream whose client has left, and a page at the end of its wait. A client that only sends nothing more gets
// its page, but does not wait for it: one that is gone looks the same.
bool FeedExchange::end_unless_wanted(Clock::time_point now) {
  const bool has_left = connection_.has_client_left();
  const bool is_over = has_left || (!is_stream() && now >= wake_at_);
  if (!is_over) return false;
  if (!is_stream()) {
    answer_page();
    return true;
  }
  leave();
  owner_.on_client_lost();
  return true;
}

void FeedExchange::begin_stop() {
  if (!is_counted_) return;
  if (connection_.phase() == SessionPhase::kSending) connection_.enter(SessionPhase::kSending, kLastSliceSeconds);
  if (connection_.phase() != SessionPhase::kWaiting) return;
  stop_asking();
  connection_.proceed([this] { step(); });
}

// Waits for events, or for its turn to look at them.
void FeedExchange::step() {
  if (context_.is_stopping) return is_stream() ? send(std::string(kStreamEnd), true) : answer_page();
  connection_.enter(SessionPhase::kWaiting, 0);
  if (!subscription_.reader.has_more()) return;
  is_asking_ = true;
  context_.feed_turns.ask(*this);
}

bool FeedExchange::begin_turn() noexcept {
  is_asking_ = false;
  bool has_begun = false;
  connection_.proceed([&] {
    connection_.enter(SessionPhase::kWorking, 0);
    run_on_worker(
        context_, connection_.completion_memory(), [this]() noexcept { read(); },
        [this, session = owner_.keep_alive()] {
          context_.feed_turns.end();
          connection_.proceed([this] { on_read(); });
        },
        WorkKind::kUncounted);
    has_begun = true;
  });
  return has_begun;
}

// On a worker thread.
void FeedExchange::read() noexcept {
  try {
    page_ =
        is_stream() ? read_stream(subscription_.reader) : read_page(subscription_.reader, subscription_.request.limit);
  } catch (const std::exception&) {
    page_.reset();
  }
}

// A stream that cannot be continued ends, and its client comes back with its last number. The log has the reason.
void FeedExchange::on_read() {
  if (!page_ || !*page_) {
    const Refused refused =
        page_ ? refused_by_index(page_->error()) : Refused{Refusal::kBusy, "out of memory; try again later"};
    leave();
    if (!is_header_sent_) return owner_.on_exchange_refused(refused);
    record_.reason = refusal_name(refused.refusal);
    return owner_.on_exchange_sent(asio::error::no_memory);
  }
  EventPage page = std::move(**page_);
  page_.reset();
  if (page.text.empty()) return go_on(Clock::now());
  events_sent_ += page.events;
  if (is_stream()) {
    told_after_ = subscription_.reader.after();
    return send(std::move(page.text), false);
  }
  HttpResponse response;
  response.content_type = kJsonLinesType;
  response.body = std::move(page.text);
  response.body += position_line(subscription_.reader);
  leave();
  owner_.on_exchange_answered(std::move(response));
}

// The end of a wait without events.
void FeedExchange::answer_page() {
  HttpResponse response;
  response.content_type = kJsonLinesType;
  response.body = position_line(subscription_.reader);
  leave();
  owner_.on_exchange_answered(std::move(response));
}

void FeedExchange::send(std::string text, bool is_end) {
  if (!text_share_.count(text.size())) {  // the client comes back when others have read
    leave();
    return is_header_sent_ ? owner_.on_exchange_sent(asio::error::no_memory)
                           : owner_.on_exchange_refused(kNoRoomForAnswers);
  }
  record_.status = 200;
  record_.sent_bytes += text.size();
  before_text_.clear();
  if (!is_header_sent_) {
    HttpResponse response;
    response.content_type = "text/event-stream";
    before_text_ = response_header(response, std::nullopt, connection_.is_last(), context_.date);
  }
  is_header_sent_ = true;
  before_text_ += chunk_begin(text.size());
  sending_ = std::move(text);
  const auto bytes = [](std::string_view part) { return asio::buffer(part.data(), part.size()); };
  const std::array<asio::const_buffer, 4> buffers = {asio::buffer(before_text_), asio::buffer(sending_),
                                                     bytes(kChunkEnd), bytes(is_end ? kLastChunk : std::string_view())};
  connection_.enter(SessionPhase::kSending,
                    context_.is_stopping ? kLastSliceSeconds : context_.service.limits().write_timeout);
  asio::async_write(connection_.socket(), buffers,
                    [this, is_end, session = owner_.keep_alive()](error_code error, std::size_t) {
                      connection_.proceed([&] {
                        if (!error) return on_sent(is_end);
                        leave();
                        owner_.on_exchange_sent(error);
                      });
                    });
}

void FeedExchange::on_sent(bool is_end) {
  release_memory(sending_);
  text_share_.release();
  if (is_end) {
    leave();
    return owner_.on_exchange_sent({});
  }
  wake_at_ = Clock::now() + kHeartbeatPause;
  step();
}

}  // namespace paraprint::inline service
