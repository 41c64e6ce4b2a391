#include "profile/record_batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace paraprint {
namespace {

// A batch is one checksum, one resume point and one hand-over between threads: large enough that none of them shows in
// a profile, small enough that a handful of them in flight is little memory.
constexpr std::size_t kBatchRecords = 256;
constexpr std::uint64_t kLargestPayloadBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kSmallestPayloadBytes = std::uint64_t{256} << 10;
constexpr std::uint64_t kPayloadShare = 256;  // of the memory; a dozen batches are in flight, each decoded and encoded

}  // namespace

RecordBatchSource::RecordBatchSource(const std::vector<InputFile>& inputs, const ReadOptions& options,
                                     const LogPosition& position, std::uint64_t memory_bytes)
    : inputs_(inputs),
      options_(options),
      position_(position),
      payload_bytes_(std::clamp(memory_bytes / kPayloadShare, kSmallestPayloadBytes, kLargestPayloadBytes)) {
  for (const InputFile& input : inputs_) {
    stored_bytes_total_ += input.size_bytes;
    if (input.index < position_.file_index) stored_bytes_before_ += input.size_bytes;
  }
}

Result<std::optional<RecordBatch>> RecordBatchSource::next() {
  if (position_.file_index >= inputs_.size()) return std::optional<RecordBatch>{};
  RecordBatch batch;
  batch.file_index = position_.file_index;
  if (reader_ == nullptr && !open_file(batch)) return batch;
  std::uint64_t payload_bytes = 0;
  while (batch.records.size() < kBatchRecords && payload_bytes < payload_bytes_) {
    Result<std::optional<RawRecord>> record = reader_->next();
    if (!record) {
      Defect defect;
      defect.kind = DefectKind::kUnreadableFile;
      defect.file = inputs_[position_.file_index].path;
      defect.offset_bytes = reader_->stored_bytes_read();
      defect.message = record.error().message;
      defects_.push_back(std::move(defect));
      end_file(batch);
      return batch;
    }
    if (!record->has_value()) {
      end_file(batch);
      return batch;
    }
    count(batch.counters, fmt::format("records_{}", record_kind_name((*record)->kind)));
    payload_bytes += (*record)->payload.size();
    if ((*record)->kind == RecordKind::kPage) batch.records.push_back(std::move(**record));
  }
  batch.resume = reader_->position();
  batch.defects = std::exchange(defects_, {});
  batch.stored_bytes_done = stored_bytes_before_ + reader_->stored_bytes_read();
  return batch;
}

bool RecordBatchSource::open_file(RecordBatch& batch) {
  const InputFile& input = inputs_[position_.file_index];
  Result<std::unique_ptr<RecordReader>> reader =
      open_records(input, options_, [this](Defect defect) { defects_.push_back(std::move(defect)); });
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

void RecordBatchSource::end_file(RecordBatch& batch) {
  batch.ends_file = true;
  batch.defects = std::exchange(defects_, {});
  count(batch.counters, "inputs_read");
  stored_bytes_before_ += inputs_[position_.file_index].size_bytes;
  batch.stored_bytes_done = stored_bytes_before_;
  reader_.reset();
  position_ = {position_.file_index + 1, false, {}};
}

}  // namespace paraprint
