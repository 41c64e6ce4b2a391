// What a connection does when its client is slow or leaves, at moments that sockets and threads alone seldom give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <thread>
#include <vector>

#include "serve/bulk_conversation.h"
#include "serve/session_fixture.h"

namespace paraprint {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Bytes that are there when a read begins complete it at once. Its handler then waits for its turn, and cancelling has
// no effect.
TEST_F(SessionTest, ALateHeaderIsRefusedAlthoughItsNextBytesAreRead) {
  open_sessions();
  Connection late(*this);
  late.client.send("GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nX: ");
  late.session->start();
  late.client.send("x");
  io_.poll_one();
  tick(*late.session, kAfterAllDeadlines);
  io_.poll();
  EXPECT_THAT(late.client.receive_arrived(), StartsWith("HTTP/1.1 408"));
  tick(*late.session, kAfterAllDeadlines);
  EXPECT_TRUE(late.session->is_closed());
}

TEST_F(SessionTest, ALateBodyIsRefusedAlthoughItsNextBytesAreRead) {
  open_sessions();
  Connection late(*this);
  late.client.send(
      "POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n" +
      chunk("x"));
  late.session->start();
  for (int step = 0; step < 10; ++step) {
    late.client.send(chunk("x"));
    io_.poll_one();
    if (context_->buffered_bytes > 0) tick(*late.session, kAfterAllDeadlines);
  }
  io_.poll();
  tick(*late.session, kAfterAllDeadlines);
  io_.poll();
  EXPECT_THAT(late.client.receive_arrived(), StartsWith("HTTP/1.1 408"));
  EXPECT_EQ(context_->buffered_bytes, 0U);
  tick(*late.session, kAfterAllDeadlines);
  EXPECT_TRUE(late.session->is_closed());
}

// Of 20,000 short lines, each in a chunk of its own, as a client sends them that writes line by line.
TEST_F(SessionTest, ABodyInSmallChunksCountsAsMuchAsItIs) {
  constexpr int kLines = 20'000;
  ServeOptions options;
  options.limits.max_body_bytes = std::uint64_t{1} << 20;
  options.limits.max_buffered_bytes = std::uint64_t{8} << 20;
  open_sessions(options);
  Connection bulk(*this);
  bulk.session->start();
  std::thread sending([&] {
    const std::string line = "{}" + std::string(197, ' ') + "\n";
    std::string request = bulk_begin(line);
    for (int i = 1; i < kLines; ++i) request += chunk(line);
    bulk.client.send(request.append(kLastChunk));
  });
  std::string answers;
  std::uint64_t most_bytes = 0;
  EXPECT_TRUE(run_until([&] {
    most_bytes = std::max(most_bytes, context_->buffered_bytes);
    answers += bulk.client.receive_arrived();
    return answers.ends_with("\r\n0\r\n\r\n");
  }));
  sending.join();
  EXPECT_THAT(answers, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answers, HasSubstr("{\"line\":20000,"));
  EXPECT_THAT(answers, Not(HasSubstr("\"busy\"")));
  EXPECT_LE(most_bytes, std::uint64_t{2} << 20);
  EXPECT_EQ(context_->buffered_bytes, 0U);
}

// The first slice of its answers takes more than its rate allows, so that it pauses before the second one.
class PausingBulkTest : public SessionTest {
 protected:
  void open_with_rate(double rate = 1) {
    ServeOptions options;
    options.limits.rate = rate;
    options.limits.burst = 1;
    open_sessions(options);
  }
  static void begin(Connection& bulk, std::string_view end_of_request) {
    std::string lines;
    for (int i = 0; i < 3000; ++i) lines += "{}\n";
    bulk.client.send(bulk_begin(lines).append(end_of_request));
    bulk.session->start();
  }
  void run_until_pause(Connection& bulk, std::string_view end_of_request) {
    begin(bulk, end_of_request);
    std::string answers;
    ASSERT_TRUE(run_until([&] {
      answers += bulk.client.receive_arrived();
      return answers.ends_with("}\n\r\n");  // the slice
    }));
    io_.poll();
    ASSERT_THAT(answers, Not(HasSubstr("{\"line\":3000,")));
    tick(*bulk.session, kAfterAllDeadlines);
    ASSERT_FALSE(bulk.session->is_closed());
  }
};

TEST_F(PausingBulkTest, EndsWhenItsClientLeaves) {
  open_with_rate();
  std::shared_ptr<HttpSession> session;
  {
    Connection bulk(*this);
    session = bulk.session;
    run_until_pause(bulk, "");
  }
  tick(*session);
  EXPECT_TRUE(session->is_closed());
}

// Bytes that are not read, because nothing is during the pause.
TEST_F(PausingBulkTest, EndsWhenItsClientLeavesAfterSendingMore) {
  open_with_rate();
  std::shared_ptr<HttpSession> session;
  {
    Connection bulk(*this);
    session = bulk.session;
    run_until_pause(bulk, "");
    bulk.client.send(chunk("{}\n"));
    tick(*session);
    ASSERT_FALSE(session->is_closed());
  }
  tick(*session);
  EXPECT_TRUE(session->is_closed());
}

TEST_F(PausingBulkTest, EndsWhenTheConnectionBreaks) {
  open_with_rate();
  std::shared_ptr<HttpSession> session;
  {
    Connection bulk(*this);
    session = bulk.session;
    run_until_pause(bulk, kLastChunk);
    bulk.client.reset_at_end();
  }
  tick(*session);
  EXPECT_TRUE(session->is_closed());
}

// The request to stop comes while the slice is still being sent, because the client does not read: there is no pause
// yet that it could wake.
TEST_F(PausingBulkTest, DoesNotBeginToPauseWhenTheServiceStops) {
  constexpr int kHeldBytes = 16 << 10;  // much less than a slice
  open_with_rate();
  acceptor_.set_option(boost::asio::socket_base::send_buffer_size(kHeldBytes));
  Connection bulk(*this);
  bulk.client.hold_little(kHeldBytes);
  begin(bulk, kLastChunk);
  ASSERT_TRUE(run_until([&] { return context_->buffered_bytes >= kAnswerSliceBytes; }));
  io_.poll();
  ASSERT_GE(context_->buffered_bytes, kAnswerSliceBytes);  // it is not sent
  context_->is_stopping = true;
  bulk.session->begin_stop();
  std::string answers;
  EXPECT_TRUE(run_until([&] {
    answers += bulk.client.receive_arrived();
    return answers.ends_with("\r\n0\r\n\r\n");
  }));
  EXPECT_THAT(answers, HasSubstr("\"stopping\""));
  EXPECT_THAT(answers, Not(HasSubstr("{\"line\":3000,")));
}

// Bulk requests of a client that owes for an earlier one.
class OwingBulkTest : public PausingBulkTest {
 protected:
  static constexpr std::string_view kClient = "127.0.0.1";

