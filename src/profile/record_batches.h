// The input of a run as a stream of batches of records, file by file. Each batch ends where reading can resume.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "archive/record_reader.h"
#include "base/counters.h"
#include "paraprint/options.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "profile/defects_between_pages.h"
#include "profile/page_log.h"

namespace paraprint::inline profile {

struct RecordBatch {
  std::uint32_t file_index = 0;
  bool ends_file = false;
  ResumePoint resume;  // after the last record
  std::vector<RawRecord> records;
  std::vector<Defect> defects;
  Counters counters;
  std::uint64_t stored_bytes_done = 0;  // of all inputs, up to the end of this batch
};

// Threads: one at a time. `inputs` must outlive the source.
class RecordBatchSource {
 public:
  // Starts at `position`. The payload of a batch is limited such that the batches in flight stay a small part of
  // `memory_bytes`; the sequence of records does not depend on it.
  RecordBatchSource(const std::vector<InputFile>& inputs, const ReadOptions& options, const LogPosition& position,
                    std::uint64_t memory_bytes = ResourceOptions().memory);

  // nullopt after the last file. A file that cannot be opened or read further is a defect; the next file follows. Of
  // many defects between two pages, those after the first 99 are one for each kind (defects_between_pages.h).
  // Errors: those of pages that a program provides.
  Result<std::optional<RecordBatch>> next();

  std::uint64_t stored_bytes_total() const { return stored_bytes_total_; }

 private:
  bool open_file(RecordBatch& batch);
  void end_file(RecordBatch& batch);

  const std::vector<InputFile>& inputs_;
  ReadOptions options_;
  LogPosition position_;
  std::unique_ptr<RecordReader> reader_;
  DefectsBetweenPages between_pages_;  // filled by the reader's sink
  std::vector<Defect> defects_;
  std::size_t records_in_a_row_ = 0;  // that are no pages
  std::uint64_t payload_bytes_;       // of a batch
  std::uint64_t stored_bytes_before_ = 0;
  std::uint64_t stored_bytes_total_ = 0;
};

}  // namespace paraprint::inline profile
