// The index on a failing disk: every kind of call fails at many moments while pages are added, search tables are
// written and merged, and the index is compacted and backed up. Failures are reported with the file, acknowledged
// changes are kept, and lookups still work.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/propagate.h"
#include "failing_files.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPages = 200;
constexpr std::uint64_t kLater = 100'000;  // a page added at the end

IndexOptions small_options(SyncMode sync = SyncMode::kNone) {
  IndexOptions options;
  options.identity = "test";
  options.sync = sync;
  options.head_pages = 64;  // small, so that a few pages are enough for writing and merging search tables
  return options;
}

const Profile& profile_of(std::uint64_t page) {
  static std::map<std::uint64_t, Profile> made;
  const auto [found, is_new] = made.try_emplace(page);
  if (is_new) {
    ArticleGenerator generator(page);
    found->second = ArticleGenerator::profile_of(generator.article(3));
  }
  return found->second;
}

std::string id_of(std::uint64_t page) {
  return fmt::format("http://site{}.example/{}", page % 5, page);
}

Status add_page(PageIndex& index, std::uint64_t page) {
  const std::string id = id_of(page);
  IndexPageInput input;
  input.url = id;
  input.profile = &profile_of(page);
  const Result<AddOutcome> added = index.lookup_or_add(input, {});
  if (!added) return tl::unexpected<Error>(added.error());
  return {};
}

Result<LookupOutcome> lookup_page(const PageIndex& index, std::uint64_t page) {
  IndexPageInput input;
  input.url = "http://elsewhere.example/";
  input.profile = &profile_of(page);
  return index.lookup(input, {});
}

// The acknowledged changes.
struct Work {
  std::set<std::uint64_t> added;
  std::set<std::uint64_t> removed;
  std::vector<std::string> backups;
  std::uint64_t refused = 0;
};

// Makes all kinds of changes. Every error must name the file and the cause.
Work do_everything(PageIndex& index, const std::string& folder) {
  Work work;
  const auto is_done = [&](const Status& status) {
    if (status) return true;
    ++work.refused;
    EXPECT_THAT(status.error().code, ::testing::AnyOf(ErrorCode::kNoSpace, ErrorCode::kInputOutput));
    EXPECT_THAT(status.error().message, ::testing::HasSubstr(folder));
    return false;
  };
  for (std::uint64_t page = 0; page < kPages; ++page) {
    if (is_done(add_page(index, page))) work.added.insert(page);
    if (page % 10 == 9) {
      const Result<bool> removed = index.remove(id_of(page - 5));
      if (is_done(removed ? Status() : tl::unexpected<Error>(removed.error()))) {
        work.added.erase(page - 5);
        work.removed.insert(page - 5);
      } else {
        work.added.erase(page - 5);  // may or may not have been removed
      }
    }
    if (page % 80 == 79) is_done(index.compact());
    if (page % 90 == 89) {
      const std::string backup = fmt::format("{}/backup{}", folder, page);
      if (is_done(index.backup(backup))) {
        work.backups.push_back(backup);
      } else {
        EXPECT_FALSE(fs::exists(backup));
      }
    }
  }
  return work;
}

void expect_all_there(const PageIndex& index, const Work& work) {
  for (const std::uint64_t page : work.added) {
    const Result<LookupOutcome> answer = lookup_page(index, page);
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->verdict, Verdict::kSame) << page;
    ASSERT_TRUE(index.get(id_of(page))) << page;
  }
  for (const std::uint64_t page : work.removed) {
    ASSERT_EQ(index.get(id_of(page)).error().code, ErrorCode::kNotFound) << page;
  }
}

void expect_clean(const PageIndex& index) {
  const Result<VerifyOutcome> verification = index.verify(true);
  ASSERT_TRUE(verification) << verification.error().message;
  for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
}

