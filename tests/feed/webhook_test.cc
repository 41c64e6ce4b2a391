// Webhooks against a receiver on a real socket that fails in every way: each event arrives at least once, in order.
#include "feed/webhook.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <simdjson.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <thread>

#include "feed/feed_log_fixture.h"
#include "feed/webhook_signature.h"

namespace paraprint {
namespace {

using testing::HasSubstr;

// Answers each request as the next line of its script says, and 200 when the script is over.
class Receiver {
 public:
  enum Special : int { kHang = 0, kClose = -1, kCloseAfterReading = -2 };

  explicit Receiver(std::deque<std::pair<int, std::string>> script) : script_(std::move(script)) {
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
    simdjson::dom::parser parser;
    for (const Request& request : requests()) {
      if (request.status != 200) continue;
      simdjson::dom::array events;
      EXPECT_EQ(parser.parse(request.body)["data"]["events"].get(events), simdjson::SUCCESS) << request.body;
      for (const simdjson::dom::element event : events) found.push_back(event["number"].get_uint64().value());
    }
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
    {
      const std::lock_guard lock(mutex_);
      if (!script_.empty()) std::tie(status, header) = script_.front();
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
  std::mutex mutex_;
  std::string reports_;
};

TEST_F(WebhookTest, DeliversBatchesInOrder) {
  open();
  append_numbered(5);  // before the webhook is known
  Receiver receiver({});
  const auto webhook = hook(receiver.url());
  append_numbered(35);
  wait_until(*webhook, 40);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t number = 6; number <= 40; ++number) expected.push_back(number);
  EXPECT_EQ(receiver.numbers(), expected);
  EXPECT_GE(receiver.requests().size(), 4U);
  EXPECT_THAT(receiver.requests()[0].header, HasSubstr("POST /hook?x=1 HTTP/1.1\r\n"));
  EXPECT_THAT(receiver.requests()[0].header, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(receiver.requests()[0].header, testing::Not(HasSubstr("webhook-signature")));
  EXPECT_EQ(webhook->status().failures, 0U);
  EXPECT_EQ(webhook->status().receiver.find("hook"), std::string::npos);
}

TEST_F(WebhookTest, DeliversEverythingToAReceiverThatFailsInEveryWay) {
  open();
  Receiver receiver({{500, ""},
                     {Receiver::kClose, ""},
                     {429, ""},
                     {503, "Retry-After: 0\r\n"},
                     {200, ""},
                     {302, "Location: http://127.0.0.1:1/\r\n"},
                     {400, ""},
                     {404, ""},
                     {Receiver::kHang, ""},
                     {Receiver::kCloseAfterReading, ""},
                     {200, ""},
                     {500, ""}});
  const auto webhook = hook(receiver.url());
  append_numbered(40);
  wait_until(*webhook, 40);
  expect_all(receiver.numbers(), 1, 40);
  const WebhookStatus status = webhook->status();
  EXPECT_GE(status.failures, 8U);  // libcurl itself repeats a request on a kept connection that was closed
  EXPECT_EQ(status.failures_in_a_row, 0U);
  EXPECT_THAT(reports(), HasSubstr("status 302; redirects are not followed"));
  EXPECT_THAT(reports(), HasSubstr("delivering again after"));
}

TEST_F(WebhookTest, RepeatsARequestWithTheSameIdAndBody) {
  open();
  Receiver receiver({{500, ""}, {Receiver::kCloseAfterReading, ""}});
  const auto webhook = hook(receiver.url());
  append_numbered(10);
  wait_until(*webhook, 10);
  const auto requests = receiver.requests();
  const auto id_of = [](const std::string& header) {
    const std::size_t at = header.find("webhook-id: ");
    return header.substr(at, header.find('\r', at) - at);
  };
  ASSERT_GE(requests.size(), 3U);
  EXPECT_EQ(requests[0].status, 500);
  for (const Receiver::Request* again : {&requests[1], &requests[2]}) {
    EXPECT_EQ(again->body, requests[0].body);
    EXPECT_EQ(id_of(again->header), id_of(requests[0].header));
  }
  EXPECT_EQ(requests[2].status, 200);
}

TEST_F(WebhookTest, RespectsRetryAfter) {
  open();
  Receiver receiver({{429, "Retry-After: 1\r\n"}});
  const auto webhook = hook(receiver.url());
  append_numbered(1);
  const auto begin = std::chrono::steady_clock::now();
  wait_until(*webhook, 1);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(900));
}

TEST_F(WebhookTest, SendsNothingMoreToAReceiverThatIsGone) {
  open();
  Receiver receiver({{200, ""}, {410, ""}});
  {
    const auto webhook = hook(receiver.url());
    append_numbered(1);
    wait_until(*webhook, 1);
    append_numbered(1);
    for (int i = 0; i < 1000 && !webhook->status().is_gone; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(webhook->status().is_gone);
    append_numbered(5);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(receiver.requests().size(), 2U);
    EXPECT_THAT(reports(), HasSubstr("status 410"));
  }
  // A restart is how the operator begins again, without a loss.
  const auto again = hook(receiver.url());
  wait_until(*again, 7);
  expect_all(receiver.numbers(), 1, 7);
}

TEST_F(WebhookTest, SendsLessToAReceiverForWhichABatchIsTooLarge) {
  open();
  Receiver receiver({{413, ""}, {413, ""}});
  const auto webhook = hook(receiver.url());
  append_numbered(20);
  wait_until(*webhook, 20);
  expect_all(receiver.numbers(), 1, 20);
}

TEST_F(WebhookTest, ResumesAfterARestart) {
  open();
  Receiver receiver({});
  for (int start = 0; start < 5; ++start) {
    open();
    const auto webhook = hook(receiver.url());
    append_numbered(12);
    if (start % 2 == 0) wait_until(*webhook, next_ - 1);
  }
  const auto webhook = hook(receiver.url());
  wait_until(*webhook, 60);
  expect_all(receiver.numbers(), 1, 60);
}

TEST_F(WebhookTest, SignsAsStandardWebhooksDoes) {
  key_ = webhook_key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value();
  // Computed with Python's hmac module.
  EXPECT_EQ(webhook_signature(key_, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  open();
  Receiver receiver({});
  const auto webhook = hook(receiver.url());
  append_numbered(1);
  wait_until(*webhook, 1);
  const Receiver::Request request = receiver.requests().at(0);
  const auto header = [&](const std::string& name) {
    const std::size_t at = request.header.find(name + ": ") + name.size() + 2;
    return request.header.substr(at, request.header.find('\r', at) - at);
  };
  EXPECT_EQ(header("webhook-signature"),
            webhook_signature(key_, header("webhook-id"), std::stoull(header("webhook-timestamp")), request.body));
}

TEST_F(WebhookTest, RefusesSecretsThatCouldBeGuessed) {
  for (const char* secret : {"", "short", "whsec_", "whsec_c2hvcnQ=", "whsec_***"}) {
    EXPECT_FALSE(webhook_key(secret)) << secret;
  }
  EXPECT_EQ(webhook_key("0123456789abcdef01234567").value(), "0123456789abcdef01234567");
}

TEST_F(WebhookTest, TellsTheReceiverOfAGap) {
  options_.keep.events = 10;
  open();
  Receiver receiver({});
  { const auto webhook = hook(receiver.url()); }
  append_numbered(100);
  const std::uint64_t first = log_->statistics().first_number;
  const auto webhook = hook(receiver.url());
  wait_until(*webhook, 100);
  EXPECT_THAT(receiver.requests().at(0).body, HasSubstr(fmt::format(R"("gap":{{"after":0,"first":{},)", first)));
  expect_all(receiver.numbers(), first, 100);
}

TEST_F(WebhookTest, SendsOnlyWhatIsWanted) {
  filter_.verdicts = {"near"};
  open();
  Receiver receiver({});
  const auto webhook = hook(receiver.url());
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(log_->append(i % 10 == 3 ? R"("verdict":"near")" : R"("verdict":"new")"));
  }
  wait_until(*webhook, 30);
  EXPECT_EQ(receiver.numbers(), (std::vector<std::uint64_t>{4, 14, 24}));
}

// One receiver that hangs delays neither the end nor other receivers.
TEST_F(WebhookTest, StopsWhileAReceiverHangs) {
  open();
  Receiver hanging({{Receiver::kHang, ""}, {Receiver::kHang, ""}});
  const auto webhook = hook(hanging.url());
  append_numbered(3);
  for (int i = 0; i < 1000 && hanging.requests().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  webhook->stop(std::chrono::steady_clock::now());
  EXPECT_EQ(webhook->status().delivered, 0U);
}

TEST_F(WebhookTest, RefusesOtherAddresses) {
  open();
  for (const char* url : {"", "ftp://a.example/", "file:///etc/passwd", "a.example", "http://"}) {
    WebhookOptions options;
    options.url = url;
    options.position_path = folder_ / "position";
    EXPECT_FALSE(Webhook::create(*log_, options, {})) << url;
  }
}

}  // namespace
}  // namespace paraprint
