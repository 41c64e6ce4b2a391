// Folders of temporary files: where they are, and that nothing of them stays.
#include "memory/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "temporary_folder.h"

namespace paraprint {
namespace {

TEST(ScratchFolder, IsInTheChosenOneOrThatOfTheSystem) {
  EXPECT_EQ(temporary_folder("/chosen"), "/chosen");
  const char* const before = std::getenv("TMPDIR");
  const std::optional<std::string> kept = before != nullptr ? std::optional<std::string>(before) : std::nullopt;
  ::setenv("TMPDIR", "/of/system", 1);
  EXPECT_EQ(temporary_folder(""), "/of/system");
  ::unsetenv("TMPDIR");
  EXPECT_EQ(temporary_folder(""), "/tmp");
  if (kept) ::setenv("TMPDIR", kept->c_str(), 1);
}

TEST(ScratchFolder, DisappearsWithWhatIsInIt) {
  const TemporaryFolder parent;
  std::string path;
  {
    Result<ScratchFolder> folder = ScratchFolder::create((parent / "new"), "paraprint-");
    ASSERT_TRUE(folder) << folder.error().message;
    path = folder->path();
    EXPECT_EQ(path.find((parent / "new/paraprint-")), 0U);
    std::filesystem::create_directory(path + "/inner");
    std::ofstream(path + "/inner/file") << "x";
    const ScratchFolder moved = std::move(*folder);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, SaysWhereItCannotBeMade) {
  const TemporaryFolder parent;
  std::ofstream((parent / "file")) << "x";
  const Result<ScratchFolder> folder = ScratchFolder::create((parent / "file"), "paraprint-");
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find((parent / "file")), std::string::npos) << folder.error().message;
}

}  // namespace
}  // namespace paraprint