void expect_whole(const std::string& folder, const Work& work) {
  auto index = PageIndex::open(folder + "/index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  expect_all_there(**index, work);
  expect_clean(**index);
  EXPECT_TRUE(add_page(**index, kLater));
  for (const std::string& backup : work.backups) {
    const Status restored = restore_index(backup, backup + "-restored");
    ASSERT_TRUE(restored) << restored.error().message;
  }
}

// Returns how many calls the fault could have affected.
std::uint64_t try_fault(const FileFault& described) {
  const TemporaryFolder folder;
  FileFault fault = described;
  fault.path_part = folder / fault.path_part;
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;
  Work work;
  {
    const SyncMode sync = fault.work == FileWork::kSync ? SyncMode::kAlways : SyncMode::kNone;
    auto index = PageIndex::open(folder / "index", small_options(sync));
    if (!index) {
      ADD_FAILURE() << index.error().message;
      return 0;
    }
    FailingFiles failing(fault);
    work = do_everything(**index, folder.path());
    calls = failing.calls();
    failed = failing.failed();
    expect_all_there(**index, work);
    failing.end();
    // Once the disk works again, the index accepts changes or says what to do.
    if (const Status added = add_page(**index, kLater); !added) {
      EXPECT_THAT(added.error().message, ::testing::AnyOf(::testing::HasSubstr("until it is opened again"),
                                                          ::testing::HasSubstr("free disk space and try again")));
    }
    expect_all_there(**index, work);
  }
  if (fault.error == 0) {
    EXPECT_EQ(work.refused, 0U);
    EXPECT_GT(failed, 0U);
  }
  expect_whole(folder.path(), work);
  return calls;
}

struct Case {
  FileWork work;
  int error;
  std::string part;  // of the folder
};

// Names the case in messages of failing tests.
void PrintTo(const Case& tested, std::ostream* out) {
  *out << "call " << static_cast<int>(tested.work) << ", error " << tested.error << ", " << tested.part;
}

class PageIndexIo : public testing::TestWithParam<Case> {};

TEST_P(PageIndexIo, FailedCallsAreReportedAndLoseNothing) {
  const Case& tested = GetParam();
  FileFault fault;
  fault.work = tested.work;
  fault.path_part = tested.part;
  fault.error = tested.error;
  fault.after = UINT64_MAX;
  const std::uint64_t calls = try_fault(fault);
  ASSERT_GT(calls, 0U);
  constexpr std::uint64_t kMoments = 6;
  for (std::uint64_t moment = 0; moment < kMoments; ++moment) {
    fault.after = calls * moment / kMoments + moment / 2;
    fault.is_lasting = moment % 2 == 0;
    SCOPED_TRACE(fmt::format("from call {} of {}{}", fault.after, calls, fault.is_lasting ? " on" : " alone"));
    try_fault(fault);
  }
}

INSTANTIATE_TEST_SUITE_P(FullDisk, PageIndexIo,
                         testing::Values(Case{FileWork::kWrite, ENOSPC, "index/database"},
                                         Case{FileWork::kWrite, ENOSPC, "index/tables"},
                                         Case{FileWork::kWrite, ENOSPC, "backup"}, Case{FileWork::kMake, ENOSPC, ""}));
INSTANTIATE_TEST_SUITE_P(FailingDisk, PageIndexIo,
                         testing::Values(Case{FileWork::kWrite, EIO, "index"}, Case{FileWork::kSync, EIO, "index"},
                                         Case{FileWork::kSync, EIO, "backup"}));

TEST(PageIndexIoParts, PartialWritesChangeNothing) {
  FileFault fault;
  fault.work = FileWork::kWrite;
  try_fault(fault);
}

void fill(const std::string& folder) {
  auto index = PageIndex::open(folder, small_options());
  ASSERT_TRUE(index) << index.error().message;
  for (std::uint64_t page = 0; page < kPages; ++page) {
    ASSERT_TRUE(add_page(**index, page));
    if (page == kPages / 2) {
      ASSERT_TRUE((*index)->compact());  // half of the pages in files, the others in logs
    }
  }
}

Work all_pages() {
  Work work;
  for (std::uint64_t page = 0; page < kPages; ++page) work.added.insert(page);
  return work;
}

TEST(PageIndexIoParts, PartialReadsChangeNothing) {
  const TemporaryFolder folder;
  fill(folder / "index");
  FileFault fault;
  fault.work = FileWork::kRead;
  fault.path_part = folder.path();
  const FailingFiles failing(fault);
  expect_whole(folder.path(), all_pages());
  EXPECT_GT(failing.failed(), 0U);
}

// Opens the index and looks everything up; returns whether any error or warning was reported.
bool is_failure_named(const std::string& folder) {
  auto index = PageIndex::open(folder, small_options());
  if (!index) {
    EXPECT_THAT(index.error().message, ::testing::HasSubstr(folder));
    return true;
  }
  bool is_named = !(*index)->statistics()->warnings.empty();
  for (const std::uint64_t page : all_pages().added) {
    const Result<LookupOutcome> answer = lookup_page(**index, page);
    if (answer) {
      EXPECT_EQ(answer->verdict, Verdict::kSame) << page;
      continue;
    }
    EXPECT_THAT(answer.error().message, ::testing::HasSubstr(folder));
    is_named = true;
  }
  return is_named;
}

TEST(PageIndexIoParts, FailedReadsAreReportedAndNeverGiveWrongAnswers) {
  const TemporaryFolder folder;
  fill(folder / "index");
  FileFault fault;
  fault.work = FileWork::kRead;
  fault.path_part = folder / "copy";
  fault.error = EIO;
  std::uint64_t named = 0;
  std::uint64_t calls = UINT64_MAX;
  for (fault.after = 0; fault.after < calls; ++fault.after) {
    fault.is_lasting = fault.after % 2 == 0;
    SCOPED_TRACE(fmt::format("call {}{}", fault.after, fault.is_lasting ? " on" : " alone"));
    fs::remove_all(folder / "copy");
    fs::copy(folder / "index", folder / "copy", fs::copy_options::recursive);
    {
      FailingFiles failing(fault);
      named += is_failure_named(folder / "copy") ? 1 : 0;
      if (failing.failed() == 0) calls = failing.calls();
    }
    // The failures have not damaged anything.
    auto index = PageIndex::open(folder / "copy", small_options());
    ASSERT_TRUE(index) << index.error().message;
    expect_all_there(**index, all_pages());
  }
  EXPECT_GT(named, 10U);
}

// A lookup that meets a text removed before searches again once the removal in progress is over, not all the time.
TEST(PageIndexIoParts, LookupsWaitForARemovalThatTheDiskHolds) {
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  for (std::uint64_t page = 0; page < 10; ++page) ASSERT_TRUE(add_page(**index, page));
  ASSERT_TRUE((*index)->remove(id_of(0)));
  const Result<LookupOutcome> alone = lookup_page(**index, 0);
  ASSERT_TRUE(alone) << alone.error().message;
  ASSERT_GT(alone->work.table_hits, 0U);  // it meets the text that was removed

  std::future<Result<LookupOutcome>> looking;
  FileFault fault;
  fault.work = FileWork::kWrite;
  fault.path_part = folder / "index/database";
  fault.moment = [&] {
    looking = std::async(std::launch::async, [&] { return lookup_page(**index, 0); });
    looking.wait_for(std::chrono::milliseconds(300));
  };
  const FailingFiles held(fault);
  ASSERT_TRUE((*index)->remove(id_of(1)));
  ASSERT_TRUE(looking.valid());
  const Result<LookupOutcome> answer = looking.get();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->verdict, Verdict::kDistinct);
  EXPECT_LE(answer->work.table_hits, 4 * alone->work.table_hits);
}

