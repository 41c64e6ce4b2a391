// Webhooks against a receiver on a real socket that fails in every way: each event arrives at least once, in order.
#include "feed/webhook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "feed/webhook_fixture.h"
#include "feed/webhook_signature.h"

namespace paraprint {
namespace {

using testing::HasSubstr;

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
  { const auto webhook = hook(receiver.url()); }
  append_numbered(20);  // before it looks, so that the first batch is complete
  const auto webhook = hook(receiver.url());
  wait_until(*webhook, 20);
  expect_all(receiver.numbers(), 1, 20);
}

// Once it was too busy for a batch, or a batch was unusually long.
TEST_F(WebhookTest, SendsMoreAgainToAReceiverThatTakesWhatIsSent) {
  open();
  Receiver receiver({{413, ""}, {413, ""}});
  { const auto webhook = hook(receiver.url()); }
  append_numbered(400);  // before it looks, so that all batches are complete
  const auto webhook = hook(receiver.url());
  wait_until(*webhook, 400);
  expect_all(receiver.numbers(), 1, 400);
  std::vector<std::size_t> sizes;
  for (const Receiver::Request& request : receiver.requests()) sizes.push_back(Receiver::numbers_of(request).size());
  ASSERT_GE(sizes.size(), 20U);
  EXPECT_EQ(std::vector<std::size_t>(sizes.begin(), sizes.begin() + 3), (std::vector<std::size_t>{10, 5, 2}));
  EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 2), 16);
  EXPECT_GT(std::count(sizes.begin(), sizes.end(), 10), 5);
  EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 10U);
}

// Those behind an event that the receiver never takes would wait for ever.
TEST_F(WebhookTest, DeliversAGapInPlaceOfAnEventThatIsTooLarge) {
  open();
  Receiver receiver({}, 2000);
  const auto webhook = hook(receiver.url());
  append_numbered(3);
  ASSERT_TRUE(append(std::string(3000, 'x')));
  next_ = 5;
  append_numbered(3);
  wait_until(*webhook, 7);
  EXPECT_EQ(receiver.numbers(), (std::vector<std::uint64_t>{1, 2, 3, 5, 6, 7}));
  std::vector<std::string> gaps;
  for (const Receiver::Request& request : receiver.requests()) {
    if (request.status == 200 && request.body.find("\"gap\"") != std::string::npos) gaps.push_back(request.body);
  }
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_THAT(gaps[0], HasSubstr(R"("gap":{"after":3,"first":5,"missed":1,"reason":"too-large"},"events":[])"));
  EXPECT_EQ(webhook->status().too_large, 1U);
  EXPECT_EQ(webhook->status().failures_in_a_row, 0U);
  const std::string reported = reports();
  const std::string line = "event 4 is too large for the receiver";
  EXPECT_THAT(reported, HasSubstr(line));
  EXPECT_EQ(reported.find(line, reported.find(line) + 1), std::string::npos);
}

TEST_F(WebhookTest, RepeatsAnEventForWhichAReceiverHasNoRoomAtTheMoment) {
  open();
  Receiver receiver({{413, "Retry-After: 1\r\n"}});
  const auto webhook = hook(receiver.url());
  append_numbered(1);
  wait_until(*webhook, 1);
  EXPECT_EQ(receiver.numbers(), std::vector<std::uint64_t>{1});
  EXPECT_EQ(webhook->status().too_large, 0U);
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
  EXPECT_THAT(reports(), HasSubstr(webhook->status().receiver + ": the request in progress is given up"));
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
