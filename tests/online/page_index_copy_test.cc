// Two copies of an index to one folder at the same time, and copies that were interrupted.
#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <string>

#include "failing_files.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPages = 20;

std::unique_ptr<PageIndex> open_index(const std::string& folder) {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kNone;
  auto index = PageIndex::open(folder, options);
  EXPECT_TRUE(index) << index.error().message;
  return index ? std::move(*index) : nullptr;
}

std::unique_ptr<PageIndex> filled_index(const std::string& folder) {
  std::unique_ptr<PageIndex> index = open_index(folder);
  for (std::uint64_t page = 0; page < kPages; ++page) {
    ArticleGenerator generator(page);
    const Profile profile = ArticleGenerator::profile_of(generator.article(3));
    const std::string id = std::to_string(page);
    IndexPageInput input;
    input.id = id;
    input.profile = &profile;
    EXPECT_TRUE(index->add(input));
  }
  return index;
}

void expect_whole(const std::string& folder) {
  const std::unique_ptr<PageIndex> index = open_index(folder);
  ASSERT_NE(index, nullptr);
  EXPECT_EQ(index->statistics()->pages, kPages);
  EXPECT_TRUE(index->verify(true)->is_clean());
  EXPECT_FALSE(fs::exists(folder + "/copying"));
  EXPECT_FALSE(fs::exists(folder + ".partial"));
}

// A restore begins while `copy` writes the folder "copy".
template <class Copy>
void expect_one_copy(const TemporaryFolder& folder, const Copy& copy) {
  bool has_begun = false;
  Status second;
  FileFault fault;
  fault.path_part = folder / "copy.partial/database";
  fault.moment = [&] {
    has_begun = true;
    second = restore_index(folder / "backup", folder / "copy");
  };
  Status first;
  {
    const FailingFiles held(fault);
    first = copy();
  }
  ASSERT_TRUE(has_begun);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(second.error().message, ::testing::HasSubstr("another copy to " + (folder / "copy")));
  expect_whole(folder / "copy");
}

TEST(PageIndexCopy, ARestoreKeepsOthersFromItsFolder) {
  const TemporaryFolder folder;
  const std::unique_ptr<PageIndex> index = filled_index(folder / "index");
  ASSERT_TRUE(index->backup(folder / "backup"));
  expect_one_copy(folder, [&] { return restore_index(folder / "backup", folder / "copy"); });
}

TEST(PageIndexCopy, ABackupKeepsOthersFromItsFolder) {
  const TemporaryFolder folder;
  const std::unique_ptr<PageIndex> index = filled_index(folder / "index");
  ASSERT_TRUE(index->backup(folder / "backup"));
  expect_one_copy(folder, [&] { return index->backup(folder / "copy"); });
}

TEST(PageIndexCopy, ReplacesAnInterruptedOneAndNothingElse) {
  const TemporaryFolder folder;
  const std::unique_ptr<PageIndex> index = filled_index(folder / "index");
  fs::create_directories(folder / "copy.partial/tables/more");
  fs::create_directories(folder / "copy.partial/copying.d");
  const Status refused = index->backup(folder / "copy");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("copying.d"));
  fs::rename(folder / "copy.partial/copying.d", folder / "copy.partial/lock.partial");
  fs::create_directories(folder / "copy.partial/database.tmp/more");
  ASSERT_TRUE(index->backup(folder / "copy"));
  expect_whole(folder / "copy");
  fs::create_directories(folder / "elsewhere/tables");
  fs::create_directory_symlink(folder / "elsewhere", folder / "other.partial");
  EXPECT_FALSE(index->backup(folder / "other"));
  EXPECT_TRUE(fs::exists(folder / "elsewhere/tables"));
}

}  // namespace
}  // namespace paraprint