// Full heads are not written while a copy holds the files. Texts beyond the heads that may wait come after it.
TEST(PageIndexIoParts, AddsWaitForHeadsThatABackupHolds) {
  constexpr std::uint64_t kMany = 700;  // texts, in eleven heads
  constexpr std::chrono::milliseconds kPause{100};
  const TemporaryFolder folder;
  auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_TRUE(add_page(**index, 0));

  std::atomic<std::uint64_t> added = 1;
  std::future<Status> adding;
  FileFault fault;
  fault.work = FileWork::kMake;
  fault.path_part = folder / "backup.partial/database";
  fault.moment = [&] {
    adding = std::async(std::launch::async, [&]() -> Status {
      for (; added < kMany; ++added) PARAPRINT_TRY(add_page(**index, added));
      return {};
    });
    // Until it cannot go on.
    for (std::uint64_t before = 0; before != added;) {
      before = added;
      adding.wait_for(kPause);
    }
  };
  {
    const FailingFiles held(fault);
    const Status copied = (*index)->backup(folder / "backup");
    ASSERT_TRUE(copied) << copied.error().message;
  }
  ASSERT_TRUE(adding.valid());
  const Status all = adding.get();
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ((*index)->statistics()->texts, kMany);
  expect_clean(**index);
}

// A program that cannot wait is told to come again instead.
TEST(PageIndexIoParts, AddsAreRefusedWhereNoneMayWait) {
  constexpr std::uint64_t kMany = 700;
  const TemporaryFolder folder;
  IndexOptions options = small_options();
  options.waiting_maximum = 0;
  auto index = PageIndex::open(folder / "index", options);
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_TRUE(add_page(**index, 0));

  std::uint64_t added = 1;
  Status refused;
  FileFault fault;
  fault.work = FileWork::kMake;
  fault.path_part = folder / "backup.partial/database";
  fault.moment = [&] {
    std::async(std::launch::async, [&] {
      while (added < kMany && (refused = add_page(**index, added))) ++added;
    }).wait();
    EXPECT_TRUE((*index)->check_writable());
    EXPECT_TRUE(lookup_page(**index, 0));
  };
  {
    const FailingFiles held(fault);
    const Status copied = (*index)->backup(folder / "backup");
    ASSERT_TRUE(copied) << copied.error().message;
  }
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNoSpace);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr(folder / "index"));
  EXPECT_FALSE((*index)->is_about_page(refused.error()));
  EXPECT_EQ((*index)->get(id_of(added)).error().code, ErrorCode::kNotFound);

  for (int attempt = 0; attempt < 600 && !refused; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    refused = add_page(**index, added);
  }
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_EQ((*index)->statistics()->texts, added + 1);
  expect_clean(**index);
}

