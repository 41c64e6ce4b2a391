#include "memory/mapped_file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "temporary_folder.h"

namespace paraprint {
namespace {

constexpr auto kOpeners = {&MappedFile::open, &MappedFile::read};

// Sizes around those of small and huge pages.
TEST(MappedFile, ReadsFilesOfAnySize) {
  const TemporaryFolder folder;
  for (const std::size_t size : {0UL, 1UL, 4095UL, 4096UL, 4097UL, (2UL << 20) - 1, 2UL << 20, (5UL << 20) + 3}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 2654435761U >> 13);
    std::ofstream(folder / "file", std::ios::binary) << bytes;
    for (const auto opener : kOpeners) {
      Result<MappedFile> file = opener(folder / "file");
      ASSERT_TRUE(file) << file.error().message;
      EXPECT_TRUE(file->bytes() == bytes) << size;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file->bytes().data()) % 4096, 0U);
      const MappedFile moved = std::move(*file);
      EXPECT_TRUE(moved.bytes() == bytes) << size;
    }
  }
}

// A file that is replaced stays unchanged for those who have opened it.
TEST(MappedFile, KeepsTheContentOfARemovedFile) {
  const TemporaryFolder folder;
  for (const auto opener : kOpeners) {
    std::ofstream(folder / "file") << "still here";
    const Result<MappedFile> file = opener(folder / "file");
    std::filesystem::remove(folder / "file");
    ASSERT_TRUE(file);
    EXPECT_EQ(file->bytes(), "still here");
  }
}

TEST(MappedFile, RejectsFoldersAndMissingFilesByName) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "folder");
  for (const auto opener : kOpeners) {
    const Result<MappedFile> missing = opener(folder / "nothing");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
    EXPECT_NE(missing.error().message.find(folder / "nothing"), std::string::npos);
    const Result<MappedFile> no_file = opener(folder / "folder");
    ASSERT_FALSE(no_file);
    EXPECT_EQ(no_file.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace paraprint
