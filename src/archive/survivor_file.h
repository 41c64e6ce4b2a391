// Writes the output of one archive or file of JSON lines, record by record (record_writer.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "archive/archive_format.h"
#include "archive/content_stream.h"
#include "archive/input_files.h"
#include "archive/input_window.h"
#include "archive/member_writer.h"
#include "archive/record.h"
#include "archive/record_reader.h"
#include "archive/record_savings.h"
#include "archive/record_writer.h"
#include "base/atomic_file.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline archive {

// The tally of a removed page, unless a revisit record takes its place.
SavingsClass class_of_removed(const RemovedPage& page);

// Whether a revisit record can take the place of the page.
bool becomes_revisit(const RawRecord& record, const RemovedPage& page);

// What is around the content of a record of this format whose length was wrong.
RepairedFrame repaired_frame(const RawRecord& record, ArchiveFormat format);

// Adjacent addressable records are collected into one range of stored bytes and copied when a gap or a rewritten record
// interrupts it; an input without removed pages is therefore copied in large pieces, byte for byte. Rewritten records
// are written as members of their own, which can be mixed with copied ones in any order.
//
// Not thread-safe. Call order: begin, (keep | keep_with_notes | replace)*, finish; records in the order of the input.
// Errors: those of the sink and of reading the input; kCorruptData if it is shorter than before. After an error,
// nothing more may be called. Memory: one record.
class SurvivorFile {
 public:
  // With `is_gzip`, the output has a gzip member per record, whatever the compression of the input.
  SurvivorFile(const InputFile& input, const ReadOptions& options, ByteSink& file, WriteCounts& counts,
               bool is_gzip = false)
      : input_(input), options_(options), file_(file), counts_(counts), is_gzip_(is_gzip) {}

  // Call before anything else: format and compression are known once a reader is open.
  Status begin(const RecordReader& reader);
  Status keep(RawRecord&& record);
  Status keep_with_notes(RawRecord&& record, RecordNotes& notes);
  Status replace(const RawRecord& record, const RemovedPage& page);  // by a record about it
  Status finish();

 private:
  Status begin_added();
  Status add(std::string_view record);  // as a separate member
  Status add_oversized(const RawRecord& record);
  Status keep_waiting(bool is_before_element);
  Status copy_record(const RawRecord& record);
  Status copy_range();
  Status copy_dictionary();
  Status copy_content(const RawRecord& record);
  Status write_content(std::uint64_t offset_bytes, std::uint64_t length_bytes);
  Status open_member();
  Status close_member();

  const InputFile& input_;
  const ReadOptions& options_;
  ByteSink& file_;
  WriteCounts& counts_;
  const bool is_gzip_;
  bool is_converted_ = false;
  ArchiveFormat format_ = ArchiveFormat::kUnknown;
  Compression compression_ = Compression::kNone;
  std::optional<InputWindow> source_;
  std::unique_ptr<ContentStream> content_;  // opened for the first record that is not addressable
  std::unique_ptr<MemberWriter> members_;
  bool is_member_open_ = false;
  bool lacks_line_end_ = false;       // what was kept last: nothing may be joined to it
  std::string_view missing_end_;      // line ends that the WARC record copied last lacks, if another one is added
  std::optional<RawRecord> waiting_;  // an element of a list: the next record decides whether its separator is kept
  std::uint64_t range_begin_ = 0;     // range of stored bytes that still has to be copied
  std::uint64_t range_end_ = 0;
};

}  // namespace paraprint::inline archive
