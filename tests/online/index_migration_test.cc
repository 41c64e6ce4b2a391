// Migrating an index: on a failing disk, killed before any of its file operations, stopped, in use, and from formats
// that cannot be migrated. Whatever happens, the older format or the newest one is there with all pages, and the same
// call completes it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "failing_files.h"
#include "online/generated_profiles.h"
#include "online/index_format.h"
#include "online/killed_child.h"
#include "online/older_index.h"
#include "paraprint/index.h"
#include "store/index_database.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::uint64_t kPages = 150;
constexpr const char* kIdentity = "paraprint-profile/5 extractor=learned-dom anchors=2 text-data=01";

IndexOptions index_options(bool create = false) {
  IndexOptions options;
  if (create) options.identity = kIdentity;
  options.create_if_missing = create;
  options.sync = SyncMode::kNone;
  options.head_pages = 64;
  return options;
}

Profile profile_of(std::uint64_t page) {
  ArticleGenerator generator(page);
  return ArticleGenerator::profile_of(generator.article(3));
}

// Makes an index of format 4 in `folder`.
void make_older_index(const std::string& folder, const std::string& identity = kIdentity) {
  {
    auto index = PageIndex::open(folder, index_options(true));
    ASSERT_TRUE(index) << index.error().message;
    for (std::uint64_t page = 0; page < kPages; ++page) {
      const std::string url = fmt::format("http://site{}.example/{}", page % 5, page);
      const Profile profile = profile_of(page);
      IndexPageInput input;
      input.url = url;
      input.profile = &profile;
      ASSERT_TRUE((*index)->lookup_or_add(input, {}));
    }
  }
  make_format_4(folder, identity);
}

void expect_migrated(const std::string& folder) {
  EXPECT_EQ(*read_index_format(folder), kIndexFormat.version);
  auto index = PageIndex::open(folder, index_options());
  ASSERT_TRUE(index) << index.error().message;
  const Result<VerifyOutcome> verified = (*index)->verify(true);
  ASSERT_TRUE(verified);
  EXPECT_TRUE(verified->is_clean()) << verified->findings.front().what;
  EXPECT_EQ(verified->pages, kPages);
  const Result<IndexStatistics> statistics = (*index)->statistics();
  ASSERT_EQ(statistics->generations.size(), 1U);
  EXPECT_EQ(statistics->generations[0].identity, kIdentity);
  EXPECT_EQ(statistics->generations[0].added, kPages);
  const Profile known = profile_of(7);
  IndexPageInput input;
  input.profile = &known;
  EXPECT_EQ((*index)->lookup(input, {})->matches.front().page.id, "http://site2.example/7");
}

// Either format is complete: this one opens, or the migration is still to be done and an older build finds what it
// needs, the identity and its own "format".
void expect_readable(const std::string& folder, std::uint64_t moment) {
  const Result<std::uint32_t> version = read_index_format(folder);
  ASSERT_TRUE(version) << moment;
  ASSERT_TRUE(*version >= 4 && *version <= kIndexFormat.version) << moment;
  const auto opened = PageIndex::open(folder, index_options());
  EXPECT_EQ(opened.has_value(), *version == kIndexFormat.version) << moment;
  if (*version != 4) return;
  EXPECT_EQ(*read_whole_file(folder + "/format"), "paraprint index 4\n") << moment;
  const auto database = IndexDatabase::open(folder + "/database", DatabaseAccess::kRead);
  ASSERT_TRUE(database) << moment;
  std::string identity;
  EXPECT_TRUE(*(*database)->get_setting("identity", identity)) << moment;
  EXPECT_EQ(identity, kIdentity) << moment;
}

