// From a first segment, the file is read ahead until the last one. What was read is returned afterwards, each record
// with the defects that were met on the way to it and the position after it, so that reading ahead changes neither the
// order of records and defects nor where reading can resume. Another first segment ends the search: no record is read
// ahead twice, and a position needs to remember one joined record only.
#include "archive/segment_joiner.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/hash.h"
#include "memory/release_memory.h"

namespace paraprint::inline archive {
namespace {

// A record that was read ahead.
struct AheadRecord {
  Result<std::optional<RawRecord>> result;
  ResumePoint after;
  std::vector<Defect> defects;

  RawRecord* record() { return result && result->has_value() ? &**result : nullptr; }
};

bool is_first_segment(const RawRecord& record) {
  return record.kind == RecordKind::kPage && record.segment && !record.segment->is_continuation;
}

// The segments of one record, until all are found or it is clear that they are not joined.
class SegmentSet {
 public:
  SegmentSet(const RawRecord& first, std::uint64_t max_bytes)
      : first_(first), max_bytes_(max_bytes), held_bytes_(first.payload.size()), joined_bytes_(first.payload.size()) {
    if (first.segment->number != 1) {
      fail("it is not a continuation record, and its segment number is not 1");
    } else if (first.is_repaired) {
      fail("the length of its first segment is wrong");  // and the stored content is needed to write it again
    } else if (first.is_oversized) {
      fail("its first segment is too large");
    } else if (first.segment->total_bytes) {
      note_last(1, *first.segment->total_bytes);
    }
  }

  bool is_open() const { return !is_complete_ && problem_.empty(); }
  const std::string& problem() const { return problem_; }
  bool is_in_order() const { return is_in_order_; }
  // By segment number: the indices that see() was given.
  const std::map<std::uint64_t, std::size_t>& parts() const { return parts_; }

  // The next record; null at the end of the file.
  void see(const RawRecord* record, std::size_t index) {
    if (record == nullptr) return fail(fmt::format("the file ends before segment {}", first_missing()));
    held_bytes_ += record->payload.size();
    if (is_first_segment(*record)) {
      return fail(fmt::format("segment {} is not before the next segmented record", first_missing()));
    }
    if (record->segment && record->segment->is_continuation && record->segment->origin == first_.id) {
      add(*record, index);
    }
    if (!is_open()) return;
    // Also because its digests must be the last ones when it is returned (digest_oversized()).
    if (held_bytes_ > max_bytes_ || record->is_oversized) {
      fail(fmt::format("the bytes up to its last segment exceed the limit of {} (max_record_bytes)", max_bytes_));
    } else if (index + 1 >= kMaxRecordsReadAhead) {
      fail(fmt::format("segment {} is not among the next {} records", first_missing(), kMaxRecordsReadAhead));
    }
  }

 private:
  void fail(std::string problem) { problem_ = std::move(problem); }

  void add(const RawRecord& part, std::size_t index) {
    const std::uint64_t number = part.segment->number;
    if (number < 2) return fail("a continuation record has no valid segment number");
    if (part.url != first_.url) return fail(fmt::format("segment {} has another address", number));
    if (!parts_.emplace(number, index).second) return fail(fmt::format("segment {} is there twice", number));
    joined_bytes_ += part.payload.size();
    if (joined_bytes_ > max_bytes_ || part.is_oversized) {
      return fail(fmt::format("it exceeds the limit of {} bytes (max_record_bytes)", max_bytes_));
    }
    is_in_order_ = is_in_order_ && number > largest_;
    largest_ = std::max(largest_, number);
    if (part.segment->total_bytes) return note_last(number, *part.segment->total_bytes);
    check_whole();
  }

  void note_last(std::uint64_t number, std::uint64_t total_bytes) {
    if (last_ != 0) return fail(fmt::format("segments {} and {} both state the total length", last_, number));
    last_ = number;
    total_bytes_ = total_bytes;
    check_whole();
  }

  // All numbers are different and at least 2.
  void check_whole() {
    if (last_ == 0) return;
    if (largest_ > last_) return fail(fmt::format("segment {} follows the last one, {}", largest_, last_));
    if (parts_.size() + 1 != last_) return;
    if (joined_bytes_ != total_bytes_) {
      return fail(
          fmt::format("its segments have {} bytes, but their stated total length is {}", joined_bytes_, total_bytes_));
    }
    is_complete_ = true;
  }

  std::uint64_t first_missing() const {
    std::uint64_t number = 2;
    while (parts_.contains(number)) ++number;
    return number;
  }

