// Writes the surviving records of an input in the input's own format.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "archive/input_files.h"
#include "archive/record.h"
#include "archive/record_savings.h"
#include "archive/warc_record.h"
#include "base/atomic_file.h"
#include "memory/memory_budget.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline archive {

// A page to remove, and the page that is kept instead.
struct RemovedPage {
  std::uint64_t ordinal = 0;  // RecordLocation::ordinal
  // The following are for WriteOptions::write_revisits.
  PageRelation relation = {};
  std::string_view target = {};  // RevisitTarget::encode() of the kept page's record; empty: nothing may refer to it
  // Only a revisit record may take its place. If its payload is not that of the target any more, the input has changed.
  bool only_as_revisit = false;
  // For the tally of savings: the page has no text but the template of its site.
  bool is_template = false;
};

// What is written about the pages of an input next to them or into them. Calls come in the order of the records, from
// one thread, for records of kind kPage that stay.
class RecordNotes {
 public:
  virtual ~RecordNotes() = default;
  // JSON lines: the line without its end that takes the place of `line`; nullopt: it stays as it is. Valid until the
  // next call. Errors end the output; they name neither file nor line.
  virtual Result<std::optional<std::string_view>> edit_line(const RawRecord& record, std::string_view line) = 0;
  // WARC: the content (warc_fields()) of a metadata record about the page that follows it; empty: none.
  virtual std::string fields(const RawRecord& record) = 0;
};

struct WriteOptions {
  // WARC: replace each removed page by a record about it. If its payload equals that of the kept page, that is a
  // revisit record, which players resolve to that payload; otherwise a metadata record with the relation of the two
  // pages.
  bool write_revisits = false;
  // WARC: also remove request and metadata records that belong only to removed pages without a revisit record.
  bool drop_companions = true;
  // Of the targets of removed pages, which may be in files: checked while they are read.
  MemoryBudget* budget = nullptr;
  RecordNotes* notes = nullptr;  // none
  // The input could not be read to its end earlier: write the records before the error and report success.
  bool input_ends_early = false;
};

struct WriteCounts {
  std::uint64_t records_kept = 0;  // of all kinds
  std::uint64_t pages_removed = 0;
  std::uint64_t companions_removed = 0;
  std::uint64_t segments_removed = 0;  // continuation records of removed pages
  std::uint64_t revisits_written = 0;
  std::uint64_t relations_written = 0;  // metadata records in place of pages
  std::uint64_t notes_written = 0;      // lines with additions, and metadata records next to pages
  std::uint64_t records_rewritten = 0;  // kept, but repaired or compressed again as separate members
  std::uint64_t bytes_written = 0;
  RecordSavings savings;  // of all records, kept ones included; empty after write_gzip_records()
};

// Writes `input` without the pages in `removed` (ascending ordinals) to `output_path`. Addressable records are copied
// byte for byte; records inside one large gzip or zstd stream are compressed again. A folder of pages becomes a folder.
// A WACZ file (kWacz) becomes a folder with its lists of pages; its WARC files are inputs of their own.
// Bytes that the reader reports as skipped are not written.
//
// The file is written atomically (base/atomic_file.h). Nothing is written if the input cannot be opened. Errors:
// kNoSpace, kPermissionDenied, kNotFound and kInputOutput, naming the file; kUnsupported for standard input;
// kInvalidArgument for an ordinal that is not a page; kCorruptData if the input has changed since it was listed
// (check_unchanged()), or a page of a folder cannot be read any more; of such a folder, pages may have been written.
// Memory: one record, the tally of savings (record_savings.h), and the ids of the file's removed records if companions
// are dropped.
Result<WriteCounts> write_survivors(const InputFile& input, const std::string& output_path,
                                    std::span<const RemovedPage> removed, const ReadOptions& read_options,
                                    const WriteOptions& options);

struct GzipCopy {
  WriteCounts counts;
  std::optional<Error> read_error;  // why the input could not be read to its end; what was read of it is written
};

// Writes all records of a WARC or ARC input to `sink`, with a gzip member per record: those of a gzip file byte for
// byte where they have members of their own, all others compressed again. Each record is shown to `see` before. Errors:
// those of opening the input, of `see` and of `sink`, and kCancelled. Memory: one record.
Result<GzipCopy> write_gzip_records(const InputFile& input, ByteSink& sink, const ReadOptions& read_options,
                                    const std::function<Status(const RawRecord&)>& see, DefectSink defects);

}  // namespace paraprint::inline archive
