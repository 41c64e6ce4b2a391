// Cuts the inputs into batches, the unit of parallel work and of resuming. Borders of batches may depend on the memory
// limit, but nothing else does: pages are numbered by record, and counters are summed over batches.
#include "profile/record_batches.h"

#include <algorithm>
#include <utility>

namespace paraprint::inline profile {
namespace {

// A batch costs one checksum, one resume point and one hand-over between threads. It is large enough for these to be
// negligible, and small enough for a dozen batches in flight to need little memory.
constexpr std::size_t kBatchRecords = 256;
// The defects of a page are few, but those before it may be more than a hundred.
constexpr std::size_t kBatchDefects = 4096;
// Records that are no pages are tiny at times, and a run that was stopped does not have to read more of them again. The
// number is of those in a row: borders that depended on where a batch began would depend on the memory limit, and the
// defects before them are added up there.
constexpr std::size_t kRecordsInARow = 65'536;
constexpr std::uint64_t kLargestPayloadBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kSmallestPayloadBytes = std::uint64_t{256} << 10;
constexpr std::uint64_t kPayloadShare = 256;  // 1/256 of memory per batch; a dozen are in flight, decoded and encoded

}  // namespace

RecordBatchSource::RecordBatchSource(const std::vector<InputFile>& inputs, const ReadOptions& options,
                                     const LogPosition& position, std::uint64_t memory_bytes)
    : inputs_(inputs),
      options_(options),
      position_(position),
      payload_bytes_(std::clamp(memory_bytes / kPayloadShare, kSmallestPayloadBytes, kLargestPayloadBytes)) {
  // Progress starts at the bytes of the files that the log already has.
  for (const InputFile& input : inputs_) {
    stored_bytes_total_ += input.size_bytes;
    if (input.index < position_.file_index) stored_bytes_before_ += input.size_bytes;
  }
}

// A batch never spans files, so a file's last batch may be empty. Records that are not pages are counted and dropped
// here, but advance the resume point like all others.
Result<std::optional<RecordBatch>> RecordBatchSource::next() {
  if (position_.file_index >= inputs_.size()) return std::optional<RecordBatch>{};
  RecordBatch batch;
  batch.file_index = position_.file_index;
  if (reader_ == nullptr && !open_file(batch)) return batch;
  std::uint64_t payload_bytes = 0;
  PrefixedCounts kinds("records_");
  while (batch.records.size() < kBatchRecords && payload_bytes < payload_bytes_ && defects_.size() < kBatchDefects) {
    Result<std::optional<RawRecord>> record = reader_->next();
    if (!record) {
      // The pages of a program are one input: whatever could not be read of them, the run is not the one asked for.
      if (inputs_[position_.file_index].kind == InputKind::kMemory) return tl::unexpected<Error>(record.error());
      Defect defect;
      defect.kind = DefectKind::kUnreadableFile;
      defect.file = inputs_[position_.file_index].path;
      defect.offset_bytes = reader_->stored_bytes_read();
      defect.message = record.error().message;
      between_pages_.add(std::move(defect));
      end_file(batch);
      break;
    }
    if (!record->has_value()) {
      end_file(batch);
      break;
    }
    kinds.add(record_kind_name((*record)->kind));
    if ((*record)->kind != RecordKind::kPage) {
      if (++records_in_a_row_ == kRecordsInARow) break;
      continue;
    }
    between_pages_.move_to(defects_);
    records_in_a_row_ = 0;
    payload_bytes += (*record)->payload.size();
    batch.records.push_back(std::move(**record));
  }
  kinds.add_to(batch.counters);
  if (batch.ends_file) return batch;
  if (std::exchange(records_in_a_row_, 0) > 0) between_pages_.move_to(defects_);  // else the last record is a page
  batch.resume = reader_->position();
  batch.defects = std::exchange(defects_, {});
  batch.stored_bytes_done = stored_bytes_before_ + reader_->stored_bytes_read();
  return batch;
}

// A resume point that the file no longer allows ends the file like one that cannot be opened.
bool RecordBatchSource::open_file(RecordBatch& batch) {
  const InputFile& input = inputs_[position_.file_index];
  Result<std::unique_ptr<RecordReader>> reader =
      open_records(input, options_, [this](Defect defect) { between_pages_.add(std::move(defect)); });
  Status ready = reader ? Status{} : Status(tl::unexpected<Error>(reader.error()));
  if (ready) {
    reader_ = std::move(*reader);
    if (position_.has_resume) ready = reader_->resume(position_.resume);
  }
  if (ready) return true;
  Defect defect;
  defect.kind = DefectKind::kUnreadableFile;
  defect.file = input.path;
  defect.message = ready.error().message;
  defects_.push_back(std::move(defect));
  end_file(batch);
  return false;
}

// Also called for files that could not be opened: each input is ended, and counted, exactly once.
void RecordBatchSource::end_file(RecordBatch& batch) {
  between_pages_.move_to(defects_);
  records_in_a_row_ = 0;
  batch.ends_file = true;
  batch.defects = std::exchange(defects_, {});
  count(batch.counters, "inputs_read");
  stored_bytes_before_ += inputs_[position_.file_index].size_bytes;
  batch.stored_bytes_done = stored_bytes_before_;
  reader_.reset();
  position_ = {position_.file_index + 1, false, {}};
}

}  // namespace paraprint::inline profile
