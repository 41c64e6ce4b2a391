// Memory is given back by strings as well, which keep it when an empty one is assigned.
#include "memory/release_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace paraprint {
namespace {

struct Grown {
  std::string text;
  std::vector<int> numbers;
  std::shared_ptr<int> shared;
  int count = 7;
};

TEST(ReleaseMemory, LeavesValuesAsNew) {
  Grown value{std::string(1'000'000, 'x'), std::vector<int>(1'000'000), std::make_shared<int>(1), 8};
  const std::weak_ptr<int> shared = value.shared;
  release_memory(value);
  EXPECT_EQ(value.text, "");
  EXPECT_EQ(value.text.capacity(), std::string().capacity());
  EXPECT_EQ(value.numbers.capacity(), 0U);
  EXPECT_TRUE(shared.expired());
  EXPECT_EQ(value.count, 7);
}

}  // namespace
}  // namespace paraprint
