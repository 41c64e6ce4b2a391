// The event log: numbers, resuming, torn ends, retention, gaps, and readers next to writers.
#include "feed/event_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "feed/feed_log_fixture.h"

namespace paraprint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string bytes_of(const std::string& path) {
  return read_whole_file(path).value();
}
void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(EventLogTest, NumbersEventsWithoutGapsOverRestarts) {
  for (int start = 0; start < 4; ++start) {
    open();
    append_numbered(7);
  }
  EXPECT_EQ(read_all(0), numbers(1, 28));
  EXPECT_EQ(read_all(20), numbers(21, 28));
  EXPECT_THAT(read_all(28), IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(EventLogTest, StoresTimeAndMembers) {
  open();
  ASSERT_TRUE(append("a"));
  now_ -= 5000;  // the clock is set back
  ASSERT_TRUE(append("b"));
  EventReader reader(*log_, {}, 0);
  ASSERT_TRUE(reader.read(10));
  ASSERT_EQ(reader.events().size(), 2U);
  EXPECT_EQ(reader.events()[0].json, R"({"number":1,"time":"2023-11-14T22:13:20.000Z","event":"added","id":"a"})");
  EXPECT_EQ(reader.events()[1].json, R"({"number":2,"time":"2023-11-14T22:13:20.000Z","event":"added","id":"b"})");
}

TEST_F(EventLogTest, ReadsOverManyFiles) {
  options_.segment_bytes = 500;
  open();
  append_numbered(300);
  EXPECT_GT(log_->statistics().segments, 20U);
  EXPECT_EQ(read_all(0), numbers(1, 300));
  EXPECT_EQ(read_all(123), numbers(124, 300));
  open();
  append_numbered(10);
  EXPECT_EQ(read_all(299), numbers(300, 310));
}

TEST_F(EventLogTest, ContinuesWhereAReaderWithALimitStopped) {
  options_.segment_bytes = 2000;
  open();
  append_numbered(100);
  EventReader reader(*log_, {}, 0);
  for (std::uint64_t number = 1; number <= 100; number += 3) {
    ASSERT_TRUE(reader.read(3));
    ASSERT_FALSE(reader.events().empty());
    EXPECT_EQ(reader.events().front().number, number);
    // The last events of a file may be fewer.
    number -= 3 - reader.events().size();
    EXPECT_EQ(reader.after(), number + 2);
  }
  EXPECT_FALSE(reader.has_more());
}

TEST_F(EventLogTest, CutsATornEndAtEveryByteAndSaysSo) {
  open();
  append_numbered(3);
  const std::string path = newest_file();
  const std::size_t whole_bytes = bytes_of(path).size();
  append_numbered(1);
  log_.reset();
  const std::string bytes = bytes_of(path);
  for (std::size_t size = whole_bytes; size < bytes.size(); ++size) {
    write_bytes(path, std::string_view(bytes).substr(0, size));
    open();
    EXPECT_EQ(warnings_.size(), size == whole_bytes ? 0U : 1U) << size;
    if (!warnings_.empty()) {
      EXPECT_THAT(warnings_[0], HasSubstr(fmt::format("cut off {} bytes", size - whole_bytes)));
    }
    EXPECT_EQ(read_all(0), numbers(1, 3)) << size;
    next_ = 4;
    append_numbered(2);
    EXPECT_EQ(read_all(0), numbers(1, 5)) << size;
  }
}

// The end that a power cut leaves may be zeros.
TEST_F(EventLogTest, CutsATailOfZeros) {
  open();
  append_numbered(3);
  const std::string path = newest_file();
  log_.reset();
  std::filesystem::resize_file(path, bytes_of(path).size() + 4096);
  open();
  append_numbered(1);
  EXPECT_EQ(read_all(0), numbers(1, 4));
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(EventLogTest, OpensAFileThatWasNotCompletelyCreated) {
  options_.segment_bytes = 500;
  open();
  append_numbered(40);
  log_.reset();
  const std::string next = fmt::format("{}/events-{:020}.log", options_.folder, 41);
  for (const std::size_t size : {0U, 1U, 39U, 40U, 100U}) {
    write_bytes(next, std::string(size, '\0'));
    open();
    EXPECT_EQ(read_all(0), numbers(1, 40)) << size;
    next_ = 41;
    append_numbered(1);
    EXPECT_EQ(read_all(39), numbers(40, 41)) << size;
    log_.reset();
  }
}

// The file had no event yet, so the time below which no event may be is that of the file before.
TEST_F(EventLogTest, TimesDoNotGoBackAfterAFileThatWasNotCompletelyCreated) {
  open();
  ASSERT_TRUE(append("a"));
  now_ += 5000;
  ASSERT_TRUE(append("b"));
  log_.reset();
  write_bytes(fmt::format("{}/events-{:020}.log", options_.folder, 3), "");
  now_ -= 3000;
  open();
  ASSERT_TRUE(append("c"));
  EventReader reader(*log_, {}, 2);
  ASSERT_TRUE(reader.read(10));
  ASSERT_EQ(reader.events().size(), 1U);
  EXPECT_THAT(reader.events()[0].json, HasSubstr(R"("time":"2023-11-14T22:13:25.000Z","event":"added","id":"c")"));
}

TEST_F(EventLogTest, NeverGivesANumberTwiceAfterDamage) {
  open();
  append_numbered(5);
  const std::string path = newest_file();
  log_.reset();
  std::string bytes = bytes_of(path);
  bytes[bytes.size() / 2] ^= 1;
  write_bytes(path, bytes);
  open();
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_THAT(warnings_[0], HasSubstr("damaged"));
  append_numbered(2);
  const std::vector<std::string> read = read_all(0);
  EXPECT_THAT(read, testing::Contains(testing::MatchesRegex("gap .-6 damaged")));
  EXPECT_EQ(std::vector<std::string>(read.end() - 2, read.end()), numbers(6, 7));
}

TEST_F(EventLogTest, RefusesAFileThatIsNotItsOwn) {
  open();
  append_numbered(1);
  const std::string path = newest_file();
  log_.reset();
  std::filesystem::rename(path, fmt::format("{}/events-{:020}.log", options_.folder, 9));
  const Result<std::unique_ptr<EventLog>> renamed = EventLog::open(options_, warnings_);
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().code, ErrorCode::kCorruptData);
}

TEST_F(EventLogTest, KeepsANumberOfEvents) {
  options_.keep.events = 100;
  open();
  append_numbered(1000);
  const EventLogStatistics statistics = log_->statistics();
  const std::uint64_t kept = 1000 - statistics.first_number + 1;
  EXPECT_GE(kept, 100U);
  EXPECT_LE(kept, 120U);
  EXPECT_EQ(statistics.dropped, 1000 - kept);
  std::vector<std::string> expected = numbers(statistics.first_number, 1000);
  expected.insert(expected.begin(), fmt::format("gap 5-{} dropped", statistics.first_number));
  EXPECT_EQ(read_all(5), expected);
  open();
  EXPECT_GE(log_->statistics().first_number, statistics.first_number);
  EXPECT_LE(log_->statistics().first_number, 901U);
}

TEST_F(EventLogTest, KeepsASize) {
  options_.keep.bytes = 20'000;
  open();
  for (int i = 0; i < 100; ++i) {
    append_numbered(20);
    EXPECT_LE(log_->statistics().bytes, 20'000U);
  }
  EXPECT_GE(log_->statistics().bytes, 16'000U);
}

TEST_F(EventLogTest, KeepsAnAge) {
  options_.keep.seconds = 1000;
  open();
  for (int i = 0; i < 50; ++i) {
    append_numbered(1);
    now_ += 100'000;
  }
  log_->drop_old();
  const std::uint64_t first = log_->statistics().first_number;
  EXPECT_LE(first, 41U);  // all that are younger
  EXPECT_GE(first, 39U);
  now_ += 100'000'000;
  log_->drop_old();
  EXPECT_EQ(read_all(log_->statistics().first_number - 1), numbers(log_->statistics().first_number, 50));
}

// A clock that was wrong for one event, by days or by years, costs the two files around it, and not one for each later
// event; nothing is dropped early for it, and what is old is dropped in the end.
TEST_F(EventLogTest, KeepsFewFilesAfterAClockThatWasWrong) {
  constexpr std::uint64_t kDay = 86'400'000;
  constexpr std::uint64_t kYear = 365 * kDay;
  // Modulo 2^64, so the last two are backwards.
  for (const std::uint64_t wrong : {3 * kDay, 10 * kYear, 0 - 3 * kDay, 0 - 10 * kYear}) {
    SCOPED_TRACE(wrong);
    const TemporaryFolder folder;
    options_.folder = folder / "feed";
    options_.keep.seconds = 7 * kDay / 1000;
    next_ = 1;
    open();
    append_numbered(100);
    now_ += wrong;
    append_numbered(1);
    now_ -= wrong;
    append_numbered(500);
    EXPECT_LE(log_->statistics().segments, 3U);
    open();
    append_numbered(500);
    log_->drop_old();
    EXPECT_LE(log_->statistics().segments, 3U);
    EXPECT_EQ(read_all(0), numbers(1, 1101));
    for (int day = 0; day < 20; ++day) {
      now_ += kDay;
      append_numbered(1);
    }
    EXPECT_LE(log_->statistics().first_number, 1121U - 7);
    EXPECT_GE(log_->statistics().first_number, 1121U - 8);
  }
}

TEST_F(EventLogTest, TellsAReaderThatIsAhead) {
  open();
  append_numbered(3);
  EXPECT_THAT(read_all(10), ElementsAre("gap 10-1 ahead", "1", "2", "3"));
}

TEST_F(EventLogTest, RefusesAnEventThatIsTooLong) {
  open();
  const Result<EventLog::AppendTicket> ticket = log_->append("\"id\":\"" + std::string(kEventBytesMaximum, 'x') + "\"");
  ASSERT_FALSE(ticket);
  EXPECT_EQ(ticket.error().code, ErrorCode::kLimitExceeded);
  append_numbered(1);
  EXPECT_EQ(read_all(0), numbers(1, 1));
}

// Nobody may have seen a number that a power cut then gives to another event.
TEST_F(EventLogTest, ShowsOnlyWhatIsDurable) {
  options_.sync = SyncMode::kAlways;
  open();
  const Result<EventLog::AppendTicket> first = log_->append(R"("id":"a")");
  const Result<EventLog::AppendTicket> second = log_->append(R"("id":"b")");
  EXPECT_EQ(log_->published(), 0U);
  EXPECT_THAT(read_all(0), IsEmpty());
  ASSERT_TRUE(log_->wait(*first));
  EXPECT_EQ(log_->published(), 2U);  // one sync is for all
  ASSERT_TRUE(log_->wait(*second));
  ASSERT_TRUE(log_->append(R"("id":"c")"));
  EXPECT_EQ(log_->published(), 2U);
  ASSERT_TRUE(log_->sync());
  EXPECT_EQ(read_all(0), numbers(1, 3));
}

// A full file is synced on the way, and old ones are dropped: readers must see the new ones by then, or the log would
// begin behind its end, and they would be told to go back again and again.
TEST_F(EventLogTest, KeepsNothingThatIsBehindItsEnd) {
  options_.sync = SyncMode::kAlways;
  options_.keep.events = 100;
  open();
  for (std::uint64_t number = 1; number <= 500; ++number) {
    append_numbered(1);
    const EventLogStatistics statistics = log_->statistics();
    ASSERT_LE(statistics.first_number, statistics.last_number + 1);
  }
  const std::uint64_t first = log_->statistics().first_number;
  const std::uint64_t last = log_->published();
  EXPECT_GT(first, 300U);
  std::vector<std::string> expected = numbers(first, last);
  expected.insert(expected.begin(), fmt::format("gap 5-{} dropped", first));
  EXPECT_EQ(read_all(5), expected);
  ASSERT_TRUE(log_->sync());
  EXPECT_EQ(read_all(last), numbers(last + 1, 500));
}

TEST_F(EventLogTest, SizesAndAgesAndNumbersAreReadFromText) {
  const auto keep = [](std::string_view text) {
    const Result<FeedKeep> read = parse_feed_keep(text);
    return read ? fmt::format("{} {} {}", read->seconds, read->events, read->bytes) : read.error().message;
  };
  EXPECT_EQ(keep("7d"), "604800 0 0");
  EXPECT_EQ(keep("1000000"), "0 1000000 0");
  EXPECT_EQ(keep("10GB,12h,5"), "43200 5 10737418240");
  EXPECT_EQ(keep("36500d"), "3153600000 0 0");
  for (const char* text : {"", ",", "7d,", "0", "0d", "-1", "7x", "7d,8d", "1KB", "99999999999999999999", "7d;1GB",
                           "1e3", "36501d", "18446744073709552s", "106751991167301d"}) {
    EXPECT_FALSE(parse_feed_keep(text)) << text;
  }
}

// Four writers, three readers and the deletion of old files at once: every reader gets every number once, in order, or
// is told of a gap.
TEST_F(EventLogTest, ServesReadersNextToWriters) {
  options_.sync = SyncMode::kAlways;
  options_.segment_bytes = 4000;
  options_.keep.events = 2000;
  open();
  constexpr std::uint64_t kWriters = 4;
  constexpr std::uint64_t kPerWriter = 1500;
  std::atomic<bool> is_failed{false};
  std::vector<std::thread> threads;
  for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < kPerWriter; ++i) {
        const Result<EventLog::AppendTicket> ticket = log_->append(R"("id":"x")");
        if (!ticket || (i % 50 == 0 && !log_->wait(*ticket))) is_failed = true;
      }
      if (!log_->sync()) is_failed = true;
    });
  }
  for (int reader = 0; reader < 3; ++reader) {
    threads.emplace_back([&] {
      EventReader events(*log_, {}, 0);
      std::uint64_t next = 1;
      while (next <= kWriters * kPerWriter && !is_failed) {
        if (!events.has_more()) continue;
        if (!events.read(100)) is_failed = true;
        if (const auto& gap = events.gap()) {
          if (gap->after + 1 != next || gap->reason != GapReason::kDropped) is_failed = true;
          next = gap->first;
        }
        for (const StoredEvent& event : events.events()) {
          if (event.number != next++) is_failed = true;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(is_failed);
  EXPECT_EQ(log_->published(), kWriters * kPerWriter);
}

}  // namespace
}  // namespace paraprint
