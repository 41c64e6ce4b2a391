// All response and resource records are captures, whatever their status and media type. Those that cannot be told from
// others by their payload still occupy a place, as do conversions: pywb's indexer lists them at the place of their
// originals.
#include "payloads/read_captures.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "archive/archive_format.h"
#include "archive/record_reader.h"
#include "archive/revisit_target.h"
#include "base/hash.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "payloads/streamed_payload.h"

namespace paraprint::inline payloads {
namespace {

constexpr std::size_t kBatchTextBytes = std::size_t{256} << 10;
constexpr std::size_t kBatchRows = 4096;

class InputCaptures {
 public:
  InputCaptures(const InputFile& input, const CaptureRules& rules, ArchiveFormat format)
      : input_(input), rules_(rules), format_(format), streamed_(rules.digest) {}

  // Of payloads that are too large to be held.
  PayloadObserver* observer() { return &streamed_; }

  void add(const RawRecord& record) {
    count(counters_, fmt::format("records_{}", record_kind_name(record.kind)));
    if (record.kind == RecordKind::kRevisit) {
      for (const std::uint64_t name : names_stated_by(record)) {
        if (name != 0) batch_.claims.push_back(name);
      }
    }
    if (record.kind == RecordKind::kPage) add_capture(record);
  }

  bool is_full() const {
    return batch_.texts.size() >= kBatchTextBytes || batch_.captures.size() + batch_.places.size() >= kBatchRows ||
           batch_.claims.size() >= kBatchRows;
  }
  CaptureBatch take() { return std::exchange(batch_, {}); }
  Counters counters() && { return std::move(counters_); }

 private:
  bool is_removed(const RawRecord& record) const {
    return rules_.is_removed && rules_.is_removed(input_.index, record.location.ordinal);
  }

  // Counted by the first reason that holds.
  std::string_view reason_against(const RawRecord& record) const {
    if (format_ != ArchiveFormat::kWarc || record.source == PageSource::kConversion) return "not_captured";
    if (record.is_oversized && record.payload_sha1.empty()) return "too_large";
    if (!is_whole_capture(record) || !seconds_of(record.date)) return "not_whole";
    const std::uint64_t bytes = payload_bytes_of(record);
    // Without a payload there is nothing to save, and some players fail at the revisit record of an empty resource.
    return bytes == 0 || (bytes < rules_.min_payload_bytes && !is_removed(record)) ? "too_small" : "";
  }

  std::uint64_t payload_bytes_of(const RawRecord& record) const {
    return record.is_oversized ? streamed_.size_bytes() : stored_payload(record).size();
  }

  void add_capture(const RawRecord& record) {
    // Other formats have no ids, or ids of another kind.
    if (format_ == ArchiveFormat::kWarc) {
      batch_.ids.push_back({hash64(record.id), input_.index, record.location.offset_bytes});
    }
    const std::uint64_t place = place_of(record.url, record.date);
    if (const std::string_view reason = reason_against(record); !reason.empty()) {
      count(counters_, fmt::format("stored_{}", reason));
      batch_.places.push_back({place, hash64(record.payload)});
      return;
    }
    const RevisitTarget target = target_of(record);
    CaptureRow row;
    row.key = record.is_oversized ? streamed_.key(target) : payload_key(record, target, rules_.digest);
    row.seconds = *seconds_of(record.date);
    row.file = input_.index;
    row.ordinal = record.location.ordinal;
    row.is_removed = is_removed(record) ? 1 : 0;
    row.status = http_status_of(record);
    row.place = place;
    row.payload_bytes = payload_bytes_of(record);
    row.text = batch_.texts.size();
    CaptureText{record.url, target.encode(), record.location.offset_bytes}.append_to(batch_.texts);
    batch_.captures.push_back(row);
    batch_.places.push_back({place, row.key.words[0]});
    count(counters_, "captures_compared");
    count(counters_, "payload_bytes_compared", row.payload_bytes);
  }

  const InputFile& input_;
  const CaptureRules& rules_;
  const ArchiveFormat format_;
  StreamedPayload streamed_;
  CaptureBatch batch_;
  Counters counters_;
};

Defect unreadable(const InputFile& input, std::uint64_t offset_bytes, const Error& error) {
  Defect defect;
  defect.kind = DefectKind::kUnreadableFile;
  defect.file = input.path;
  defect.offset_bytes = offset_bytes;
  defect.message = error.message;
  return defect;
}

}  // namespace

Result<Counters> read_captures(const InputFile& input, const ReadOptions& reading, const CaptureRules& rules,
                               CaptureCollector& collector, const DefectSink& sink,
                               const std::function<void(std::uint64_t)>& progress) {
  Result<std::unique_ptr<RecordReader>> opened = open_records(input, reading, sink);
  if (!opened) {
    sink(unreadable(input, 0, opened.error()));
    return Counters{};
  }
  RecordReader& reader = **opened;
  InputCaptures captures(input, rules, reader.format());
  reader.digest_oversized(captures.observer());
  std::uint64_t bytes_done = 0;
  while (true) {
    PARAPRINT_TRY(check_stop());
    const Result<std::optional<RawRecord>> record = reader.next();
    if (!record) {
      if (record.error().code == ErrorCode::kCancelled) return tl::unexpected<Error>(record.error());
      sink(unreadable(input, reader.stored_bytes_read(), record.error()));
    }
    const bool is_end = !record || !record->has_value();
    if (!is_end) captures.add(**record);
    if (!is_end && !captures.is_full()) continue;
    PARAPRINT_TRY(collector.add(captures.take()));
    progress(reader.stored_bytes_read() - std::exchange(bytes_done, reader.stored_bytes_read()));
    if (is_end) return std::move(captures).counters();
  }
}

Result<Counters> read_all_captures(const std::vector<InputFile>& inputs, const ReadOptions& reading,
                                   const CaptureRules& rules, unsigned threads, CaptureCollector& collector,
                                   const std::function<DefectSink(const InputFile&)>& sink_of,
                                   ProgressReporter& progress) {
  std::uint64_t bytes_total = 0;
  for (const InputFile& input : inputs) bytes_total += input.size_bytes;
  progress.begin("payloads", bytes_total, "bytes");
  std::mutex progress_mutex;
  std::uint64_t bytes_done = 0;
  const auto add_progress = [&](std::uint64_t bytes) {
    const std::scoped_lock lock(progress_mutex);
    progress.update(bytes_done += bytes);
  };
  Counters counters;
  std::size_t next = 0;
  PARAPRINT_TRY(run_in_order<const InputFile*, Result<Counters>>(
      threads,
      [&]() -> Result<std::optional<const InputFile*>> {
        if (next == inputs.size()) return std::optional<const InputFile*>{};
        return std::optional(&inputs[next++]);
      },
      [&](unsigned, const InputFile*&& input) {
        return read_captures(*input, reading, rules, collector, sink_of(*input), add_progress);
      },
      [&](Result<Counters>&& made) -> Status {
        PARAPRINT_ASSIGN(const Counters of_input, std::move(made));
        add_counters(counters, of_input);
        return {};
      }));
  progress.end();
  return counters;
}

}  // namespace paraprint::inline payloads
