// The events of a feed on disk: numbered from 1 without gaps, in files of limited size, of which the oldest are
// deleted.
//
// An event whose append() succeeded survives a kill of the process; it survives a power failure once wait() or sync()
// has succeeded. Readers see an event only when it can no longer be lost, so that no number they have seen is ever
// given to another event (SyncMode::kNone promises nothing and shows events at once).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feed/event_segment.h"
#include "feed/feed_keep.h"
#include "memory/appending_file.h"
#include "online/sync_gate.h"
#include "paraprint/index.h"
#include "paraprint/result.h"

namespace paraprint::inline event_feed {

// Where a reader continues. Only `next` has a meaning to callers; the rest saves searching for it.
struct EventCursor {
  std::uint64_t next = 1;          // number of the next event to read
  std::uint64_t segment = 0;       // first number of the file that has it; 0: unknown
  std::uint64_t offset_bytes = 0;  // of its frame
};

enum class GapReason : std::uint8_t {
  kDropped,   // the events are older than what is kept
  kDamaged,   // a file of the log is damaged
  kAhead,     // there are no such events yet: the log was reset, or restored to an earlier state
  kTooLarge,  // the receiver of a webhook does not take an event of this size
};
// "dropped", "damaged", "ahead", "too-large"
std::string_view gap_reason_name(GapReason reason);

// Events that a reader asked for and does not get.
struct EventGap {
  std::uint64_t after = 0;  // the last number before it
  std::uint64_t first = 0;  // the number with which the log continues
  GapReason reason = GapReason::kDropped;
};

struct EventSlice {
  std::optional<EventGap> gap;      // before the events
  std::vector<StoredEvent> events;  // views into `bytes`
  std::string bytes;
  std::uint64_t offset_bytes = 0;  // of `bytes` in their file
};

struct EventLogOptions {
  std::string folder;  // created if missing; only one process may have it open
  FeedKeep keep;
  SyncMode sync = SyncMode::kAlways;
  std::uint64_t segment_bytes = std::uint64_t{8} << 20;  // per file, unless `keep` needs smaller ones
  std::function<std::uint64_t()> now_milliseconds;       // Unix time; empty: the system's clock
};

struct EventLogStatistics {
  std::uint64_t first_number = 0;  // oldest event that is kept, or the next one if none is
  std::uint64_t last_number = 0;   // newest event that readers see; first_number - 1: there is none
  std::uint64_t bytes = 0;         // on disk
  std::uint64_t segments = 0;
  std::uint64_t dropped = 0;  // events deleted since the log was opened
};

// Thread-safe.
class EventLog {
 public:
  // Cuts off the torn end that a kill may have left, and makes the rest durable. `warnings` get what was cut or is
  // damaged. Errors: those of files, and kCorruptData if the newest file is not one of a log.
  static Result<std::unique_ptr<EventLog>> open(const EventLogOptions& options, std::vector<std::string>& warnings);

  struct AppendTicket {
    std::uint64_t number = 0;
    std::uint64_t sync = 0;  // for wait()
  };
  // Stores an event. `members` are those of its JSON object behind "number" and "time", without braces. Errors:
  // kLimitExceeded for a long event; those of writing, kNoSpace among them, after which the log is unchanged and
  // appending can succeed later, unless check_writable() says that it cannot.
  Result<AppendTicket> append(std::string_view members);
  // Returns when the event is durable; all that wait share a sync. An error is lasting.
  Status wait(const AppendTicket& ticket) { return gate_.wait(ticket.sync); }
  // Makes all events so far durable.
  Status sync() { return gate_.wait_for_all(); }
  // The error of a failed write or sync: a lasting one, or for a second after it the one of a full disk. Does not wait
  // for writes and syncs in progress.
  Status check_writable() const;

  // The number of the newest event that readers see; 0: there never was one.
  std::uint64_t published() const;
  // Reads events from the cursor on, up to about `max_bytes` of one file, and moves the cursor behind them. Nothing if
  // all were read. A missing event gives a gap, never an error; errors are those of reading files. Takes time for up to
  // one file if the cursor is new, and for the events otherwise.
  Status read(EventCursor& cursor, std::size_t max_bytes, EventSlice& slice) const;
  // Moves a cursor that read() has moved back to an event of the slice.
  static void rewind(EventCursor& cursor, const EventSlice& slice, std::size_t event);

  // Deletes the files that hold only what is no longer to be kept; append() does the same when it begins a file.
  // A file that cannot be deleted, or for whose name there is no memory, is kept, and the next call tries again.
  void drop_old() noexcept;

  EventLogStatistics statistics() const;

 private:
  struct Segment {
    std::uint64_t first_number = 0;
    std::uint64_t created_milliseconds = 0;
    std::uint64_t size_bytes = 0;
  };
  explicit EventLog(const EventLogOptions& options);
  Status open_files(std::vector<std::string>& warnings);
  // Reads header and size of a file that was completed.
  Status open_earlier(Segment& segment, std::vector<std::string>& warnings) const;
  Status open_last(std::string_view name, std::vector<std::string>& warnings);
  std::string path_of(std::uint64_t first_number) const;
  std::uint64_t now_milliseconds() const;
  // The time of the last event in what was found intact of the newest file. Errors: those of reading it.
  Result<std::uint64_t> last_time_of_newest() const;
  // Whether the next event, of this size, begins a new file.
  bool is_segment_full(std::size_t size_bytes) const;
  Status begin_segment(std::uint64_t first_number);
  Status sync_active();
  // All events up to this number are durable.
  void raise_durable(std::uint64_t number);
  Status check_not_failed() const;
  void set_failed(const Error& error);
  void set_full(const Error& error);
  void clear_full();
  void drop_old_locked() noexcept;
  bool is_kept(std::size_t segment) const;
  bool is_too_old(std::size_t segment) const;
  // The file that has `number`, or the one before it.
  std::optional<Segment> find_segment(std::uint64_t number) const;
  // Ends the slice at a damaged place of the file: the reader continues behind the file.
  void skip_damage(EventCursor& cursor, EventSlice& slice) const;

  EventLogOptions options_;
  std::uint64_t segment_bytes_ = 0;
  std::uint64_t segment_events_ = 0;
  std::uint64_t segment_milliseconds_ = 0;
  SyncGate gate_;

  mutable std::mutex mutex_;
  std::vector<Segment> segments_;  // ascending; the last one is being written
  std::shared_ptr<AppendingFile> active_;
  std::uint64_t next_number_ = 1;
  std::uint64_t last_time_milliseconds_ = 0;
  std::uint64_t dropped_ = 0;
  // A file for the next event could not be begun and may be left, so that event must not go into the file before it.
  bool must_begin_segment_ = false;
  std::string frame_;
  std::atomic<std::uint64_t> durable_{0};
  std::atomic<std::uint64_t> written_{0};

  // Guards what follows. It is never held during work on files, so that nobody who asks waits for a disk.
  mutable std::mutex failure_mutex_;
  std::optional<Error> failed_;                // lasting
  std::optional<Error> full_;                  // the disk
  std::uint64_t full_since_milliseconds_ = 0;  // of `full_`
};

}  // namespace paraprint::inline event_feed
