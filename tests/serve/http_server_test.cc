// The service over sockets: concurrent clients, and everything that the transport decides on its own.
// tests/cli/serve_test.py tests the calls one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <future>
#include <list>
#include <thread>
#include <vector>

#include "paraprint/client.h"
#include "serve/plain_http_client.h"
#include "serve/running_service.h"
#include "serve/service_fixture.h"

namespace paraprint {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class HttpServerTest : public testing::Test {
 protected:
  ServeOptions options() const {
    ServeOptions options;
    options.data = folder_ / "known";
    options.port = 0;
    options.threads = 4;
    options.index.sync = SyncMode::kNone;
    return options;
  }
  TemporaryFolder folder_;
};

TEST_F(HttpServerTest, ExactlyOneOfEqualConcurrentPagesIsNew) {
  constexpr std::uint64_t kRounds = 20;
  for (const int clients : {2, 4, 16}) {
    SCOPED_TRACE(clients);
    ServeOptions with_threads = options();
    with_threads.data = folder_ / std::to_string(clients);
    with_threads.threads = static_cast<unsigned>(clients);
    RunningService service(with_threads);
    std::vector<std::atomic<int>> news(kRounds);
    std::barrier together(clients);
    std::vector<std::thread> threads;
    for (int c = 0; c < clients; ++c) {
      threads.emplace_back([&, c] {
        PlainHttpClient client(service.port());
        for (std::uint64_t round = 0; round < kRounds; ++round) {
          const std::string target = "/v1/pages?id=" + std::to_string(round) + "-" + std::to_string(c);
          const std::string page = PlainHttpClient::request("POST", target, "text/plain", made_up_text(round, 2));
          together.arrive_and_wait();
          const auto answer = client.exchange(page);
          EXPECT_EQ(answer.status, 200);
          if (member_of(answer.body, "verdict") == "new") ++news[round];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& count : news) EXPECT_EQ(count, 1);
    EXPECT_TRUE(service.stop());
  }
}

// All calls at once, from clients that connect and disconnect: nothing is lost, and the counts agree in the end.
TEST_F(HttpServerTest, MixedLoadLosesNothing) {
  RunningService service(options());
  constexpr std::uint64_t kClients = 6;
  constexpr std::uint64_t kRounds = 25;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (std::uint64_t c = 0; c < kClients; ++c) {
    threads.emplace_back([&, c] {
      const std::string name = std::to_string(c);
      for (std::uint64_t round = 0; round < kRounds; ++round) {
        PlainHttpClient client(service.port());
        const std::uint64_t seed = c * 1000 + round;
        const std::string html = html_page(made_up_text(seed, 3));
        const std::string id = name + "-" + std::to_string(round);
        const auto expect = [&](const PlainHttpClient::Response& answer, int status) {
          if (answer.status != status) ++failures;
        };
        expect(client.exchange(PlainHttpClient::request("POST", "/v1/pages?id=" + id, "text/html", html)), 200);
        expect(client.exchange(PlainHttpClient::request("POST", "/v1/lookup", "text/html", html)), 200);
        expect(client.exchange(PlainHttpClient::request("GET", "/v1/pages/" + id, "", "")), 200);
        expect(client.exchange(PlainHttpClient::request("GET", "/v1/clusters/" + id, "", "")), 200);
        expect(client.exchange(PlainHttpClient::request("GET", "/metrics", "", "")), 200);
        expect(client.exchange(PlainHttpClient::request("GET", "/v1/stats", "", "")), 200);
        if (round % 2 == 1) expect(client.exchange(PlainHttpClient::request("DELETE", "/v1/pages/" + id, "", "")), 200);
        if (round % 5 == 0) client.send("POST /v1/pages?id=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n");
        std::string lines;
        for (int i = 0; i < 4; ++i)
          lines += json_page("bulk", made_up_text(seed + static_cast<std::uint64_t>(i), 2)) + "\n";
        PlainHttpClient bulk(service.port());
        bulk.send(
            "POST /v1/bulk/lookup HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            "Content-Type: application/x-ndjson\r\nContent-Length: " +
            std::to_string(lines.size()) + "\r\n\r\n" + lines);
        const std::string answers = bulk.receive_all();
        if (answers.find("\"line\":4") == std::string::npos || !answers.ends_with("\r\n0\r\n\r\n")) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  PlainHttpClient client(service.port());
  const auto answer = client.exchange(PlainHttpClient::request("GET", "/v1/stats", "", ""));
  EXPECT_EQ(member_of(answer.body, "pages"), std::to_string(kClients * (kRounds / 2 + 1)));
  EXPECT_TRUE(service.stop());
  EXPECT_THAT(service.log(), HasSubstr("\"event\":\"stopped\""));
}

TEST_F(HttpServerTest, PipelinedRequestsAreAnsweredInOrder) {
  RunningService service(options());
  PlainHttpClient client(service.port());
  const std::string add = PlainHttpClient::request("POST", "/v1/pages?id=a", "text/plain", made_up_text(1));
  client.send(add + add + "GET /v1/pages/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string answers = client.receive_all();
  const std::size_t first = answers.find("\"change\":\"new\"");
  const std::size_t second = answers.find("\"change\":\"unchanged\"");
  const std::size_t third = answers.find("\"first_seen\"");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos);
}

// A response to HEAD must not have a body, whatever its Content-Length says: clients would take the body for the next
// response.
TEST_F(HttpServerTest, HeadResponseHasNoBody) {
  RunningService service(options());
  PlainHttpClient client(service.port());
  client.send(
      "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /v1/lookup HTTP/1.1\r\nHost: localhost\r\n\r\n"
      "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string answers = client.receive_all();
  EXPECT_THAT(answers, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answers, HasSubstr("Content-Length: 19\r\n\r\nHTTP/1.1 405"));
  EXPECT_THAT(answers, HasSubstr("\r\n\r\nHTTP/1.1 200"));
  EXPECT_THAT(answers, testing::Not(HasSubstr("alive")));
  EXPECT_THAT(answers, testing::Not(HasSubstr("method-not-allowed")));
  EXPECT_THAT(answers, testing::EndsWith("{\"status\":\"ready\"}\n"));
}

TEST_F(HttpServerTest, InvalidHttpIsRefusedAndTheServiceContinues) {
  ServeOptions limited = options();
  limited.limits.max_body_bytes = 1000;
  limited.limits.max_header_bytes = 1000;
  RunningService service(limited);
  const std::string post = "POST /v1/pages?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";
  const std::pair<std::string, std::string> cases[] = {
      {"GET\r\n\r\n", "HTTP/1.1 400"},
      {"\x16\x03\x01\x02\r\n\r\n", "HTTP/1.1 400"},
      {"GET /healthz HTTP/9.9\r\n\r\n", "HTTP/1.1 400"},
      {"GET /healthz HTTP/1.1\r\nHost localhost\r\n\r\n", "HTTP/1.1 400"},
      {"GET /healthz HTTP/1.1\r\nX: " + std::string(2000, 'x') + "\r\n\r\n", "HTTP/1.1 431"},
      {"GET /" + std::string(2000, 'x') + " HTTP/1.1\r\n\r\n", "HTTP/1.1 431"},
      {post + "Content-Length: -1\r\n\r\n", "HTTP/1.1 400"},
      {post + "Content-Length: 2000\r\n\r\n", "HTTP/1.1 413"},
      {post + "Transfer-Encoding: chunked\r\n\r\n7d0\r\n" + std::string(2000, 'x') + "\r\n0\r\n\r\n", "HTTP/1.1 413"},
      {post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 400"},
      {post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", "HTTP/1.1 400"},
      {"POST /v1/bulk/pages HTTP/1.0\r\nContent-Type: application/x-ndjson\r\nContent-Length: 2\r\n\r\n{}",
       "HTTP/1.1 400"},
  };
  for (const auto& [bytes, expected] : cases) {
    PlainHttpClient client(service.port());
    client.send(bytes);
    const std::string answer = client.receive_all();
    EXPECT_THAT(answer, StartsWith(expected)) << bytes.substr(0, 200);
    EXPECT_THAT(answer, HasSubstr("\"reason\":")) << bytes.substr(0, 200);
    EXPECT_THAT(answer, HasSubstr("Connection: close")) << bytes.substr(0, 200);
  }
  PlainHttpClient client(service.port());
  EXPECT_EQ(client.exchange(PlainHttpClient::request("GET", "/healthz", "", "")).status, 200);
  EXPECT_EQ(client.exchange(PlainHttpClient::request("GET", "/nothing", "", "")).status, 404);
  EXPECT_EQ(client.exchange(PlainHttpClient::request("GET", "/healthz", "", "")).status, 200);
}

TEST_F(HttpServerTest, ConnectionsBeyondTheLimitAreRefused) {
  ServeOptions limited = options();
  limited.limits.max_connections = 2;
  RunningService service(limited);
  PlainHttpClient first(service.port());
  PlainHttpClient second(service.port());
  EXPECT_EQ(first.exchange(PlainHttpClient::request("GET", "/healthz", "", "")).status, 200);
  EXPECT_EQ(second.exchange(PlainHttpClient::request("GET", "/healthz", "", "")).status, 200);
  PlainHttpClient third(service.port());
  const auto refused = third.receive();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(member_of(refused.body, "error.reason"), "busy");
}

TEST_F(HttpServerTest, SendsContinueBeforeALargeBody) {
  RunningService service(options());
  PlainHttpClient client(service.port());
  const std::string text = made_up_text(1);
  client.send(
      "POST /v1/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\n"
      "Content-Length: " +
      std::to_string(text.size()) + "\r\n\r\n");
  EXPECT_EQ(client.receive().status, 100);
  EXPECT_EQ(client.exchange(text).status, 200);
}

// Something that cannot be interrupted, here the writer of the log, takes longer than the stop timeout.
TEST_F(HttpServerTest, StoppingIsBoundedWhateverIsInProgress) {
  ServeOptions bounded = options();
  bounded.limits.stop_timeout = 0;
  std::promise<void> abandoned;
  std::shared_future<void> is_abandoned = abandoned.get_future().share();
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  RunControl control;
  control.stop = &stop;
  ServeEvents events;
  events.ready = [&](std::uint16_t) { stop = true; };
  events.abandon = [&] {
    if (++calls == 1) abandoned.set_value();
  };
  events.log = [&](std::string_view line) {
    if (line.find("\"stopping\"") == std::string_view::npos) return;
    EXPECT_EQ(is_abandoned.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  };
  EXPECT_TRUE(serve(bounded, control, events));
  EXPECT_EQ(calls, 1);
  // A service that stops in time is not abandoned.
  stop = false;
  events.log = nullptr;
  EXPECT_TRUE(serve(bounded, control, events));
  EXPECT_EQ(calls, 1);
}

// Clients that send short lines, whose answers are a hundred times as long, and read nothing.
TEST_F(HttpServerTest, AnswersThatNobodyReadsAreBounded) {
  ServeOptions limited = options();
  limited.limits.max_body_bytes = 256 << 10;
  limited.limits.max_buffered_bytes = std::uint64_t{2} << 20;
  RunningService service(limited);
  const std::string text = made_up_text(1, 5);
  const auto post = [](std::string_view target, const std::string& lines) {
    return PlainHttpClient::request("POST", target, "application/x-ndjson", lines);
  };
  std::string pages;
  for (int page = 0; page < 100; ++page) {
    const std::string number = std::to_string(page);
    pages += json_page(std::string(1000, 'x') + number, text + "Number " + number + ".") + "\n";
  }
  PlainHttpClient adding(service.port());
  adding.send(post("/v1/bulk/pages", pages));
  adding.finish_sending();
  adding.receive_all();
  std::string lines;
  for (int line = 0; line < 100; ++line) {
    lines += json_page("", text).insert(1, R"("matches":1000,"all":true,)") + "\n";
  }
  std::list<PlainHttpClient> clients;
  for (int client = 0; client < 12; ++client) {
    clients.emplace_back(service.port());
    clients.back().send(post("/v1/bulk/lookup", lines));
  }
  // Until the answers fill most of the room, or the last of these connections has timed out; then a while longer, in
  // which they must not exceed it.
  const std::uint64_t limit = limited.limits.max_buffered_bytes;
  std::uint64_t most = 0;
  std::uint64_t connections = 2;
  for (int further = 50; connections > 1 && further > 0; further -= most > limit / 2 ? 1 : 0) {
    PlainHttpClient asking(service.port());
    const auto metrics = asking.exchange(PlainHttpClient::request("GET", "/metrics", "", ""));
    const auto value = [&](const std::string& name) {
      const std::size_t at = metrics.body.find("\nparaprint_" + name + " ");
      return std::strtoull(metrics.body.data() + at + name.size() + 12, nullptr, 10);
    };
    ASSERT_EQ(metrics.status, 200);
    most = std::max<std::uint64_t>(most, value("buffered_bytes"));
    connections = value("connections");
  }
  EXPECT_LE(most, limit);
  EXPECT_GT(most, limit / 2);  // answers are counted
}

TEST_F(HttpServerTest, WorksWithTheLibraryClient) {
  ServeOptions with_token = options();
  with_token.token = "0123456789abcdef";
  RunningService service(with_token);
  EXPECT_FALSE(Client::create({.address = "127.0.0.1:80"}));
  Result<Client> stranger = Client::create({.address = service.address()});
  ASSERT_TRUE(stranger);
  EXPECT_EQ(stranger->get("a").error().code, ErrorCode::kPermissionDenied);
  Result<Client> client = Client::create({.address = service.address(), .token = with_token.token});
  ASSERT_TRUE(client);
  const std::string html = html_page(made_up_text(1));
  const std::string url = "https://a.example/?x=1&y=\xC3\xA9#z";
  Result<ClientOutcome> answer = client->add({.url = url, .date = "2024-05-01", .body = html});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->verdict, Verdict::kDistinct);
  EXPECT_EQ(answer->change, PageChange::kNew);
  EXPECT_TRUE(answer->is_stored);
  EXPECT_GT(answer->content_characters, 100U);
  answer = client->lookup({.body = html});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->verdict, Verdict::kSame);
  ASSERT_EQ(answer->matches.size(), 1U);
  EXPECT_EQ(answer->matches[0].id, url);
  EXPECT_EQ(answer->matches[0].resemblance, 1);
  EXPECT_FALSE(answer->change);
  const Result<IndexedPage> page = client->get(url);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->date, "2024-05-01T00:00:00Z");
  EXPECT_EQ(page->content_characters, answer->content_characters);
  EXPECT_TRUE(client->remove(url));
  EXPECT_EQ(client->remove(url).error().code, ErrorCode::kNotFound);
  const Result<std::string> statistics = client->request("GET", "/v1/stats", "", "");
  ASSERT_TRUE(statistics);
  EXPECT_EQ(member_of(*statistics, "pages"), "0");
  EXPECT_EQ(client->add({.id = "a", .body = html, .content_type = "image/png"}).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_TRUE(service.stop());
  EXPECT_EQ(client->get("a").error().code, ErrorCode::kInputOutput);
}

// Or a type that some page states would be a header field of its own: here, the token that the client does not have.
TEST_F(HttpServerTest, TheLibraryClientSendsNoHeaderFieldsOfOthers) {
  ServeOptions with_token = options();
  with_token.token = "0123456789abcdef";
  RunningService service(with_token);
  Result<Client> stranger = Client::create({.address = service.address()});
  ASSERT_TRUE(stranger);
  for (const std::string& end : {std::string("\r\n"), std::string("\n"), std::string("\0", 1)}) {
    const std::string type = "text/html" + end + "Authorization: Bearer " + with_token.token;
    const Result<ClientOutcome> added = stranger->add({.id = "a", .body = "x", .content_type = type});
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::kInvalidArgument);
    const Result<std::string> asked = stranger->request("GET" + end, "/v1/stats", "", "");
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().code, ErrorCode::kInvalidArgument);
    const Result<Client> client = Client::create({.address = service.address(), .token = with_token.token + end});
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_TRUE(service.stop());
}

}  // namespace
}  // namespace paraprint