// The counts of votes are written, but not the list of files that would name them.
TEST(PageIndexIoParts, VotesOfDeletedPagesAreWrittenAgainAfterAFailure) {
  const TemporaryFolder folder;
  {
    auto index = PageIndex::open(folder / "index", small_options());
    ASSERT_TRUE(index) << index.error().message;
    for (std::uint64_t page = 0; page < 5; ++page) ASSERT_TRUE(add_page(**index, page));
    ASSERT_EQ((*index)->statistics()->sites, 5U);
    for (std::uint64_t page = 0; page < 5; ++page) ASSERT_TRUE((*index)->remove(id_of(page)));
    FileFault fault;
    fault.work = FileWork::kMake;
    fault.path_part = "tables/manifest";
    fault.error = ENOSPC;
    fault.is_lasting = false;
    const FailingFiles failing(fault);
    EXPECT_FALSE((*index)->backup(folder / "copy"));
    EXPECT_EQ(failing.failed(), 1U);
  }
  const auto index = PageIndex::open(folder / "index", small_options());
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ((*index)->statistics()->sites, 5U);
}

// With one thread, there is no other sync to share.
TEST(PageIndexIoParts, ChangesThatDoNotWaitShareOneSync) {
  constexpr std::uint64_t kCounted = 40;
  const TemporaryFolder folder;
  IndexOptions options = small_options(SyncMode::kAlways);
  options.head_pages = 16384;  // keeps search tables from being written during the test
  auto index = PageIndex::open(folder / "index", options);
  ASSERT_TRUE(index) << index.error().message;
  FileFault fault;
  fault.work = FileWork::kSync;
  fault.path_part = folder / "index/database";
  fault.error = EIO;
  const auto add = [&](std::uint64_t page, bool waits) {
    const std::string id = id_of(page);
    IndexPageInput input;
    input.url = id;
    input.profile = &profile_of(page);
    AddOptions add_options;
    add_options.wait_for_sync = waits;
    return (*index)->lookup_or_add(input, add_options).has_value();
  };
  {
    fault.after = 1'000'000;  // none fails
    const FailingFiles counted(fault);
    for (std::uint64_t page = 0; page < kCounted; ++page) EXPECT_TRUE(add(page, true));
    EXPECT_EQ(counted.calls(), kCounted);
    for (std::uint64_t page = kCounted; page < 2 * kCounted; ++page) EXPECT_TRUE(add(page, false));
    EXPECT_EQ(counted.calls(), kCounted);
    EXPECT_TRUE((*index)->sync());
    EXPECT_EQ(counted.calls(), kCounted + 1);
  }
  fault.after = 0;
  FailingFiles failing(fault);
  EXPECT_TRUE(add(2 * kCounted, false));
  const Status synced = (*index)->sync();
  ASSERT_FALSE(synced);
  EXPECT_THAT(synced.error().message, ::testing::HasSubstr(folder / "index"));
  failing.end();
  EXPECT_FALSE(add(2 * kCounted + 1, true));
  EXPECT_FALSE((*index)->sync());
}

}  // namespace
}  // namespace paraprint
