// Pauses that only an unusual option gives, and turns at hosts that others redirect to. The other pauses are tested in
// the simulation.
#include "crawl/host_pacing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace paraprint {
namespace {

// A pause that the clock cannot count must not become one in the past.
TEST(HostPacing, EndlessPausesAreLong) {
  const TemporaryFolder folder;
  CrawlOptions options;
  options.out = folder / "crawl";
  options.pages_per_hour = 1e-7;
  const std::unique_ptr<CrawlFrontier> frontier = CrawlFrontier::open(options).value();
  HostPacing pacing(options, *frontier);
  const std::size_t host = frontier->host_number("a.example");
  pacing.release(host, {}, false);
  EXPECT_GT(frontier->host(host).due - frontier->system().now(), std::chrono::hours(24));
}

// Each of many files that are on one other host is asked for, one after the other, and the hosts that wait don't come
// back much more often than that.
TEST(RedirectTurns, AHostIsAskedOnceAtATimeWithPauses) {
  using std::chrono::milliseconds;
  constexpr int kFiles = 200;
  const milliseconds pause(1000);
  for (const milliseconds answer_time : {milliseconds(1), milliseconds(900), milliseconds(5500)}) {
    RedirectTurns turns(pause);
    std::multimap<RedirectTurns::Time, int> waiting;  // -1: the answer arrives
    const RedirectTurns::Time start = RedirectTurns::Time() + std::chrono::hours(1);
    for (int file = 0; file < kFiles; ++file) waiting.emplace(start + milliseconds(file), file);
    std::vector<int> calls(kFiles);
    int files_asked = 0;
    bool is_busy = false;
    RedirectTurns::Time rested = start;
    while (!waiting.empty()) {
      const auto [now, file] = *waiting.begin();
      waiting.erase(waiting.begin());
      if (file == -1) {
        turns.end("victim.example", now, {});
        is_busy = false;
        rested = now + pause;
        continue;
      }
      const bool has_turn = calls[static_cast<std::size_t>(file)]++ > 0;
      if (const std::optional<RedirectTurns::Time> turn = turns.begin("victim.example", now, has_turn)) {
        ASSERT_GE(*turn, now + pause);
        waiting.emplace(*turn, file);
        continue;
      }
      ASSERT_FALSE(is_busy);
      ASSERT_GE(now, rested);
      is_busy = true;
      ++files_asked;
      waiting.emplace(now + answer_time, -1);
    }
    EXPECT_EQ(files_asked, kFiles);
    const auto turns_per_answer = (answer_time + pause) / pause + 2;
    EXPECT_LE(std::accumulate(calls.begin(), calls.end(), std::int64_t{0}), kFiles * turns_per_answer);
  }
}

TEST(RedirectTurns, TheHostMayAskForTime) {
  using std::chrono::seconds;
  RedirectTurns turns(seconds(1));
  const RedirectTurns::Time now = RedirectTurns::Time() + std::chrono::hours(1);
  EXPECT_EQ(turns.begin("victim.example", now, false), std::nullopt);
  turns.end("victim.example", now, seconds(60));
  EXPECT_EQ(turns.begin("victim.example", now + seconds(1), false), now + seconds(60));
  EXPECT_EQ(turns.begin("victim.example", now + seconds(1), false), now + seconds(61));
  EXPECT_EQ(turns.begin("victim.example", now + seconds(60), true), std::nullopt);
}

TEST(RedirectTurns, WhoWaitsDoesNotComeBackAtOnce) {
  RedirectTurns turns(std::chrono::seconds(0));
  const RedirectTurns::Time now = RedirectTurns::Time() + std::chrono::hours(1);
  ASSERT_EQ(turns.begin("victim.example", now, false), std::nullopt);
  EXPECT_GT(turns.begin("victim.example", now, false).value(), now);
}

TEST(RedirectTurns, HostsThatNobodyWaitsForAreForgotten) {
  RedirectTurns turns(std::chrono::seconds(1));
  RedirectTurns::Time now = RedirectTurns::Time() + std::chrono::hours(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::string host = std::to_string(i) + ".example";
    ASSERT_FALSE(turns.begin(host, now, false));
    now += std::chrono::milliseconds(10);
    turns.end(host, now, {});
  }
  EXPECT_LT(turns.size(), 5'000U);
}

TEST(RedirectTurns, EndlessPausesDoNotPassTheEndOfTheClock) {
  RedirectTurns turns(std::chrono::hours(24 * 365));
  const RedirectTurns::Time now = CrawlSystem::real().now();
  EXPECT_FALSE(turns.begin("victim.example", now, false));
  for (int i = 0; i < 1000; ++i) EXPECT_GT(turns.begin("victim.example", now, false).value(), now);
}

}  // namespace
}  // namespace paraprint
