// Folders that hold something else than an index, or links to it: what is somebody's stays as it is.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLetter = "dear friend\n";

Result<std::unique_ptr<PageIndex>> open_index(const std::string& folder, bool is_read_only = false) {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kNone;
  options.read_only = is_read_only;
  return PageIndex::open(folder, options);
}

Status add_text(PageIndex& index, std::uint64_t text) {
  ArticleGenerator generator(text);
  const Profile profile = ArticleGenerator::profile_of(generator.article(3));
  const std::string id = std::to_string(text);
  IndexPageInput input;
  input.id = id;
  input.profile = &profile;
  const Result<PageChange> added = index.add(input);
  if (!added) return tl::unexpected<Error>(added.error());
  return {};
}

void write_letter(const std::string& path) {
  fs::create_directories(fs::path(path).parent_path());
  ASSERT_TRUE(write_file_atomically(path, kLetter));
}

void expect_refused(const std::string& folder, ErrorCode code, bool is_read_only = false) {
  const auto index = open_index(folder, is_read_only);
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().code, code) << index.error().message;
}

TEST(PageIndexFolder, NothingIsCreatedInAFolderOfSomethingElse) {
  const TemporaryFolder folder;
  write_letter(folder / "home/letter");
  expect_refused(folder / "home", ErrorCode::kInvalidArgument);
  EXPECT_EQ(*names_in_folder(folder / "home"), std::vector<std::string>{"letter"});
}

TEST(PageIndexFolder, AFileWithTheNameOfTheLockKeepsItsContent) {
  const TemporaryFolder folder;
  write_letter(folder / "home/lock");
  expect_refused(folder / "home", ErrorCode::kUnsupported);  // it could be a new folder, but for that content
  write_letter(folder / "home/letter");
  expect_refused(folder / "home", ErrorCode::kInvalidArgument);
  EXPECT_EQ(*read_whole_file(folder / "home/lock"), kLetter);
}

TEST(PageIndexFolder, NoLinkLeadsTheLockElsewhere) {
  const TemporaryFolder folder;
  write_letter(folder / "letter");
  ASSERT_TRUE(open_index(folder / "index"));
  fs::remove(folder / "index/lock");
  fs::create_symlink(folder / "letter", folder / "index/lock");
  expect_refused(folder / "index", ErrorCode::kUnsupported);
  expect_refused(folder / "index", ErrorCode::kUnsupported, true);
  EXPECT_EQ(*read_whole_file(folder / "letter"), kLetter);
  fs::remove(folder / "index/lock");
  fs::create_symlink(folder / "nothing", folder / "index/lock");
  expect_refused(folder / "index", ErrorCode::kUnsupported);
  EXPECT_FALSE(fs::exists(folder / "nothing"));
}

TEST(PageIndexFolder, ALockThatIsNoFileIsRefusedAtOnce) {
  const TemporaryFolder folder;
  ASSERT_TRUE(open_index(folder / "index"));
  fs::remove(folder / "index/lock");
  ASSERT_EQ(::mkfifo((folder / "index/lock").c_str(), 0600), 0);
  expect_refused(folder / "index", ErrorCode::kUnsupported);
  expect_refused(folder / "index", ErrorCode::kUnsupported, true);
}

TEST(PageIndexFolder, SnapshotsAreNotMadeThroughALink) {
  const TemporaryFolder folder;
  const auto index = open_index(folder / "index");
  ASSERT_TRUE(index) << index.error().message;
  write_letter(folder / "archive/20240203/letter");
  fs::create_symlink(folder / "archive", folder / "index/snapshots");
  const Status published = (*index)->snapshot();
  ASSERT_FALSE(published);
  EXPECT_EQ(published.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(*names_in_folder(folder / "archive"), std::vector<std::string>{"20240203"});
}

TEST(PageIndexFolder, OnlySnapshotsAreRemovedAmongSnapshots) {
  const TemporaryFolder folder;
  const auto index = open_index(folder / "index");
  ASSERT_TRUE(index) << index.error().message;
  const std::string snapshots = folder / "index/snapshots";
  write_letter(snapshots + "/20240203/letter");
  write_letter(snapshots + "/20240204.partial/letter");
  fs::create_directories(folder / "archive/database");
  fs::create_directory_symlink(folder / "archive", snapshots + "/20240205");
  for (std::uint64_t text = 0; text < 4; ++text) {
    ASSERT_TRUE(add_text(**index, text));
    const Status published = (*index)->snapshot();
    ASSERT_TRUE(published) << published.error().message;
  }
  EXPECT_EQ(*read_whole_file(snapshots + "/20240203/letter"), kLetter);
  EXPECT_EQ(*read_whole_file(snapshots + "/20240204.partial/letter"), kLetter);
  EXPECT_TRUE(fs::exists(folder / "archive/database"));
  EXPECT_FALSE(fs::exists(snapshots + "/20240206"));  // the oldest one of the index
  EXPECT_TRUE(fs::exists(snapshots + "/20240209"));
}

}  // namespace
}  // namespace paraprint
