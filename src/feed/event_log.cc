// Opening, appending and deleting. All changes are made under one mutex, which waits for the disk; syncs wait without
// it, and whether the log has failed can be asked without it.
//
// A file is synced before the next one begins, so only the newest file can have a torn end, and syncing that file makes
// every event durable.
#include "feed/event_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "feed/feed_event.h"

namespace paraprint::inline event_feed {
namespace {

constexpr std::string_view kNameBegin = "events-";
constexpr std::string_view kNameEnd = ".log";
constexpr std::size_t kNameDigits = 20;  // of the largest number

// Whole files are deleted. Parts of this size keep what is there within a tenth of the bound.
constexpr std::uint64_t kSegmentsPerBound = 10;

// After a full disk, appending is tried again once per this time.
constexpr std::uint64_t kFullPauseMilliseconds = 1000;

constexpr std::uint64_t kMillisecondsPerSecond = 1000;

// The first number of the file; 0 for the name of another file.
std::uint64_t number_of_name(std::string_view name) {
  if (!name.starts_with(kNameBegin) || !name.ends_with(kNameEnd)) return 0;
  const std::string_view digits = name.substr(kNameBegin.size(), name.size() - kNameBegin.size() - kNameEnd.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size() && digits.size() == kNameDigits;
  return is_number ? number : 0;
}

std::uint64_t part_of(std::uint64_t bound, std::uint64_t otherwise) {
  return bound == 0 ? otherwise : std::clamp<std::uint64_t>(bound / kSegmentsPerBound, 1, otherwise);
}

}  // namespace

EventLog::EventLog(const EventLogOptions& options)
    : options_(options),
      segment_bytes_(part_of(options.keep.bytes, options.segment_bytes)),
      segment_events_(part_of(options.keep.events, UINT64_MAX)),
      segment_milliseconds_(part_of(options.keep.seconds * kMillisecondsPerSecond, UINT64_MAX)),
      gate_([this] { return sync_active(); }) {}

std::string EventLog::path_of(std::uint64_t first_number) const {
  return fmt::format("{}/{}{:0{}}{}", options_.folder, kNameBegin, first_number, kNameDigits, kNameEnd);
}

std::uint64_t EventLog::now_milliseconds() const {
  if (options_.now_milliseconds) return options_.now_milliseconds();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

Result<std::unique_ptr<EventLog>> EventLog::open(const EventLogOptions& options, std::vector<std::string>& warnings) {
  PARAPRINT_TRY(create_folders(options.folder));
  std::unique_ptr<EventLog> log(new EventLog(options));
  PARAPRINT_TRY(log->open_files(warnings));
  PARAPRINT_TRY(log->sync_active());
  log->drop_old();
  return log;
}

// The names tell the first numbers; only the newest file is read completely.
Status EventLog::open_files(std::vector<std::string>& warnings) {
  PARAPRINT_ASSIGN(const std::vector<std::string> names, names_in_folder(options_.folder));
  std::string last;
  for (const std::string& name : names) {  // sorted, and all numbers have the same width
    const std::uint64_t first_number = number_of_name(name);
    if (first_number == 0) continue;
    if (!last.empty()) PARAPRINT_TRY(open_earlier(segments_.back(), warnings));
    segments_.push_back({first_number, 0, 0});
    last = name;
  }
  if (last.empty()) return begin_segment(next_number_);
  return open_last(last, warnings);
}

Status EventLog::open_last(std::string_view name, std::vector<std::string>& warnings) {
  Segment& segment = segments_.back();
  const std::string path = path_of(segment.first_number);
  PARAPRINT_ASSIGN(const std::string bytes, read_whole_file(path));
  const SegmentScan scan = scan_segment(bytes, {segment.first_number, 0});
  const Result<SegmentHeader> header = read_segment_header(bytes);
  next_number_ = segment.first_number;
  if (!header && header.error().code == ErrorCode::kCorruptData && scan.next_number == next_number_ &&
      scan.last_number_after_damage == 0) {  // killed while the file was created: it never had an event
    segments_.pop_back();
    if (!segments_.empty()) {
      PARAPRINT_ASSIGN(last_time_milliseconds_, last_time_of_newest());
    }
    return begin_segment(next_number_);
  }
  if (!header) return failure(header.error().code, fmt::format("{}: {}", path, header.error().message));
  if (header->first_number != segment.first_number) {
    return failure(ErrorCode::kCorruptData,
                   fmt::format("{}: the file begins with number {}; was it renamed?", path, header->first_number));
  }
  segment.created_milliseconds = header->created_milliseconds;
  last_time_milliseconds_ = std::max(scan.last_time_milliseconds, header->created_milliseconds);
  next_number_ = scan.next_number;
  if (scan.last_number_after_damage != 0) {
    // The file stays as it is, and the numbers in it are not given away again.
    segment.size_bytes = bytes.size();
    next_number_ = scan.last_number_after_damage + 1;
    warnings.push_back(fmt::format("{}: damaged at byte {}; events {} to {} are reported as a gap", name,
                                   scan.valid_bytes, scan.next_number, scan.last_number_after_damage));
    return begin_segment(next_number_);
  }
  if (scan.valid_bytes < bytes.size()) {
    warnings.push_back(
        fmt::format("{}: cut off {} bytes of an event that was not completely written, and was not "
                    "acknowledged",
                    name, bytes.size() - scan.valid_bytes));
  }
  PARAPRINT_ASSIGN(AppendingFile file, AppendingFile::open(path, scan.valid_bytes));
  active_ = std::make_shared<AppendingFile>(std::move(file));
  segment.size_bytes = scan.valid_bytes;
  written_ = next_number_ - 1;
  return {};
}

Result<std::uint64_t> EventLog::last_time_of_newest() const {
  const Segment& segment = segments_.back();
  PARAPRINT_ASSIGN(const std::string bytes, read_whole_file(path_of(segment.first_number)));
  return std::max(scan_segment(bytes, {segment.first_number, 0}).last_time_milliseconds, segment.created_milliseconds);
}

// The caller has synced the file before.
Status EventLog::begin_segment(std::uint64_t first_number) {
  Segment segment{first_number, now_milliseconds(), kSegmentHeaderBytes};
  const std::string path = path_of(first_number);
  PARAPRINT_ASSIGN(AppendingFile file, AppendingFile::open(path, 0));
  if (Status begun = file.append(segment_header_bytes({first_number, segment.created_milliseconds})); !begun) {
    ::unlink(path.c_str());
    return begun;
  }
  active_ = std::make_shared<AppendingFile>(std::move(file));
  segments_.push_back(segment);
  written_ = next_number_ - 1;
  return {};
}

bool EventLog::is_segment_full(std::size_t size_bytes) const {
  const Segment& segment = segments_.back();
  const std::uint64_t events = next_number_ - segment.first_number;
  if (must_begin_segment_) return true;
  if (events == 0) return false;
  // Files have the time of the clock, which can be set back, and not that of their events, which stays ahead then.
  const std::uint64_t now = now_milliseconds();
  const std::uint64_t created = segment.created_milliseconds;
  const bool is_old = std::max(now, created) - std::min(now, created) >= segment_milliseconds_;
  return segment.size_bytes + size_bytes > segment_bytes_ || events >= segment_events_ || is_old;
}

Result<EventLog::AppendTicket> EventLog::append(std::string_view members) {
  const std::lock_guard lock(mutex_);
  PARAPRINT_TRY(check_not_failed());
  // The clock may be set back; the times of events do not go back.
  const std::uint64_t time = std::max(now_milliseconds(), last_time_milliseconds_);
  const std::string json = event_json(next_number_, time, members);
  if (json.size() > kEventBytesMaximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("the event has {} bytes; the limit is {}", json.size(), kEventBytesMaximum));
  }
  frame_.clear();
  append_frame(frame_, {next_number_, time, json});
  Status done;
  if (is_segment_full(frame_.size())) {
    if (const Status synced = active_->sync(); !synced) {
      set_failed(synced.error());
      return tl::unexpected<Error>(synced.error());
    }
    // Before old files are dropped: what is kept must not begin behind the last event that readers see.
    raise_durable(next_number_ - 1);
    must_begin_segment_ = true;
    done = begin_segment(next_number_);
    must_begin_segment_ = !done;
    if (done) drop_old_locked();
  }
  if (done) {
    done = active_->append(frame_);
    if (const std::uint64_t valid_bytes = segments_.back().size_bytes; !done) {
      // Without this, the next event would follow a torn one.
      if (const Status cut = active_->cut(valid_bytes); !cut) set_failed(cut.error());
    }
  }
  if (!done) {
    set_full(done.error());
    return tl::unexpected<Error>(done.error());
  }
  clear_full();
  last_time_milliseconds_ = time;
  segments_.back().size_bytes += frame_.size();
  written_ = next_number_;
  return AppendTicket{next_number_++, gate_.written()};
}

// What is written while the sync runs may or may not be durable, and counts as not.
Status EventLog::sync_active() {
  std::shared_ptr<AppendingFile> file;
  std::uint64_t covered = 0;
  {
    const std::lock_guard lock(mutex_);
    PARAPRINT_TRY(check_not_failed());
    file = active_;
    covered = next_number_ - 1;
  }
  Status synced = file->sync();
  if (synced) {
    raise_durable(covered);
  } else {
    set_failed(synced.error());
  }
  return synced;
}

// A full file is synced by append(), which a sync that began before may end after.
void EventLog::raise_durable(std::uint64_t number) {
  std::uint64_t known = durable_;
  while (known < number && !durable_.compare_exchange_weak(known, number)) {
  }
}

Status EventLog::check_not_failed() const {
  const std::lock_guard lock(failure_mutex_);
  return failed_ ? Status(tl::unexpected<Error>(*failed_)) : Status();
}

void EventLog::set_failed(const Error& error) {
  const std::lock_guard lock(failure_mutex_);
  failed_ = error;
}

void EventLog::set_full(const Error& error) {
  const std::lock_guard lock(failure_mutex_);
  full_ = error;
  full_since_milliseconds_ = now_milliseconds();
}

void EventLog::clear_full() {
  const std::lock_guard lock(failure_mutex_);
  full_.reset();
}

Status EventLog::check_writable() const {
  const std::lock_guard lock(failure_mutex_);
  if (failed_) {
    return failure(failed_->code, fmt::format("the feed {} cannot be written until the service is restarted: {}",
                                              options_.folder, failed_->message));
  }
  if (full_ && now_milliseconds() < full_since_milliseconds_ + kFullPauseMilliseconds) {
    return tl::unexpected<Error>(*full_);
  }
  return {};
}

std::uint64_t EventLog::published() const {
  return options_.sync == SyncMode::kNone ? written_.load() : durable_.load();
}

// Whether every event of the file is older than what is kept: a file behind it was begun that long ago. When the clock
// was wrong, a file has a time in the future, or one before that of the file in question, which says nothing.
bool EventLog::is_too_old(std::size_t segment) const {
  const std::uint64_t kept = options_.keep.seconds * kMillisecondsPerSecond;
  const std::uint64_t now = now_milliseconds();
  if (kept == 0 || now < kept) return false;
  const std::uint64_t created = segments_[segment].created_milliseconds;
  const std::uint64_t from = created <= now ? created : 0;
  const auto begun = std::find_if(segments_.begin() + static_cast<std::ptrdiff_t>(segment) + 1, segments_.end(),
                                  [from, now](const Segment& later) {
                                    return later.created_milliseconds >= from && later.created_milliseconds <= now;
                                  });
  return begun != segments_.end() && begun->created_milliseconds <= now - kept;
}

// A file can go if the files behind it satisfy every bound. Those of time and number say what stays at least, that of
// bytes what stays at most.
bool EventLog::is_kept(std::size_t segment) const {
  const Segment& next = segments_[segment + 1];
  std::uint64_t bytes = segment_bytes_;  // of the newest file, when it is full
  for (std::size_t i = segment; i + 1 < segments_.size(); ++i) bytes += segments_[i].size_bytes;
  const FeedKeep& keep = options_.keep;
  const bool is_too_many = keep.events != 0 && next_number_ - next.first_number >= keep.events;
  const bool is_too_large = keep.bytes != 0 && bytes > keep.bytes;
  return !is_too_old(segment) && !is_too_many && !is_too_large;
}

// Each file leaves the list as it is deleted, so that none counts twice whatever the next one meets.
void EventLog::drop_old_locked() noexcept {
  try {
    while (segments_.size() > 1 && !is_kept(0)) {
      if (::unlink(path_of(segments_.front().first_number).c_str()) != 0 && errno != ENOENT) return;
      dropped_ += segments_[1].first_number - segments_[0].first_number;
      segments_.erase(segments_.begin());
    }
  } catch (const std::exception&) {  // out of memory
  }
}

void EventLog::drop_old() noexcept {
  const std::lock_guard lock(mutex_);
  drop_old_locked();
}

EventLogStatistics EventLog::statistics() const {
  EventLogStatistics statistics;
  statistics.last_number = published();
  const std::lock_guard lock(mutex_);
  statistics.first_number = segments_.front().first_number;
  statistics.segments = segments_.size();
  statistics.dropped = dropped_;
  for (const Segment& segment : segments_) statistics.bytes += segment.size_bytes;
  return statistics;
}

}  // namespace paraprint::inline event_feed