// Files below a folder with their content, except the lock.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "lock") continue;
    files.push_back(entry.path().string() + "\n" + *read_whole_file(entry.path().string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

class IndexMigrationTest : public ::testing::Test {
 protected:
  std::string copy() {
    const std::string made = folder_ / fmt::format("copy-{}", copies_++);
    fs::copy(older_, made, fs::copy_options::recursive);
    return made;
  }

  TemporaryFolder folder_;
  std::string older_ = folder_ / "older";
  int copies_ = 0;
};

TEST_F(IndexMigrationTest, ConvertsInPlaceOnce) {
  make_older_index(older_);
  const auto refused = PageIndex::open(older_, index_options());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("run 'paraprint index migrate " + older_ + "'"));
  const std::vector<std::string> before = files_of(older_);
  const Result<IndexMigration> planned = plan_index_migration(older_);
  ASSERT_TRUE(planned) << planned.error().message;
  EXPECT_EQ(planned->from, 4U);
  EXPECT_EQ(planned->to, kIndexFormat.version);
  EXPECT_THAT(planned->steps, ElementsAre(StartsWith("format 4 to 5: "), StartsWith("format 5 to 6: ")));
  EXPECT_EQ(files_of(older_), before) << "planning changed the index";
  const Result<IndexMigration> migrated = migrate_index(older_);
  ASSERT_TRUE(migrated) << migrated.error().message;
  EXPECT_EQ(migrated->steps, planned->steps);
  expect_migrated(older_);
  EXPECT_THAT(migrate_index(older_)->steps, IsEmpty());
  EXPECT_THAT(plan_index_migration(older_)->steps, IsEmpty());
  expect_migrated(older_);
}

TEST_F(IndexMigrationTest, RebuildsSearchTablesWithProgress) {
  make_older_index(older_);
  fs::remove(older_ + "/tables/manifest");
  std::vector<std::string> warnings;
  RunControl control;
  control.warning = [&](std::string_view line) { warnings.emplace_back(line); };
  ASSERT_TRUE(migrate_index(older_, control));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("rebuilding all search tables")));
  expect_migrated(older_);
}

TEST_F(IndexMigrationTest, IsCompletedAfterAFailedDisk) {
  make_older_index(older_);
  for (const FileWork work : {FileWork::kRead, FileWork::kWrite, FileWork::kSync, FileWork::kMake}) {
    bool is_done = false;
    for (std::uint64_t after = 0; !is_done; after += 1 + after / 16) {
      const std::string folder = copy();
      {
        FileFault broken;
        broken.work = work;
        broken.path_part = folder;
        broken.error = EIO;
        broken.after = after;
        const FailingFiles fault(broken);
        const Result<IndexMigration> migrated = migrate_index(folder);
        is_done = fault.failed() == 0;
        EXPECT_TRUE(migrated || !is_done);
      }
      expect_readable(folder, after);
      const Result<IndexMigration> again = migrate_index(folder);
      ASSERT_TRUE(again) << static_cast<int>(work) << " " << after << ": " << again.error().message;
      if (after % 8 == 0 || is_done) expect_migrated(folder);
      fs::remove_all(folder);
    }
  }
}

TEST(MigratingChild, DISABLED_Migrates) {
  const KilledChild child;
  if (child.is_here()) KilledChild::exit_with(migrate_index(child.folder()).has_value());
}

TEST_F(IndexMigrationTest, IsCompletedAfterAKill) {
  make_older_index(older_);
  for (const FileWork work : {FileWork::kWrite, FileWork::kSync, FileWork::kMake}) {
    bool is_done = false;
    for (std::uint64_t after = 0; !is_done; after += 1 + after / 16) {
      const std::string folder = copy();
      is_done = run_until_killed("MigratingChild.DISABLED_Migrates", folder, work, folder, after);
      ASSERT_FALSE(HasFailure());
      expect_readable(folder, after);
      ASSERT_TRUE(migrate_index(folder)) << static_cast<int>(work) << " " << after;
      if (after % 8 == 0 || is_done) expect_migrated(folder);
      fs::remove_all(folder);
    }
  }
}

TEST_F(IndexMigrationTest, StopsWhenAsked) {
  make_older_index(older_);
  const std::atomic<bool> stop = true;
  RunControl control;
  control.stop = &stop;
  EXPECT_EQ(migrate_index(older_, control).error().code, ErrorCode::kCancelled);
  expect_readable(older_, 0);
  ASSERT_TRUE(migrate_index(older_));
  expect_migrated(older_);
}

