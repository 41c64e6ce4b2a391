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

// A page that has another content or name must not be taken for the one that was compared.
TEST_F(WorkFolderTest, AFolderOfOtherPagesIsAnotherInput) {
  const fs::path pages = folder_ / "pages";
  fs::create_directories(pages / "deep");
  std::ofstream(pages / "deep/a.html") << "<p>one</p>";
  std::ofstream(pages / "deep/b.html") << "<p>two</p>";
  options_.inputs = {pages};
  const auto identity = [&]() -> std::string {
    const Result<WorkFolder> work = WorkFolder::open(options_, false);
    return work->log_identity(*work->inputs(), "settings").value();
  };
  const std::string first = identity();
  EXPECT_EQ(identity(), first);

  fs::rename(pages / "deep/b.html", pages / "deep/c.html");
  const std::string renamed = identity();
  EXPECT_NE(renamed, first);

  const auto before = fs::last_write_time(pages / "deep/a.html");
  std::ofstream(pages / "deep/a.html") << "<p>six</p>";
  fs::last_write_time(pages / "deep/a.html", before + std::chrono::seconds(1));
  EXPECT_NE(identity(), renamed);
}

}  // namespace
}  // namespace paraprint
