// What a run may do to a folder that it did not make, or that another one is writing to: nothing.
#include "engine/work_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "paraprint/engine.h"
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

TEST_F(WorkFolderTest, FilesThatNoRunHasWrittenStay) {
  const fs::path out = options_.output.out;
  fs::create_directories(out / "records");
  std::ofstream(out / "records/mine.txt") << "mine";
  std::ofstream(out / "savings.json") << "{}";
  const Result<WorkFolder> refused = WorkFolder::open(options_, false);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("records, savings.json"), std::string::npos) << refused.error().message;
  EXPECT_FALSE(fs::exists(out / ".paraprint"));
  EXPECT_TRUE(fs::exists(out / "records/mine.txt"));
}

TEST_F(WorkFolderTest, OutputOfRunsMayBeReplacedWithAndWithoutTheirWorkFolder) {
  options_.output.report = false;
  const fs::path out = options_.output.out;
  ASSERT_TRUE(deduplicate(options_));
  ASSERT_TRUE(deduplicate(options_));
  fs::remove_all(out / ".paraprint");
  EXPECT_TRUE(deduplicate(options_));
  fs::remove_all(out / ".paraprint");
  fs::remove(out / "summary.json");
  EXPECT_FALSE(deduplicate(options_));
}

}  // namespace
}  // namespace paraprint