TEST_F(IndexMigrationTest, RefusesAnIndexInUse) {
  ASSERT_TRUE(PageIndex::open(older_, index_options(true)));
  const auto index = PageIndex::open(older_, index_options());
  ASSERT_TRUE(index);
  for (const Result<IndexMigration>& refused : {migrate_index(older_), plan_index_migration(older_)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr(fmt::format("open in another process (pid {})", ::getpid())));
  }
}

TEST_F(IndexMigrationTest, RefusesWhatIsNoIndexAndLeavesIt) {
  fs::create_directories(older_);
  EXPECT_EQ(migrate_index(older_).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(fs::is_empty(older_));
  EXPECT_EQ(migrate_index(folder_ / "missing").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(folder_ / "missing"));
}

TEST_F(IndexMigrationTest, RefusesFormatsFromBeforeTheFirstRelease) {
  make_older_index(older_, "paraprint-profile/4 extractor=learned-dom anchors=2 text-data=01");
  for (const Result<IndexMigration>& refused : {plan_index_migration(older_), migrate_index(older_)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("its profiles have format 4"));
    EXPECT_THAT(refused.error().message, HasSubstr("add them to a new index"));
  }
  EXPECT_EQ(*read_whole_file(older_ + "/format"), "paraprint index 4\n");
  for (const char* format : {"paraprint index 3\n", "paraprint index 7\nneeds paraprint 0.9.0\n", "nonsense"}) {
    std::ofstream(older_ + "/format") << format;
    EXPECT_EQ(migrate_index(older_).error().code, ErrorCode::kUnsupported) << format;
    EXPECT_EQ(*read_whole_file(older_ + "/format"), format);
  }
}

TEST_F(IndexMigrationTest, RestoresABackupOfAnOlderFormat) {
  make_older_index(older_);
  const std::vector<std::string> before = files_of(older_);
  const Status restored = restore_index(older_, folder_ / "restored");
  ASSERT_TRUE(restored) << restored.error().message;
  expect_migrated(folder_ / "restored");
  EXPECT_EQ(files_of(older_), before) << "restoring changed the backup";
}

TEST_F(IndexMigrationTest, PublishesASnapshotOfTheNewFormat) {
  make_older_index(older_);
  fs::create_directories(older_ + "/snapshots/00000001");
  std::ofstream(older_ + "/snapshots/00000001/format") << "paraprint index 4\n";
  std::ofstream(older_ + "/snapshots/current") << "1\n1700000000\n1\n";
  IndexOptions reading = index_options();
  reading.read_only = true;
  EXPECT_EQ(PageIndex::open(older_, reading).error().code, ErrorCode::kUnsupported);
  ASSERT_TRUE(migrate_index(older_));
  const auto reader = PageIndex::open(older_, reading);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ((*reader)->statistics()->pages, kPages);
  EXPECT_EQ((*reader)->statistics()->snapshot, 2U);
}

// A step that changes nothing in the database leaves the number of the last change as it is.
TEST_F(IndexMigrationTest, PublishesASnapshotOfTheNewFormatAlsoWithoutAChange) {
  {
    const auto index = PageIndex::open(older_, index_options(true));
    ASSERT_TRUE(index) << index.error().message;
    ASSERT_TRUE((*index)->snapshot());
  }
  for (const std::string folder : {older_, older_ + "/snapshots/00000001"}) {
    std::ofstream(folder + "/format") << "paraprint index 5\n";
  }
  const Result<IndexMigration> migrated = migrate_index(older_);
  ASSERT_TRUE(migrated) << migrated.error().message;
  EXPECT_THAT(migrated->steps, ElementsAre(StartsWith("format 5 to 6: ")));
  IndexOptions reading = index_options();
  reading.read_only = true;
  auto reader = PageIndex::open(older_, reading);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ((*reader)->statistics()->snapshot, 2U);
  const auto index = PageIndex::open(older_, index_options());
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_TRUE((*index)->snapshot());
  EXPECT_EQ((*index)->statistics()->snapshot, 2U) << "nothing has changed since";
}

}  // namespace
}  // namespace paraprint