  // True if the next single request would be refused.
  bool is_owing() { return context_->limiter.charge(kClient, 0, HttpSession::Clock::now()).count() > 0; }
  std::string answers_to_a_short_request(Connection& bulk, std::string_view lines) {
    bulk.client.send(PlainHttpClient::request("POST", "/v1/bulk/lookup", "application/x-ndjson", lines));
    bulk.session->start();
    std::string answers;
    EXPECT_TRUE(run_until([&] {
      answers += bulk.client.receive_arrived();
      return answers.ends_with("\r\n0\r\n\r\n");
    }));
    return answers;
  }
  // Waits for hours, and nothing of its request is read.
  void begin_in_debt(Connection& bulk) {
    context_->limiter.charge(kClient, 100'000, HttpSession::Clock::now());
    begin(bulk, kLastChunk);
    for (int handlers = 0; handlers < 10; ++handlers) io_.run_one_for(std::chrono::milliseconds(1));
    ASSERT_EQ(bulk.client.receive_arrived(), "");
    ASSERT_EQ(context_->buffered_bytes, 0U);
    tick(*bulk.session, kAfterAllDeadlines);
    ASSERT_FALSE(bulk.session->is_closed());
  }
};

// Its answers are one slice, after which there is nothing to pause for.
TEST_F(OwingBulkTest, ShortRequestsAreCharged) {
  open_with_rate(0.01);
  Connection bulk(*this);
  EXPECT_THAT(answers_to_a_short_request(bulk, "{}\n{}\n{}\n"), HasSubstr("{\"line\":3,"));
  EXPECT_TRUE(is_owing());
}

TEST_F(OwingBulkTest, TheNextRequestWaits) {
  open_with_rate(50);
  context_->limiter.charge(kClient, 50, HttpSession::Clock::now());
  Connection bulk(*this);
  EXPECT_THAT(answers_to_a_short_request(bulk, "{}\n"), HasSubstr("{\"line\":1,"));
  context_->limiter.charge(kClient, -1, HttpSession::Clock::now());  // its own line
  EXPECT_FALSE(is_owing());
}

TEST_F(OwingBulkTest, AWaitingRequestEndsWhenItsClientLeaves) {
  open_with_rate();
  std::shared_ptr<HttpSession> session;
  {
    Connection bulk(*this);
    session = bulk.session;
    begin_in_debt(bulk);
  }
  tick(*session);
  EXPECT_TRUE(session->is_closed());
}

TEST_F(OwingBulkTest, AWaitingRequestIsRefusedWhenTheServiceStops) {
  open_with_rate();
  Connection bulk(*this);
  begin_in_debt(bulk);
  context_->is_stopping = true;
  bulk.session->begin_stop();
  std::string answer;
  EXPECT_TRUE(run_until([&] {
    answer += bulk.client.receive_arrived();
    return answer.ends_with("}\n");
  }));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(answer, HasSubstr("\"stopping\""));
}

// With a rate, a client may have to wait for hours with what it sent. Without one, nobody does.
TEST_F(SessionTest, WithARateTheBodiesOfOneClientLeaveRoomForOthers) {
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
  constexpr std::uint32_t kOtherAddress = INADDR_LOOPBACK + 1;
  for (const double rate : {0.0, 1000.0}) {
    SCOPED_TRACE(rate);
    ServeOptions options;
    options.data = folder_ / std::to_string(rate);
    options.limits.max_body_bytes = kMegabyte;
    options.limits.max_buffered_bytes = 16 * kMegabyte;
    options.limits.rate = rate;
    open_sessions(options);
    std::list<Connection> connections;
    // Returns whether there was room for half a line.
    const auto sends_half_a_line = [&](std::uint32_t own_address) {
      Connection& bulk = connections.emplace_back(*this, own_address);
      bulk.session->start();
      std::atomic<bool> is_sent{false};
      std::thread sending([&] { is_sent = bulk.client.send(bulk_begin(std::string(kMegabyte / 2, 'x'))); });
      EXPECT_TRUE(run_until([&] { return is_sent.load(); }));
      sending.join();
      EXPECT_TRUE(run_until([&] { return io_.poll() == 0 && context_->requests_at_once == 0; }));
      return bulk.client.receive_arrived().find("\"busy\"") == std::string::npos;
    };
    std::uint64_t held = 0;
    while (held < 100 && sends_half_a_line(INADDR_ANY)) ++held;
    EXPECT_GT(held, rate > 0 ? 4U : 20U);
    EXPECT_LE(context_->buffered_bytes, (rate > 0 ? 4 : 16) * kMegabyte);
    EXPECT_EQ(sends_half_a_line(kOtherAddress), rate > 0);
    for (Connection& connection : connections) connection.session->close();
    io_.poll();
    connections.clear();
    EXPECT_EQ(context_->buffered_bytes, 0U);
    EXPECT_TRUE(context_->body_bytes_of.empty());
  }
}

// Clients whose filter wants nothing of a long feed. One of them at a time has its turn.
class FeedSearchTest : public SessionTest {
 protected:
  static constexpr std::uint64_t kPieces = 6;  // in which the feed is searched
  static constexpr std::string_view kFilter = "/v1/events?after=0&verdict=deleted";

