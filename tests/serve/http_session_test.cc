// What a connection does when its client is slow or leaves, at moments that sockets and threads alone seldom give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

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
    const std::string line = chunk("{}" + std::string(197, ' ') + "\n");
    std::string request =
        "POST /v1/bulk/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
        "Transfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < kLines; ++i) request += line;
    bulk.client.send(request + "0\r\n\r\n");
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

}  // namespace
}  // namespace paraprint
