// A receiver of webhooks on a real socket that fails as it is told, and webhooks with short pauses that call it.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <simdjson.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "feed/feed_log_fixture.h"
#include "feed/webhook.h"

namespace paraprint {

// Answers each request as the next line of its script says, and when the script is over, 413 to one whose body is too
// long and 200 to others.
class Receiver {
 public:
  enum Special : int { kHang = 0, kClose = -1, kCloseAfterReading = -2 };

  explicit Receiver(std::deque<std::pair<int, std::string>> script, std::size_t body_bytes_maximum = SIZE_MAX)
      : script_(std::move(script)), body_bytes_maximum_(body_bytes_maximum) {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_, 10), 0);
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~Receiver() {
    is_over_ = true;
    thread_.join();
    ::close(socket_);
  }
  std::string url() const { return fmt::format("http://127.0.0.1:{}/hook?x=1", port_); }

  struct Request {
    std::string header;
    std::string body;
    int status;
  };
  std::vector<Request> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  // The numbers of the events of all requests that were accepted, in the order of their arrival.
  std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> found;
    for (const Request& request : requests()) {
      if (request.status != 200) continue;
      const std::vector<std::uint64_t> numbers = numbers_of(request);
      found.insert(found.end(), numbers.begin(), numbers.end());
    }
    return found;
  }
  static std::vector<std::uint64_t> numbers_of(const Request& request) {
    std::vector<std::uint64_t> found;
    simdjson::dom::parser parser;
    simdjson::dom::array events;
    EXPECT_EQ(parser.parse(request.body)["data"]["events"].get(events), simdjson::SUCCESS) << request.body;
    for (const simdjson::dom::element event : events) found.push_back(event["number"].get_uint64().value());
    return found;
  }

 private:
  bool wait_for_input(int descriptor) {
    while (!is_over_) {
      pollfd waited{descriptor, POLLIN, 0};
      if (::poll(&waited, 1, 50) > 0) return true;
    }
    return false;
  }
  void run() {
    while (wait_for_input(socket_)) {
      const int connection = ::accept(socket_, nullptr, nullptr);
      while (answer_one(connection)) {
      }
      ::close(connection);
    }
  }
  bool answer_one(int connection) {
    int status = 200;
    std::string header;
    bool is_scripted = false;
    {
      const std::lock_guard lock(mutex_);
      is_scripted = !script_.empty();
      if (is_scripted) std::tie(status, header) = script_.front();
    }
    const auto next = [this] {
      const std::lock_guard lock(mutex_);
      if (!script_.empty()) script_.pop_front();
    };
    if (status == kClose) {
      if (wait_for_input(connection)) next();
      return false;
    }
    std::string text;
    std::size_t end = 0;
    std::size_t body_bytes = 0;
    for (;;) {
      if (!wait_for_input(connection)) return false;
      char buffer[65536];
      const ssize_t got = ::recv(connection, buffer, sizeof buffer, 0);
      if (got <= 0) return false;
      text.append(buffer, static_cast<std::size_t>(got));
      end = text.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      const std::size_t at = text.find("Content-Length: ");
      body_bytes = std::strtoul(text.c_str() + at + 16, nullptr, 10);
      if (text.size() >= end + 4 + body_bytes) break;
    }
    next();
    if (!is_scripted && body_bytes > body_bytes_maximum_) status = 413;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back({text.substr(0, end + 2), text.substr(end + 4), status});
    }
    if (status == kCloseAfterReading) return false;
    if (status == kHang) {
      while (wait_for_input(connection)) {
        char buffer[100];
        if (::recv(connection, buffer, sizeof buffer, 0) <= 0) break;
      }
      return false;
    }
    const std::string reply = fmt::format("HTTP/1.1 {} X\r\n{}Content-Length: 2\r\n\r\nok", status, header);
    return ::send(connection, reply.data(), reply.size(), MSG_NOSIGNAL) > 0;
  }

  int socket_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::deque<std::pair<int, std::string>> script_;
  const std::size_t body_bytes_maximum_;
  std::vector<Request> requests_;
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

class WebhookTest : public EventLogTest {
 protected:
  std::unique_ptr<Webhook> hook(const std::string& url) {
    WebhookOptions options;
    options.url = url;
    options.key = key_;
    options.filter = filter_;
    options.batch_events = batch_events_;
    options.delay = std::chrono::milliseconds(20);
    options.timeout_seconds = 0.5;
    options.pause_minimum = std::chrono::milliseconds(5);
    options.pause_maximum = std::chrono::milliseconds(20);
    options.position_path = folder_ / "position";
    Result<std::unique_ptr<Webhook>> made = Webhook::create(*log_, options, [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      reports_ += std::string(line) + "\n";
      if (on_report_) on_report_();
    });
    EXPECT_TRUE(made) << made.error().message;
    EXPECT_TRUE((*made)->start());
    return std::move(*made);
  }
  static void wait_until(const Webhook& webhook, std::uint64_t number) {
    for (int i = 0; i < 2000 && webhook.status().delivered < number; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(webhook.status().delivered, number);
  }
  std::string reports() {
    const std::lock_guard lock(mutex_);
    return reports_;
  }
  // At least once and in order: without the repetitions, all numbers ascend by one.
  static void expect_all(const std::vector<std::uint64_t>& numbers, std::uint64_t first, std::uint64_t last) {
    std::uint64_t next = first;
    for (const std::uint64_t number : numbers) {
      EXPECT_LE(number, next);
      if (number == next) ++next;
    }
    EXPECT_EQ(next, last + 1);
  }

  std::string key_;
  EventFilter filter_;
  std::uint32_t batch_events_ = 10;
  std::function<void()> on_report_;  // called by the thread that reports
  std::mutex mutex_;
  std::string reports_;
};

}  // namespace paraprint
