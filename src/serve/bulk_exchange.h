// Carries out a bulk request on its connection: reads a batch of lines, has them answered, sends the answers slice by
// slice, and begins again, until the last line. What the answers are is up to BulkConversation.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "serve/beast_request.h"
#include "serve/bulk_conversation.h"
#include "serve/http_connection.h"
#include "serve/http_message.h"
#include "serve/http_session.h"
#include "serve/service_log.h"

namespace paraprint::inline service {

// Used on the I/O thread; lines are answered on the worker threads. At most one operation is pending at a time.
class BulkExchange {
 public:
  // The session's state that the exchange works with; `parser` is past the header.
  struct ExchangeParts {
    PageService& service;
    ServerContext& context;
    HttpConnection& connection;
    RequestParser& parser;
    RequestBody& body;
    RequestRecord& record;
  };
  BulkExchange(ExchangeOwner& owner, ExchangeParts parts, Call call, AddOptions options)
      : owner_(owner),
        context_(parts.context),
        connection_(parts.connection),
        parser_(parts.parser),
        body_(parts.body),
        record_(parts.record),
        conversation_(parts.service, call, std::move(options)),
        pause_(context_.io),
        answers_share_(context_) {}

  // Waits first for what its client owes for earlier requests.
  void start();
  // Notices that the client has left during a pause for its rate. Called at every tick.
  void tick();
  // The server stops: wakes an exchange that waits for lines, or for its rate, to send the last line.
  void wake_to_stop();
  void cancel_pause() { pause_.cancel(); }
  std::uint64_t lines_answered() const { return conversation_.lines_answered(); }

 private:
  void read_lines();
  void on_lines(boost::system::error_code error);
  void begin_batch();
  void wait_for(HttpConnection::Clock::duration pause);
  void work_on_lines();
  void on_answers();
  void send(std::string answers, bool is_end);
  void break_off(const Refused& refused);
  void on_sent(bool is_end, HttpConnection::Clock::duration pause);
  void next_step();

  ExchangeOwner& owner_;
  ServerContext& context_;
  HttpConnection& connection_;
  RequestParser& parser_;
  RequestBody& body_;
  RequestRecord& record_;
  BulkConversation conversation_;
  boost::asio::steady_timer pause_;
  std::optional<std::string> answered_;  // from the worker thread; nothing if memory ran out there
  BufferShare answers_share_;
  std::string before_answers_;  // the response header with the first slice, and the beginning of the chunk
  std::string sending_;
  bool is_header_sent_ = false;
};

}  // namespace paraprint::inline service
