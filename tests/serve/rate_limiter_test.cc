// The token buckets with made-up times: burst, rate, debt, and the bound on the number of clients.
#include "serve/rate_limiter.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

using std::chrono::milliseconds;

const RateLimiter::Clock::time_point kBegin = RateLimiter::Clock::now();

double seconds(RateLimiter::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

TEST(RateLimiter, AllowsABurstThenASteadyRate) {
  RateLimiter limiter(10, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(seconds(limiter.take("a", kBegin)), 0);
  EXPECT_NEAR(seconds(limiter.take("a", kBegin)), 0.1, 1e-6);
  EXPECT_EQ(seconds(limiter.take("a", kBegin + milliseconds(101))), 0);
  EXPECT_GT(seconds(limiter.take("a", kBegin + milliseconds(101))), 0);
}

TEST(RateLimiter, ClientsHaveSeparateBuckets) {
  RateLimiter limiter(1, 1);
  EXPECT_EQ(seconds(limiter.take("a", kBegin)), 0);
  EXPECT_EQ(seconds(limiter.take("b", kBegin)), 0);
  EXPECT_GT(seconds(limiter.take("a", kBegin)), 0);
}

TEST(RateLimiter, ChargesCreateDebt) {
  RateLimiter limiter(100, 10);
  EXPECT_NEAR(seconds(limiter.charge("a", 60, kBegin)), 0.5, 1e-6);
  EXPECT_NEAR(seconds(limiter.take("a", kBegin + milliseconds(100))), 0.41, 1e-6);
  EXPECT_EQ(seconds(limiter.charge("a", 1, kBegin + milliseconds(700))), 0);
}

TEST(RateLimiter, ZeroRateAllowsEverything) {
  RateLimiter limiter(0, 1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seconds(limiter.take("a", kBegin)), 0);
  EXPECT_EQ(seconds(limiter.charge("a", 1e9, kBegin)), 0);
  EXPECT_EQ(limiter.clients(), 0U);
}

TEST(RateLimiter, NumberOfClientsIsBounded) {
  RateLimiter limiter(1, 2);
  for (int i = 0; i < 100'000; ++i) limiter.take(std::to_string(i), kBegin + milliseconds(i));
  EXPECT_LE(limiter.clients(), 65'537U);
  EXPECT_GT(limiter.clients(), 1U);
}

// One machine with IPv6 has 2^64 addresses.
TEST(RateLimiter, AnIpv6NetworkIsOneClient) {
  RateLimiter limiter(1, 2);
  EXPECT_EQ(seconds(limiter.take("2001:db8:0:1::1", kBegin)), 0);
  EXPECT_EQ(seconds(limiter.take("2001:db8:0:1:ffff::2", kBegin)), 0);
  EXPECT_GT(seconds(limiter.take("2001:db8:0:1::3", kBegin)), 0);
  EXPECT_EQ(seconds(limiter.take("2001:db8:0:2::1", kBegin)), 0);
  for (const char* client : {"192.0.2.1", "192.0.2.2", "::ffff:192.0.2.3", "::ffff:192.0.2.4"}) {
    EXPECT_EQ(seconds(limiter.take(client, kBegin)), 0);
    EXPECT_EQ(seconds(limiter.take(client, kBegin)), 0);
    EXPECT_GT(seconds(limiter.take(client, kBegin)), 0);
  }
}

TEST(RateLimiter, NewClientsOfAFullTableCostNoSweepEach) {
  RateLimiter limiter(1, 2);
  for (int i = 0; i < 200'000; ++i) limiter.take(std::to_string(i), kBegin);
  EXPECT_LE(limiter.buckets_swept(), 65'536U);
  limiter.take("later", kBegin + milliseconds(1001));
  EXPECT_LE(limiter.buckets_swept(), 2 * 65'537U);
  EXPECT_LE(limiter.clients(), 65'537U);
}

}  // namespace
}  // namespace paraprint
