// The event log on a disk that is full, fails, or writes half of what it was given, and its readers without memory.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <vector>

#include "failing_files.h"
#include "feed/event_filter.h"
#include "feed/feed_log_fixture.h"
#include "simulation/failing_memory.h"

namespace paraprint {
namespace {

using EventLogFaultTest = EventLogTest;

// Whichever write fails: what was acknowledged is there, what was not is not, and the log goes on when there is room.
TEST_F(EventLogFaultTest, SurvivesAFullDiskAtEveryWrite) {
  options_.segment_bytes = 400;
  for (const FileWork work : {FileWork::kWrite, FileWork::kMake}) {
    for (const int error : {ENOSPC, 0}) {
      if (work == FileWork::kMake && error == 0) continue;
      for (std::uint64_t after = 0; after < 40; ++after) {
        SCOPED_TRACE(fmt::format("{} {} {}", static_cast<int>(work), error, after));
        const TemporaryFolder folder;
        options_.folder = folder / "feed";
        next_ = 1;
        open();
        std::vector<std::string> acknowledged;
        std::uint64_t failed = 0;
        bool is_reached = false;
        {
          FailingFiles full({.work = work, .path_part = "/feed/", .error = error, .after = after, .moment = {}});
          for (int i = 0; i < 30; ++i) {
            const Result<EventLog::AppendTicket> ticket = log_->append(R"("id":"a page")");
            if (ticket) acknowledged.push_back(fmt::format("{}", ticket->number));
            if (!ticket && error == ENOSPC) {
              EXPECT_EQ(ticket.error().code, ErrorCode::kNoSpace);
            }
            if (!ticket) full.end();
            failed += ticket ? 0 : 1;
          }
          is_reached = full.failed() > (work == FileWork::kWrite ? 1U : 0U);  // the first write is cut short
        }
        // With an error of 0, half of the bytes are written, and the rest after them.
        EXPECT_EQ(failed, error == ENOSPC && is_reached ? 1U : 0U);
        EXPECT_EQ(acknowledged, numbers(1, acknowledged.size()));
        EXPECT_EQ(read_all(0), acknowledged);
        next_ = acknowledged.size() + 1;
        open();
        EXPECT_EQ(warnings_.size(), 0U);
        append_numbered(3);
        EXPECT_EQ(read_all(0), numbers(1, acknowledged.size() + 3));
      }
    }
  }
}

TEST_F(EventLogFaultTest, RefusesForASecondAfterAFullDisk) {
  open();
  {
    const FailingFiles full({.work = FileWork::kWrite, .path_part = "/feed/", .error = ENOSPC, .moment = {}});
    EXPECT_FALSE(append("a"));
    const Status refused = log_->check_writable();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kNoSpace);
  }
  now_ += 1000;
  EXPECT_TRUE(log_->check_writable());
  EXPECT_TRUE(append("b"));
  EXPECT_EQ(read_all(0), numbers(1, 1));
}

// After a failed sync nobody knows what is on the disk.
TEST_F(EventLogFaultTest, AFailedSyncIsLasting) {
  options_.sync = SyncMode::kAlways;
  open();
  const Result<EventLog::AppendTicket> durable = log_->append(R"("id":"a")");
  ASSERT_TRUE(log_->wait(*durable));
  const Result<EventLog::AppendTicket> lost = log_->append(R"("id":"b")");
  {
    const FailingFiles fault({.work = FileWork::kSync, .path_part = "/feed/", .error = EIO, .moment = {}});
    EXPECT_FALSE(log_->wait(*lost));
  }
  EXPECT_FALSE(log_->sync());
  EXPECT_FALSE(log_->append(R"("id":"c")"));
  EXPECT_FALSE(log_->check_writable());
  EXPECT_EQ(read_all(0), numbers(1, 1));  // readers get what is certain
}

TEST_F(EventLogFaultTest, TellsThatAFileCannotBeRead) {
  open();
  append_numbered(3);
  const FailingFiles fault({.work = FileWork::kRead, .path_part = "/feed/", .error = EIO, .moment = {}});
  EventReader reader(*log_, {}, 0);
  const Status read = reader.read(10);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kInputOutput);
}

