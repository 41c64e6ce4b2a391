// The surviving records, in the format of the input.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "archive/input_files.h"
#include "archive/record.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

// A page that is left out, and the page kept in its place.
struct RemovedPage {
  std::uint64_t ordinal = 0;  // RecordLocation::ordinal
  std::string_view kept_id;   // for revisit records; may be empty
  std::string_view kept_url;
  std::string_view kept_date;
};

struct WriteOptions {
  // WARC: where a removed page stood, a revisit record with its id, URL, date and HTTP header that names the page kept.
  bool write_revisits = false;
  // WARC, without revisit records: request and metadata records that belong to removed pages only go with them.
  bool drop_companions = true;
  // The input could not be read to its end before either: what comes before the error is written, and it is none.
  bool input_ends_early = false;
};

struct WriteCounts {
  std::uint64_t records_kept = 0;  // of all kinds
  std::uint64_t pages_removed = 0;
  std::uint64_t companions_removed = 0;
  std::uint64_t revisits_written = 0;
  std::uint64_t records_rewritten = 0;  // content kept, stored again: compressed as a member of their own, or repaired
  std::uint64_t bytes_written = 0;
};

// Writes `output_path` from `input`, without the pages of `removed` (ascending ordinals). Records that can be
// addressed are copied byte for byte; records inside one large gzip or zstd stream are compressed again. A folder of
// pages becomes a folder. What the reader reports as a Defect with skipped bytes is not in the output.
//
// The file appears complete or not at all (base/atomic_file.h); none where nothing of the input can be opened. Errors:
// kNoSpace, kPermissionDenied, kNotFound, kInputOutput naming the file; kUnsupported for standard input;
// kInvalidArgument for an ordinal that no page has. Memory: a record; for WARC files with requests or metadata also the
// ids of the removed records of the file.
Result<WriteCounts> write_survivors(const InputFile& input, const std::string& output_path,
                                    std::span<const RemovedPage> removed, const ReadOptions& read_options,
                                    const WriteOptions& options);

}  // namespace paraprint
