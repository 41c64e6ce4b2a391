// The address of a probe. What follows from the answer is tested in the simulation and through the program
// (tests/cli/crawl_soft_404_test.py).
#include "crawl/soft_404.h"

#include <gtest/gtest.h>

#include <set>

namespace paraprint {
namespace {

TEST(Soft404, ProbesAreOneWordThatNobodyUses) {
  std::set<std::string> targets;
  for (const char* crawl : {"1", "2"}) {
    for (const char* origin : {"http://a.example", "https://a.example", "http://a.example:8080", "http://b.example"}) {
      const std::string target = probe_target(crawl, origin);
      EXPECT_EQ(target, probe_target(crawl, origin));
      ASSERT_EQ(target.size(), 25u);
      EXPECT_EQ(target.front(), '/');
      EXPECT_EQ(target.find_first_not_of("bcdfghjklmnpqrstvwxz", 1), std::string::npos) << target;
      targets.insert(target);
    }
  }
  EXPECT_EQ(targets.size(), 8u);
  // In the state of earlier crawls and in their logs.
  EXPECT_EQ(probe_target("0123456789abcdef", "https://example.org"), "/mmxgqggmzxfhjdgtfspfxbhr");
}

}  // namespace
}  // namespace paraprint
