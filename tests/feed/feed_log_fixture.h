// A log in a temporary folder whose clock a test sets, and what a reader gets of it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "feed/event_log.h"
#include "feed/event_reader.h"
#include "temporary_folder.h"

namespace paraprint {

class EventLogTest : public testing::Test {
 protected:
  EventLogTest() {
    options_.folder = folder_ / "feed";
    options_.sync = SyncMode::kNone;
    options_.now_milliseconds = [this] { return now_; };
  }

  void open() {
    log_.reset();
    warnings_.clear();
    Result<std::unique_ptr<EventLog>> log = EventLog::open(options_, warnings_);
    ASSERT_TRUE(log) << log.error().message;
    log_ = std::move(*log);
  }
  Status append(const std::string& name) {
    const Result<EventLog::AppendTicket> ticket = log_->append(fmt::format(R"("event":"added","id":"{}")", name));
    if (!ticket) return tl::unexpected<Error>(ticket.error());
    return {};
  }
  // Appends events whose names are their numbers.
  void append_numbered(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const Result<EventLog::AppendTicket> ticket = log_->append(fmt::format(R"("id":"{}")", next_));
      ASSERT_TRUE(ticket) << ticket.error().message;
      ASSERT_EQ(ticket->number, next_++);
    }
  }

  // All that a reader gets, as "17" for an event, "gap 3-17 dropped" for a gap; checks that events say their number.
  std::vector<std::string> read_all(std::uint64_t after) const {
    std::vector<std::string> read;
    EventReader reader(*log_, {}, after);
    while (reader.has_more()) {
      const Status done = reader.read(1000);
      EXPECT_TRUE(done) << done.error().message;
      if (!done) break;
      if (const auto& gap = reader.gap()) {
        read.push_back(fmt::format("gap {}-{} {}", gap->after, gap->first, gap_reason_name(gap->reason)));
      }
      for (const StoredEvent& event : reader.events()) {
        EXPECT_TRUE(event.json.starts_with(fmt::format(R"({{"number":{},)", event.number))) << event.json;
        read.push_back(fmt::format("{}", event.number));
      }
    }
    return read;
  }
  static std::vector<std::string> numbers(std::uint64_t first, std::uint64_t last) {
    std::vector<std::string> all;
    for (std::uint64_t number = first; number <= last; ++number) all.push_back(fmt::format("{}", number));
    return all;
  }
  std::string newest_file() const {
    const Result<std::vector<std::string>> names = names_in_folder(options_.folder);
    return options_.folder + "/" + names->back();
  }

  TemporaryFolder folder_;
  EventLogOptions options_;
  std::vector<std::string> warnings_;
  std::unique_ptr<EventLog> log_;
  std::uint64_t now_ = 1'700'000'000'000;
  std::uint64_t next_ = 1;
};

}  // namespace paraprint
