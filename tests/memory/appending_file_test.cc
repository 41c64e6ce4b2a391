// Lines that are acknowledged stay readable, whatever happened to the one before.
#include "memory/appending_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include "failing_files.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

class AppendLineTest : public ::testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "lines";
};

TEST_F(AppendLineTest, AFailedLineLeavesNothingBehind) {
  write("one\n");
  for (const FileWork work : {FileWork::kWrite, FileWork::kSync}) {
    FileFault fault;
    fault.work = work;
    fault.path_part = "lines";
    fault.error = ENOSPC;
    FailingFiles failing(fault);
    EXPECT_EQ(append_line(path_, "two\n").error().code, ErrorCode::kNoSpace);
    failing.end();
    EXPECT_EQ(content(), "one\n");
  }
  ASSERT_TRUE(append_line(path_, "three\n"));
  EXPECT_EQ(content(), "one\nthree\n");
}

TEST_F(AppendLineTest, ATornLineGetsItsEndFirst) {
  write("one\ntw");
  ASSERT_TRUE(append_line(path_, "three\n"));
  EXPECT_EQ(content(), "one\ntw\nthree\n");
  write("");
  ASSERT_TRUE(append_line(path_, "one\n"));
  EXPECT_EQ(content(), "one\n");
}

TEST_F(AppendLineTest, DoesNotMakeTheFile) {
  EXPECT_EQ(append_line(path_, "one\n").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace paraprint
