// Webhooks without memory, and with names that the system does not resolve in time.
#include <curl/curl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "feed/webhook_fixture.h"
#include "simulation/failing_memory.h"
#include "simulation/slow_names.h"
#include "web/curl_library.h"

namespace paraprint {
namespace {

TEST_F(WebhookTest, IsStoppedWhileANameIsResolved) {
  const Result<const CurlLibrary*> curl = curl_library();
  ASSERT_TRUE(curl);
  if ((*curl)->version_info(CURLVERSION_NOW)->version_num < 0x075700) GTEST_SKIP() << "libcurl before 7.87 waits";
  open();
  const auto webhook = hook(fmt::format("http://{}/hook", SlowNames::kHost));
  append_numbered(1);
  SlowNames::wait_until_waiting(1);
  ASSERT_EQ(SlowNames::waiting(), 1);
  webhook->stop(std::chrono::steady_clock::now());
  EXPECT_GE(SlowNames::waiting(), 1);
  SlowNames::release();
  SlowNames::wait_until_waiting(0);
}

// Whichever allocation of the thread fails: what it has read is sent.
TEST_F(WebhookTest, LosesNothingWhenMemoryRunsOut) {
  filter_.verdicts = {"near"};
  on_report_ = [] { FailingMemory::set_may_fail(true); };
  open();
  Receiver receiver({{500, ""}});
  const auto webhook = hook(receiver.url());
  std::uint64_t appended = 0;
  const auto append_and_wait = [&] {
    for (int i = 0; i < 3; ++i, ++appended) ASSERT_TRUE(log_->append(R"("verdict":"near")"));
    wait_until(*webhook, appended);
  };
  append_and_wait();  // the 500 is reported
  std::uint64_t good = 0;
  for (bool has_failed = true; has_failed; ++good) {
    ASSERT_LT(good, 500U);
    FailingMemory::fail_after(good);
    append_and_wait();
    has_failed = FailingMemory::end();
  }
  EXPECT_GT(good, 10U);
  expect_all(receiver.numbers(), 1, appended);
}

}  // namespace
}  // namespace paraprint
