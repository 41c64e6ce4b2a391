// What a second run may do to the folder of a live one: nothing.
#include "engine/work_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

class WorkFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "pages.jsonl") << "{}\n";
    options_.inputs = {folder_ / "pages.jsonl"};
    options_.output.out = folder_ / "out";
  }

  TemporaryFolder folder_;
  DedupOptions options_;
};

TEST_F(WorkFolderTest, ARefusedRunLeavesTheSpillFolderOfTheLiveOne) {
  const Result<WorkFolder> live = WorkFolder::open(options_, false);
  ASSERT_TRUE(live.has_value()) << live.error().message;
  const std::string spilled = live->spill_folder() + "/sorted-run";
  std::ofstream(spilled) << "records";

  const Result<WorkFolder> refused = WorkFolder::open(options_, false);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(fs::exists(spilled));
}

// A log of the same size would otherwise take the answers of the index for its own.
TEST_F(WorkFolderTest, ARestartForgetsTheAnswersOfTheIndex) {
  std::string known;
  {
    const Result<WorkFolder> first = WorkFolder::open(options_, false);
    ASSERT_TRUE(first.has_value()) << first.error().message;
    known = first->known_pages_path();
    std::ofstream(known) << "answers";
  }
  ASSERT_TRUE(WorkFolder::open(options_, false).has_value());
  EXPECT_TRUE(fs::exists(known));
  options_.output.restart = true;
  ASSERT_TRUE(WorkFolder::open(options_, false).has_value());
  EXPECT_FALSE(fs::exists(known));
}

}  // namespace
}  // namespace paraprint
