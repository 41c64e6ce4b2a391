// The log of changes after kills and power cuts: what had been synced is kept, whatever the rest of the log looks like,
// and damage before the last change is not taken for a power cut.
#include <gmock/gmock.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/atomic_file.h"
#include "failing_files.h"
#include "memory/database_fragments.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPages = 20;

IndexOptions small_options() {
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kNone;
  return options;
}

std::string id_of(std::uint64_t page) {
  return "http://site.example/" + std::to_string(page);
}

// The files of an index with pages, as a kill leaves them. Returns the path of its log.
std::string make_killed_index(const std::string& folder, const std::string& copy) {
  auto index = PageIndex::open(folder, small_options());
  EXPECT_TRUE(index);
  for (std::uint64_t page = 0; page < kPages; ++page) {
    ArticleGenerator generator(page);
    const Profile profile = ArticleGenerator::profile_of(generator.article(3));
    const std::string id = id_of(page);
    IndexPageInput input;
    input.url = id;
    input.profile = &profile;
    EXPECT_TRUE((*index)->lookup_or_add(input, {}));
  }
  fs::copy(folder, copy, fs::copy_options::recursive);
  std::string largest;
  for (const auto& entry : fs::directory_iterator(copy + "/database")) {
    if (entry.path().extension() != ".log") continue;
    if (largest.empty() || entry.file_size() > fs::file_size(largest)) largest = entry.path();
  }
  return largest;
}

std::uint64_t pages_in(const std::string& folder) {
  auto index = PageIndex::open(folder, small_options());
  if (!index) {
    ADD_FAILURE() << index.error().message;
    return 0;
  }
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  EXPECT_TRUE(verification && verification->is_clean());
  std::uint64_t pages = 0;
  while ((*index)->get(id_of(pages))) ++pages;
  EXPECT_EQ((*index)->statistics()->pages, pages);
  return pages;
}

std::string file_list_of(const std::string& database) {
  const std::string current = *read_whole_file(database + "/CURRENT");
  return database + "/" + current.substr(0, current.find('\n'));
}

TEST(PageIndexPower, AnEndOfTheLogThatWasNotSyncedIsIgnored) {
  const TemporaryFolder folder;
  const std::string log = make_killed_index(folder / "index", folder / "killed");
  const std::uint64_t size = fs::file_size(log);
  std::uint64_t pages_before = 0;
  for (const std::uint64_t left : {size / 2, size * 2 / 3, size - 100, size - 1}) {
    for (const bool ends_with_zeros : {false, true}) {
      SCOPED_TRACE(left);
      const std::string copy = folder / "cut";
      fs::remove_all(copy);
      fs::copy(folder / "killed", copy, fs::copy_options::recursive);
      const std::string cut = copy + "/database/" + fs::path(log).filename().string();
      fs::resize_file(cut, left);
      if (ends_with_zeros) fs::resize_file(cut, size);
      const std::uint64_t pages = pages_in(copy);
      EXPECT_LT(pages, kPages);
      EXPECT_GE(pages, pages_before);
      pages_before = pages;
      // What was damaged stays behind; the index goes on after it.
      EXPECT_EQ(pages_in(copy), pages);
    }
  }
  EXPECT_EQ(pages_before, kPages - 1);
}

TEST(PageIndexPower, DamageBeforeTheLastChangeIsAnError) {
  const TemporaryFolder folder;
  const std::string log = make_killed_index(folder / "index", folder / "killed");
  std::fstream file(log, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(fs::file_size(log) / 2));
  file.write("damage", 6);
  file.close();
  auto index = PageIndex::open(folder / "killed", small_options());
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().code, ErrorCode::kCorruptData);
  EXPECT_THAT(index.error().message, testing::HasSubstr(folder / "killed/database"));
}

// A killed process may have written more than it had synced. Changes that build on that may be synced in another log.
TEST(PageIndexPower, TheLogOfAKilledProcessIsSyncedBeforeItIsContinued) {
  const TemporaryFolder folder;
  const std::string log = make_killed_index(folder / "index", folder / "killed");
  FileFault fault;
  fault.work = FileWork::kSync;
  fault.path_part = log;
  fault.error = EIO;
  FailingFiles failing(fault);
  auto index = PageIndex::open(folder / "killed", small_options());
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().message, testing::HasSubstr(log));
  failing.end();
  EXPECT_EQ(pages_in(folder / "killed"), kPages);
}

// Every folder that was made for the index, before the file that makes it complete.
TEST(PageIndexPower, AnIndexIsCompleteOnceItsFolderIsDurable) {
  const TemporaryFolder folder;
  const SyncedFiles synced;
  const std::string index_folder = folder / "crawls/known/index";
  FileFault fault;
  fault.work = FileWork::kMake;
  fault.path_part = index_folder + "/format";
  fault.error = EIO;
  FailingFiles failing(fault);
  ASSERT_FALSE(PageIndex::open(index_folder, small_options()));
  EXPECT_EQ(failing.failed(), 1U);
  failing.end();
  for (const std::string& parent : {folder.path(), folder / "crawls", folder / "crawls/known"}) {
    EXPECT_TRUE(SyncedFiles::sizes().contains(parent)) << parent;
  }
}

// RocksDB's list of files, cut off or overwritten by zeros while a record was being added: here a copy of its last one.
TEST(PageIndexPower, AnEndOfTheListOfFilesThatWasNotSyncedIsIgnored) {
  const TemporaryFolder folder;
  make_killed_index(folder / "index", folder / "killed");
  const std::string list = file_list_of(folder / "killed/database");
  const std::string bytes = *read_whole_file(list);
  std::size_t last = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kFragmentHeaderBytes + stated_length(bytes, at)) last = at;
  const std::string record = bytes.substr(last);
  for (std::size_t left = 0; left < record.size(); left += 9) {
    for (const bool ends_with_zeros : {false, true}) {
      SCOPED_TRACE(left);
      fs::remove_all(folder / "cut");
      fs::copy(folder / "killed", folder / "cut", fs::copy_options::recursive);
      const std::string cut = file_list_of(folder / "cut/database");
      ASSERT_TRUE(write_file_atomically(cut, bytes + record.substr(0, left)));
      if (ends_with_zeros) fs::resize_file(cut, bytes.size() + record.size());
      EXPECT_EQ(pages_in(folder / "cut"), kPages);
    }
  }
}

TEST(PageIndexPower, DamageInTheListOfFilesIsAnError) {
  const TemporaryFolder folder;
  make_killed_index(folder / "index", folder / "killed");
  const std::string list = file_list_of(folder / "killed/database");
  const std::string bytes = *read_whole_file(list);
  for (const std::size_t damaged : {bytes.size() / 3, bytes.size() - 1}) {
    std::string other = bytes;
    other[damaged] = static_cast<char>(other[damaged] ^ 0x55);
    ASSERT_TRUE(write_file_atomically(list, other + std::string(10, '\0')));
    const auto index = PageIndex::open(folder / "killed", small_options());
    ASSERT_FALSE(index);
    EXPECT_EQ(index.error().code, ErrorCode::kCorruptData);
  }
}

}  // namespace
}  // namespace paraprint
