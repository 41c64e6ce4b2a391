// Carries out GET /v1/events on its connection: sends events as they come, until the client leaves or the service stops
// (a stream), or waits for the first ones and answers with them (a page).
//
// Events are read from the log at the pace of the client: nothing is queued for it, and nothing more is read before the
// last slice is sent. While there are none it costs a look per tick of the server, and neither a thread nor a timer. A
// search for the few events that a filter wants goes on piece by piece, as long as the client is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "feed/event_reader.h"
#include "feed/event_request.h"
#include "feed/read_turns.h"
#include "serve/http_connection.h"
#include "serve/http_message.h"
#include "serve/http_session.h"
#include "serve/page_service.h"

namespace paraprint::inline service {

// Used on the I/O thread; the log is read on the worker threads. At most one operation is pending at a time.
class FeedExchange final : private TurnTaker {
 public:
  FeedExchange(ExchangeOwner& owner, ServerContext& context, HttpConnection& connection, RequestRecord& record,
               EventSubscription subscription);
  ~FeedExchange() { leave(); }
  FeedExchange(const FeedExchange&) = delete;
  FeedExchange& operator=(const FeedExchange&) = delete;

  void start();
  // Looks for new events, and whether they are still waited for. Called at every tick; does nothing once the exchange
  // is over.
  void tick(HttpSession::Clock::time_point now);
  // The server stops: ends what waits at once, and what sends after the slice at hand, which gets little time.
  void begin_stop();
  // The exchange is over, and counts no longer.
  void leave();
  std::uint64_t events_sent() const { return events_sent_; }

 private:
  void step();
  bool begin_turn() noexcept override;
  void read() noexcept;
  void on_read();
  void go_on(HttpSession::Clock::time_point now);
  bool end_unless_wanted(HttpSession::Clock::time_point now);
  void answer_page();
  void stop_asking();
  void send(std::string text, bool is_end);
  void on_sent(bool is_end);
  bool is_stream() const { return subscription_.request.form == EventForm::kStream; }

  ExchangeOwner& owner_;
  ServerContext& context_;
  HttpConnection& connection_;
  RequestRecord& record_;
  EventSubscription subscription_;
  HttpSession::Clock::time_point wake_at_;  // the next heartbeat of a stream; the end of the wait of a page
  std::optional<Result<EventPage>> page_;   // from the worker thread; nothing if memory ran out there
  std::uint64_t told_after_ = 0;            // the position that the client knows
  std::uint64_t events_sent_ = 0;
  BufferShare text_share_;
  std::string before_text_;  // the response header with the first slice, and the beginning of the chunk
  std::string sending_;
  bool is_header_sent_ = false;
  bool is_counted_ = false;
  bool is_asking_ = false;  // for a turn to read
};

}  // namespace paraprint::inline service
