// Everything that a service does, at once: adding, lookup, deletion, comparison and bulk calls from many clients while
// search tables are written and merged and backups are made. Meant for the thread sanitizer as much as for the answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "serve/http_server.h"
#include "serve/plain_http_client.h"
#include "serve/service_fixture.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kKept = 30;  // pages that are never deleted, so lookups must always find them

class ServiceLoadTest : public ServiceTest {
 protected:
  void SetUp() override {
    ServeOptions options;
    options.index.head_pages = 64;
    open(options);
    Result<std::unique_ptr<HttpServer>> server = HttpServer::listen(*service_, logger_, "127.0.0.1", 0, 4);
    ASSERT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
    runner_ = std::thread([this] { ended_ = server_->run(stop_); });
  }
  void TearDown() override {
    if (runner_.joinable()) stop();
  }
  void stop() {
    stop_ = true;
    runner_.join();
    EXPECT_TRUE(ended_);
  }

  static std::string text_of(std::uint64_t page) { return made_up_text(page, 2); }

  // Counts a response with an unexpected status.
  void expect(const PlainHttpClient::Response& answer, std::initializer_list<int> statuses) {
    if (std::find(statuses.begin(), statuses.end(), answer.status) == statuses.end()) ++failures_;
  }

  void ask_for_everything(std::uint64_t seed, int rounds) {
    std::mt19937_64 random(seed);
    PlainHttpClient client(server_->port());
    const auto exchange = [&](std::string_view method, const std::string& target, std::string_view type = "",
                              const std::string& body = "") {
      return client.exchange(PlainHttpClient::request(method, target, type, body));
    };
    for (int round = 0; round < rounds; ++round) {
      const std::string id = "page" + std::to_string(random() % 40);
      const std::string text = text_of(1000 + random() % 60);
      expect(exchange("POST", "/v1/pages?id=" + id, "text/plain", text), {200});
      expect(exchange("GET", "/v1/pages/" + id), {200, 404});
      expect(exchange("GET", "/v1/clusters/" + id), {200, 404});
      const auto kept = exchange("POST", "/v1/lookup", "text/plain", text_of(random() % kKept));
      if (kept.status != 200 || member_of(kept.body, "verdict") != "same") ++failures_;
      if (random() % 3 == 0) expect(exchange("DELETE", "/v1/pages/" + id), {200, 404});
      if (random() % 3 == 0) {
        const std::string sides = R"({"a":{"known_id":"kept1"},"b":{"text":"Some words of another page."}})";
        expect(exchange("POST", "/v1/compare", "application/json", sides), {200});
      }
      for (const char* target : {"/v1/stats", "/metrics", "/healthz", "/readyz"})
        expect(exchange("GET", target), {200});
      if (random() % 4 == 0) send_bulk(random());
    }
  }

  void send_bulk(std::uint64_t seed) {
    std::string lines;
    for (std::uint64_t i = 0; i < 4; ++i) {
      lines += json_page("bulk" + std::to_string((seed + i) % 20), text_of(2000 + (seed + i) % 40)) + "\n";
    }
    PlainHttpClient bulk(server_->port());
    bulk.send(std::string(seed % 2 == 0 ? "POST /v1/bulk/pages" : "POST /v1/bulk/lookup") +
              " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\n"
              "Content-Length: " +
              std::to_string(lines.size()) + "\r\n\r\n" + lines);
    const std::string answers = bulk.receive_all();
    const bool is_whole = answers.find("\"line\":4") != std::string::npos && answers.ends_with("\r\n0\r\n\r\n");
    if (!is_whole || answers.find("\"error\":") != std::string::npos) ++failures_;
  }

  ServiceLogger logger_{ServiceLog::kRequests, [](std::string_view) {}};
  std::unique_ptr<HttpServer> server_;
  std::thread runner_;
  std::atomic<bool> stop_{false};
  Status ended_;
  std::atomic<int> failures_{0};
};

TEST_F(ServiceLoadTest, AllCallsRunConcurrentlyWithBackups) {
  {
    PlainHttpClient client(server_->port());
    for (std::uint64_t page = 0; page < kKept; ++page) {
      const std::string target = "/v1/pages?id=kept" + std::to_string(page);
      ASSERT_EQ(client.exchange(PlainHttpClient::request("POST", target, "text/plain", text_of(page))).status, 200);
    }
  }
  constexpr std::uint64_t kClients = 5;
  std::vector<std::thread> clients;
  for (std::uint64_t client = 0; client < kClients; ++client) {
    clients.emplace_back([this, client] { ask_for_everything(client, 30); });
  }
  std::vector<std::string> backups;
  std::atomic<bool> is_over = false;
  std::thread keeper([&] {
    while (!is_over || backups.empty()) {
      const std::string name = folder_ / ("backup" + std::to_string(backups.size()));
      const Status copied = service_->index().backup(name);
      EXPECT_TRUE(copied) << copied.error().message;
      backups.push_back(name);
      EXPECT_TRUE(service_->index().statistics());
    }
  });
  for (std::thread& client : clients) client.join();
  is_over = true;
  keeper.join();
  EXPECT_EQ(failures_, 0);
  stop();
  EXPECT_TRUE(service_->index().verify(true)->is_clean());
  // restore_index() verifies what it restores.
  for (const std::string& backup : {backups.front(), backups.back()}) {
    const std::string restored = backup + "-restored";
    const Status done = restore_index(backup, restored);
    ASSERT_TRUE(done) << done.error().message;
    auto copy = PageIndex::open(restored, {});
    ASSERT_TRUE(copy) << copy.error().message;
    for (std::uint64_t page = 0; page < kKept; ++page) EXPECT_TRUE((*copy)->get("kept" + std::to_string(page)));
    if (backups.size() == 1) break;
  }
}

}  // namespace
}  // namespace paraprint