// Old files are deleted by a thread on which nothing may be thrown. None counts twice.
TEST_F(EventLogFaultTest, DeletesOldFilesWhicheverAllocationFails) {
  constexpr std::uint64_t kSeconds = 1000;
  options_.keep.seconds = kSeconds;
  std::uint64_t good = 0;
  for (bool has_failed = true; has_failed; ++good) {
    ASSERT_LT(good, 1000U);
    const TemporaryFolder folder;
    options_.folder = folder / "a name that is too long to be kept within a string";
    next_ = 1;
    open();
    for (int file = 0; file < 5; ++file) {
      append_numbered(3);
      now_ += kSeconds * 1000 / 10;  // each file has a tenth of the time
    }
    now_ += 2 * kSeconds * 1000;
    FailingMemory::fail_after(good);
    {
      const UnsafeMemory unsafe;
      log_->drop_old();
    }
    has_failed = FailingMemory::end();
    const EventLogStatistics cut_short = log_->statistics();
    EXPECT_EQ(cut_short.dropped, cut_short.first_number - 1) << good;
    EXPECT_EQ(read_all(0).back(), "15");
    log_->drop_old();
    EXPECT_EQ(log_->statistics().dropped, 12U);
    EXPECT_EQ(log_->statistics().segments, 1U);
    EXPECT_EQ(read_all(12), numbers(13, 15));
  }
  EXPECT_GT(good, 4U);
}

// An event that could not be looked at is not one that nobody wants.
TEST(EventMatcherMemoryTest, AnyAllocationMayFail) {
  const std::string event = R"({"number":1,"event":"added","id":")" + std::string(3000, 'x') + R"(","verdict":"near"})";
  std::uint64_t good = 0;
  for (bool has_failed = true; has_failed; ++good) {
    ASSERT_LT(good, 1000U);
    EventMatcher matcher({.verdicts = {"near"}});
    bool is_wanted = true;
    FailingMemory::fail_after(good);
    try {
      const UnsafeMemory unsafe;
      is_wanted = matcher.wants(event);
    } catch (const std::bad_alloc&) {
    }
    has_failed = FailingMemory::end();
    EXPECT_TRUE(is_wanted) << good;
    EXPECT_TRUE(matcher.wants(event)) << good;
  }
  EXPECT_GT(good, 2U);
}

// The files get the sizes up to which they were synced.
TEST_F(EventLogFaultTest, SurvivesAPowerCutWithEverythingThatWasSynced) {
  options_.sync = SyncMode::kAlways;
  options_.segment_bytes = 500;
  const SyncedFiles synced;
  open();
  std::uint64_t durable = 0;
  for (std::uint64_t i = 1; i <= 60; ++i) {
    const Result<EventLog::AppendTicket> ticket = log_->append(R"("id":"a page")");
    ASSERT_TRUE(ticket);
    if (i % 3 != 0) continue;
    ASSERT_TRUE(log_->wait(*ticket));
    durable = i;
    ASSERT_EQ(log_->published(), durable);
  }
  ASSERT_TRUE(log_->append(R"("id":"lost")"));
  const std::map<std::string, std::uint64_t> sizes = SyncedFiles::sizes();
  log_.reset();
  const Result<std::vector<std::string>> names = names_in_folder(options_.folder);
  ASSERT_TRUE(names);
  for (const std::string& name : *names) {
    const std::string path = options_.folder + "/" + name;
    const auto size = sizes.find(path);
    if (size == sizes.end()) {
      std::filesystem::remove(path);
    } else {
      std::filesystem::resize_file(path, size->second);
    }
  }
  open();
  EXPECT_EQ(read_all(0), numbers(1, durable));
}

}  // namespace
}  // namespace paraprint
