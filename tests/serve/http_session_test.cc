// What a connection does when its client is slow or leaves, at moments that sockets and threads alone seldom give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/session_fixture.h"

namespace paraprint {
namespace {

using testing::HasSubstr;
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

}  // namespace
}  // namespace paraprint