  void open_with_long_feed() {
    ServeOptions options;
    options.feed.feed = FeedScope::kAdds;
    open_sessions(options);
    const std::string members = R"("event":"added","id":")" + std::string(20'000, 'x') + "\"";
    for (std::size_t bytes = 0; bytes < kPieces * EventReader::kScannedBytes; bytes += members.size()) {
      ASSERT_TRUE(service_->feed()->append(members, false));
    }
  }
  void ask(Connection& connection, std::string_view parameters) {
    connection.client.send(PlainHttpClient::request("GET", std::string(kFilter).append(parameters), "", ""));
    connection.session->start();
  }
};

TEST_F(FeedSearchTest, EndsWhenItsClientLeaves) {
  constexpr std::size_t kClients = 10;
  open_with_long_feed();
  std::vector<std::shared_ptr<HttpSession>> sessions;
  {
    std::list<Connection> connections;
    for (std::size_t client = 0; client < kClients; ++client) {
      Connection& connection = connections.emplace_back(*this);
      ask(connection, client % 2 == 0 ? "" : "&wait=60");
      sessions.push_back(connection.session);
    }
    ASSERT_TRUE(run_until([&] { return context_->streams == kClients; }));
  }
  for (std::size_t handlers = 0; handlers < kPieces / 2 * kClients && context_->streams > 0; ++handlers) {
    for (const auto& session : sessions) tick(*session);
    io_.run_one_for(std::chrono::seconds(1));
  }
  EXPECT_EQ(context_->streams, 0U);
}

TEST_F(FeedSearchTest, EndsWithTheWaitOfItsClient) {
  open_with_long_feed();
  Connection endless(*this);
  ask(endless, "");
  Connection waiting(*this);
  ask(waiting, "&wait=1");
  ASSERT_TRUE(run_until([&] { return context_->streams == 2; }));
  std::string answer;
  EXPECT_TRUE(run_until([&] {
    tick(*waiting.session, kAfterAllDeadlines);
    answer += waiting.client.receive_arrived();
    return answer.ends_with("}\n");
  }));
  const std::string last = std::to_string(service_->feed()->log().published());
  EXPECT_THAT(answer, HasSubstr(",\"last\":" + last + "}"));
  EXPECT_THAT(answer, Not(HasSubstr("{\"after\":" + last)));
}

}  // namespace
}  // namespace paraprint
