// Which robots.txt rules stay in memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crawl/robots_files.h"

namespace paraprint {
namespace {

HostRobots robots_with_rules(int count) {
  std::string file = "User-agent: *\n";
  for (int rule = 0; rule < count; ++rule) file += "Disallow: /folder-" + std::to_string(rule) + "\n";
  HostRobots robots;
  robots.rules = RobotsRules::parse(file, "paraprint");
  return robots;
}

// However many hosts there are, their rules together do not exceed the limit.
TEST(RobotsMemory, DropsTheRulesThatWereNotUsedForLongest) {
  std::vector<HostRobots> files(100, robots_with_rules(1000));
  const std::size_t size_bytes = files[0].rules.memory_bytes();
  RobotsMemory memory(3 * size_bytes);
  for (HostRobots& file : files) {
    memory.keep(file);
    memory.use(files[0]);  // asked for all the time
    EXPECT_LE(memory.total_bytes(), 3 * size_bytes);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool is_kept = i == 0 || i >= 98;
    EXPECT_EQ(files[i].are_rules_in_memory, is_kept) << i;
    EXPECT_EQ(files[i].rules.rule_count(), is_kept ? 1000U : 0U) << i;
  }
}

TEST(RobotsMemory, KeepsTheFileInUseWhateverItsSize) {
  HostRobots small = robots_with_rules(1);
  HostRobots large = robots_with_rules(1000);
  RobotsMemory memory(1000);
  memory.keep(small);
  memory.keep(large);
  EXPECT_FALSE(small.are_rules_in_memory);
  EXPECT_TRUE(large.are_rules_in_memory);
  EXPECT_EQ(memory.total_bytes(), large.rules.memory_bytes());
  large = robots_with_rules(2);  // fetched again
  memory.keep(large);
  EXPECT_EQ(memory.total_bytes(), large.rules.memory_bytes());
}

}  // namespace
}  // namespace paraprint
