#include "base/file_stamp.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../temporary_folder.h"

namespace paraprint {
namespace {

TEST(FileStamp, ChangesWithTheFile) {
  TemporaryFolder folder;
  const std::string path = folder / "file";
  EXPECT_EQ(file_stamp(path), "");
  std::ofstream(path) << "one";
  const std::string first = file_stamp(path);
  EXPECT_EQ(file_stamp(path), first);
  std::ofstream(path) << "another";
  const std::string second = file_stamp(path);
  EXPECT_NE(second, first);
  // A different file of the same name, size and time.
  std::ofstream(folder / "other") << "another";
  std::filesystem::last_write_time(folder / "other", std::filesystem::last_write_time(path));
  std::filesystem::rename(folder / "other", path);
  EXPECT_NE(file_stamp(path), second);
}

}  // namespace
}  // namespace paraprint
