// The order in which hosts are taken.
#include "crawl/host_schedule.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

using std::chrono::seconds;

TEST(HostSchedule, TakesDueHostsInOrder) {
  HostSchedule schedule;
  const HostSchedule::Time now{};
  EXPECT_TRUE(schedule.is_empty());
  schedule.add(1, now + seconds(2));
  schedule.add(2, now + seconds(1));
  schedule.add(3, now + seconds(1));
  EXPECT_EQ(schedule.next_due(), now + seconds(1));
  EXPECT_FALSE(schedule.take(now));
  EXPECT_EQ(schedule.take(now + seconds(5)), 2u);
  EXPECT_EQ(schedule.take(now + seconds(5)), 3u);
  EXPECT_EQ(schedule.take(now + seconds(5)), 1u);
  EXPECT_FALSE(schedule.take(now + seconds(5)));
  EXPECT_TRUE(schedule.is_empty());
}

TEST(HostSchedule, IsFair) {
  HostSchedule schedule;
  HostSchedule::Time now{};
  std::size_t taken[3] = {};
  for (std::size_t host = 0; host < 3; ++host) schedule.add(host, now);
  for (int i = 0; i < 300; ++i) {
    const std::size_t host = *schedule.take(now);
    ++taken[host];
    schedule.add(host, now);
  }
  for (const std::size_t count : taken) EXPECT_EQ(count, 100u);
}

}  // namespace
}  // namespace paraprint