  const RawRecord& first_;
  std::uint64_t max_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;
  std::uint64_t joined_bytes_ = 0;
  std::map<std::uint64_t, std::size_t> parts_;
  std::uint64_t largest_ = 1;
  std::uint64_t last_ = 0;  // number of the segment that states the total length; 0: not seen
  std::uint64_t total_bytes_ = 0;
  bool is_in_order_ = true;
  bool is_complete_ = false;
  std::string problem_;
};

class SegmentJoiner final : public RecordReader {
 public:
  SegmentJoiner(std::unique_ptr<RecordReader> reader, std::shared_ptr<DefectRelay> relay, const InputFile& input,
                const ReadOptions& options)
      : reader_(std::move(reader)),
        relay_(std::move(relay)),
        path_(input.path),
        max_record_bytes_(options.max_record_bytes) {}

  Result<std::optional<RawRecord>> next() override {
    if (ahead_.empty()) {
      Result<std::optional<RawRecord>> result = reader_->next();
      if (result && result->has_value()) settle(**result);
      return result;
    }
    AheadRecord due = std::move(ahead_.front());
    ahead_.pop_front();
    after_ = due.after;
    for (Defect& defect : due.defects) relay_->report(std::move(defect));
    if (RawRecord* const record = due.record()) settle(*record);
    return std::move(due.result);
  }

  ResumePoint position() const override {
    ResumePoint point = ahead_.empty() ? reader_->position() : after_;
    if (point.ordinal < joined_end_) {
      point.joined_origin_hash = joined_origin_hash_;
      point.joined_end = joined_end_;
    }
    return point;
  }

  Status resume(const ResumePoint& point) override {
    joined_origin_hash_ = point.joined_origin_hash;
    joined_end_ = point.joined_end;
    return reader_->resume(point);
  }

  void keep_everything() override {
    keeps_everything_ = true;
    reader_->keep_everything();
  }
  void digest_oversized(PayloadObserver* observer) override { reader_->digest_oversized(observer); }
  ArchiveFormat format() const override { return reader_->format(); }
  Compression compression() const override { return reader_->compression(); }
  std::uint64_t stored_bytes_read() const override { return reader_->stored_bytes_read(); }

 private:
  void report(const RawRecord& record, std::string message) {
    relay_->report({DefectKind::kUnjoinedSegments, path_, record.location.offset_bytes, 0, 0, std::move(message)});
  }

  // Call when the record is due.
  void settle(RawRecord& record) {
    if (!record.segment || keeps_everything_) return;
    if (is_first_segment(record)) {
      // The position after the first segment is that before the records that are now read ahead.
      if (ahead_.empty()) after_ = reader_->position();
      join(record);
    } else if (record.segment->is_continuation) {
      if (!is_joined(record)) {
        report(record, fmt::format("segment {} of record {} is not joined: it does not follow the first segment, or "
                                   "not all segments could be used",
                                   record.segment->number, record.segment->origin));
      }
      if (!record.is_repaired) release_memory(record.payload);
    }
  }

  bool is_joined(const RawRecord& part) const {
    return part.location.ordinal < joined_end_ && hash64(part.segment->origin) == joined_origin_hash_;
  }

  // A first segment is the last record that was read ahead, so nothing is ahead of it.
  void join(RawRecord& first) {
    SegmentSet set(first, max_record_bytes_);
    relay_->hold(true);
    while (set.is_open()) {
      Result<std::optional<RawRecord>> result = reader_->next();
      ahead_.push_back({std::move(result), reader_->position(), relay_->take_held()});
      set.see(ahead_.back().record(), ahead_.size() - 1);
    }
    relay_->hold(false);
    if (!set.problem().empty()) return report(first, "the segments of the record are not joined: " + set.problem());
    if (!set.is_in_order()) report(first, "the segments of the record are not in order; they are joined by number");
    joined_origin_hash_ = hash64(first.id);
    joined_end_ = first.location.ordinal + 1;
    for (const auto& [number, index] : set.parts()) {
      const RawRecord& part = *ahead_[index].record();
      first.payload += part.payload;
      first.is_truncated = first.is_truncated || part.is_truncated;
      first.segment->joined_ordinals.push_back(part.location.ordinal);
      joined_end_ = std::max(joined_end_, part.location.ordinal + 1);
    }
    first.segment->is_joined = true;
  }

  std::unique_ptr<RecordReader> reader_;
  std::shared_ptr<DefectRelay> relay_;
  std::string path_;
  std::uint64_t max_record_bytes_ = 0;
  bool keeps_everything_ = false;
  std::deque<AheadRecord> ahead_;
  ResumePoint after_;  // the record returned last, if others are ahead
  // The record that was joined last: the hash of its id, and the ordinal after its last segment.
  std::uint64_t joined_origin_hash_ = 0;
  std::uint64_t joined_end_ = 0;
};

}  // namespace

std::unique_ptr<RecordReader> join_segments(std::unique_ptr<RecordReader> reader, std::shared_ptr<DefectRelay> relay,
                                            const InputFile& input, const ReadOptions& options) {
  return std::make_unique<SegmentJoiner>(std::move(reader), std::move(relay), input, options);
}

}  // namespace paraprint::inline archive
