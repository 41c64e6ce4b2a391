#include "memory/usable_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

class ControlGroups : public testing::Test {
 protected:
  void limit(const std::string& file, const std::string& value) {
    const std::filesystem::path path = folder_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << value << "\n";
  }
  std::uint64_t limit_of(std::string_view memberships) { return control_group_memory_bytes(memberships, root_); }

  TemporaryFolder folder_;
  const std::string root_ = folder_ / "";
};

TEST_F(ControlGroups, LowestLimitOfGroupAndParentsApplies) {
  EXPECT_EQ(limit_of("0::/a/b\n"), kNoLimit);
  limit("a/b/memory.max", "max");
  limit("a/memory.max", "3000");
  limit("c/memory.max", "5");
  EXPECT_EQ(limit_of("0::/a/b\n"), 3000U);
  limit("a/b/memory.max", "2000");
  EXPECT_EQ(limit_of("0::/a/b\n"), 2000U);
  EXPECT_EQ(limit_of("0::/a\n"), 3000U);
  limit("memory.max", "1000");
  EXPECT_EQ(limit_of("0::/a/b\n"), 1000U);
  EXPECT_EQ(limit_of("0::/named/by/the/host"), 1000U);
  EXPECT_EQ(limit_of(""), 1000U);
}

TEST_F(ControlGroups, ReadsVersion1) {
  limit("memory/x/memory.limit_in_bytes", "4000");
  limit("memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(limit_of("9:name=systemd:/y\n4:memory:/x/z\n3:cpuset:/\n0::/\n"), 4000U);
  EXPECT_EQ(limit_of("4:cpu,memory:/x\n"), 4000U);
  EXPECT_EQ(limit_of("4:cpu:/x\n"), 9223372036854771712U);
}

TEST(UsableMemory, IsKnown) {
  EXPECT_GT(usable_memory_bytes(), std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace paraprint
