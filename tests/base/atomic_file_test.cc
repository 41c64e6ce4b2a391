#include "base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/system_error.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() {
    std::string pattern = (fs::temp_directory_path() / "atomic_file_test.XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  std::string name(const std::string& file) const { return (folder_ / file).string(); }

  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsOnlyAfterCommit) {
  Result<AtomicFile> file = AtomicFile::create(name("out"));
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->write("one ").has_value());
  ASSERT_TRUE(file->write("two").has_value());
  EXPECT_FALSE(fs::exists(name("out")));
  EXPECT_EQ(file->size_bytes(), 7U);
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(content(name("out")), "one two");
  EXPECT_FALSE(fs::exists(name("out.partial")));
}

TEST_F(AtomicFileTest, KeepsTheOldFileWithoutCommit) {
  ASSERT_TRUE(write_file_atomically(name("out"), "old").has_value());
  {
    Result<AtomicFile> file = AtomicFile::create(name("out"));
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->write("new").has_value());
  }
  EXPECT_EQ(content(name("out")), "old");
  EXPECT_FALSE(fs::exists(name("out.partial")));
}

TEST_F(AtomicFileTest, OverwritesAPartialFileLeftByAKilledRun) {
  std::ofstream(name("out.partial")) << "longer content left by a killed run";
  ASSERT_TRUE(write_file_atomically(name("out"), "short").has_value());
  EXPECT_EQ(content(name("out")), "short");
}

TEST_F(AtomicFileTest, WritesTheLongestNamesThatThereAre) {
  for (const std::size_t bytes : {247, 248, 255}) {
    const std::string longest = name(std::string(bytes, 'n'));
    ASSERT_TRUE(write_file_atomically(longest, "bytes").has_value()) << bytes;
    EXPECT_EQ(content(longest), "bytes");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);
  EXPECT_EQ(partial_path("folder/" + std::string(247, 'n')), "folder/" + std::string(247, 'n') + ".partial");
  EXPECT_EQ(partial_path("folder/" + std::string(248, 'n')).size(), std::string("folder/.partial").size() + 16);
  EXPECT_NE(partial_path(std::string(248, 'n')), partial_path(std::string(249, 'n')));
}

TEST_F(AtomicFileTest, KeepsLinksToFiles) {
  fs::create_directory(name("real"));
  ASSERT_TRUE(write_file_atomically(name("real/file"), "old").has_value());
  fs::create_symlink("real/file", name("link"));
  ASSERT_TRUE(write_file_atomically(name("link"), "new").has_value());
  EXPECT_TRUE(fs::is_symlink(name("link")));
  EXPECT_EQ(content(name("real/file")), "new");
}

TEST_F(AtomicFileTest, ReplacesOnlyFiles) {
  ASSERT_EQ(::mkfifo(name("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", name("link"));
  fs::create_directory(name("folder"));
  for (const std::string taken : {"pipe", "link", "folder"}) {
    const Status status = write_file_atomically(name(taken), "bytes");
    ASSERT_FALSE(status.has_value()) << taken;
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(status.error().message.find(name(taken)), std::string::npos);
    EXPECT_FALSE(fs::exists(name(taken + ".partial")));
  }
  EXPECT_TRUE(fs::is_fifo(name("pipe")));
}

TEST_F(AtomicFileTest, WritesMoreThanItsBuffer) {
  const std::string large(3'000'001, 'x');
  ASSERT_TRUE(write_file_atomically(name("out"), large).has_value());
  EXPECT_EQ(content(name("out")), large);
}

TEST_F(AtomicFileTest, MovesLeaveOneOwner) {
  Result<AtomicFile> first = AtomicFile::create(name("first"));
  Result<AtomicFile> second = AtomicFile::create(name("second"));
  ASSERT_TRUE(first.has_value() && second.has_value());
  ASSERT_TRUE(second->write("2").has_value());
  *first = std::move(*second);
  EXPECT_FALSE(fs::exists(name("first.partial")));
  ASSERT_TRUE(first->commit().has_value());
  EXPECT_EQ(content(name("second")), "2");
}

TEST_F(AtomicFileTest, FullDiskIsNoSpaceAndNamesTheFile) {
  // Every write to /dev/full fails with ENOSPC.
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  fs::create_symlink("/dev/full", name("out.partial"));
  const Status status = write_file_atomically(name("out"), "bytes");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kNoSpace);
  EXPECT_NE(status.error().message.find(name("out")), std::string::npos);
  EXPECT_FALSE(fs::exists(name("out")));
}

TEST_F(AtomicFileTest, UnwritableFolderIsPermissionDenied) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const Status status = write_file_atomically(name("out"), "bytes");
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kPermissionDenied);
}

TEST_F(AtomicFileTest, MissingFolderIsNotFound) {
  const Status status = write_file_atomically(name("no/such/out"), "bytes");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
}

TEST_F(AtomicFileTest, CreatingExistingFoldersSucceeds) {
  EXPECT_TRUE(create_folders(name("a/b/c")).has_value());
  EXPECT_TRUE(create_folders(name("a/b/c")).has_value());
  std::ofstream(name("file")) << "x";
  EXPECT_FALSE(create_folders(name("file")).has_value());
}

TEST_F(AtomicFileTest, PathsAreAbsoluteAndCanonical) {
  std::filesystem::create_directory(name("real"));
  std::filesystem::create_directory_symlink("real", name("link"));
  EXPECT_EQ(absolute_path(name("link/../link/x")), name("link/x"));
  EXPECT_EQ(canonical_path(name("link/x")), std::filesystem::canonical(name("real")).string() + "/x");
  std::filesystem::create_directory(name("real/deep"));
  std::filesystem::create_directory_symlink("real/deep", name("link-to-deep"));
  EXPECT_EQ(canonical_path(name("link-to-deep/../x")), canonical_path(name("real/x")));
  EXPECT_EQ(canonical_path(name("nowhere/../x")), canonical_path(name("x")));
  EXPECT_EQ(absolute_path("x"), (std::filesystem::current_path() / "x").string());
}

TEST_F(AtomicFileTest, PathsStayRelativeIfTheWorkingFolderIsGone) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directory(name("gone"));
  std::filesystem::current_path(name("gone"));
  std::filesystem::remove(name("gone"));
  const std::string absolute = absolute_path("a/./b");
  const std::string canonical = canonical_path("a/./b");
  std::filesystem::current_path(before);
  EXPECT_EQ(absolute, "a/b");
  EXPECT_EQ(canonical, "a/b");
}

TEST(SystemError, NamesActionFileAndReason) {
  const Error full = system_error("write", "out/x.tsv", ENOSPC);
  EXPECT_EQ(full.code, ErrorCode::kNoSpace);
  EXPECT_EQ(full.message, "cannot write out/x.tsv: No space left on device");
  EXPECT_EQ(system_error("open", "x", EACCES).code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(system_error("open", "x", EROFS).code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(system_error("open", "x", ENOENT).code, ErrorCode::kNotFound);
  EXPECT_EQ(system_error("open", "x", EIO).code, ErrorCode::kInputOutput);
}

}  // namespace
}  // namespace paraprint
