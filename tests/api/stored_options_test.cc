// The options that a program stores with a finished run are complete, as before, or absent at every moment, and are
// never those of other output.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "failing_files.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr std::string_view kEarlier = "near = 0.9\n";
constexpr std::string_view kLater = "near = 0.5\nkeep = \"earliest\"\n";

class StoredOptions : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(input_) << R"({"id":"a","text":"A sentence that has more than a few words in it."})" << '\n';
    options_.inputs = {input_};
    options_.output.out = out_;
    ASSERT_TRUE(deduplicate(options_));
    ASSERT_TRUE(store_options(out_, kEarlier));
  }

  std::string stored() const {
    std::ifstream file(stored_options_path(out_), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  bool exist() const { return std::filesystem::exists(stored_options_path(out_)); }

  const TemporaryFolder folder_;
  const std::string input_ = folder_ / "pages.jsonl";
  const std::string out_ = folder_ / "out";
  DedupOptions options_;
};

TEST_F(StoredOptions, AreWholeWheneverTheProcessIsKilled) {
  std::set<std::string> seen;
  for (const FileWork work : {FileWork::kMake, FileWork::kWrite, FileWork::kSync}) {
    FileFault fault;
    fault.work = work;
    fault.path_part = "/.paraprint";
    fault.moment = [&] { seen.insert(stored()); };
    for (bool was_reached = true; was_reached; ++fault.after) {
      ASSERT_TRUE(store_options(out_, kEarlier));
      const FailingFiles moment(fault);
      ASSERT_TRUE(store_options(out_, kLater));
      was_reached = moment.calls() > fault.after;
    }
    EXPECT_GT(fault.after, 1U);  // there is such a moment
  }
  EXPECT_EQ(seen, (std::set<std::string>{std::string(kEarlier), std::string(kLater)}));
}

TEST_F(StoredOptions, StayAsTheyWereWhenTheDiskIsFull) {
  FileFault fault;
  fault.path_part = "/.paraprint";
  fault.error = ENOSPC;
  FailingFiles failing(fault);
  EXPECT_EQ(store_options(out_, kLater).error().code, ErrorCode::kNoSpace);
  failing.end();
  EXPECT_EQ(stored(), kEarlier);
}

// Otherwise a run that was killed between its output and its options would be reclustered with those of the run before.
TEST_F(StoredOptions, DoNotOutliveTheirOutput) {
  ASSERT_TRUE(recluster(options_));
  EXPECT_EQ(stored(), kEarlier);
  options_.output.report = false;
  ASSERT_TRUE(deduplicate(options_));
  EXPECT_FALSE(exist());
}

TEST_F(StoredOptions, AreRemovedByRestarting) {
  options_.output.restart = true;
  options_.profile.extractor = "whole-page";
  std::filesystem::remove(input_);
  std::ofstream(input_) << "no record\n";
  ASSERT_TRUE(deduplicate(options_));
  EXPECT_FALSE(exist());
}

}  // namespace
}  // namespace paraprint
