// Reads records from any supported input (archive_format.h), uncompressed, gzip or zstd.
//
//   auto reader = open_records(input, options, [&](Defect defect) { ... });
//   while (true) {
//     Result<std::optional<RawRecord>> record = (*reader)->next();   // check for an error
//     if (!record->has_value()) break;                                // the end
//     ...
//   }
//
// Broken input is reported to the sink and skipped; reading resumes at the next recognisable record. No byte is skipped
// without a Defect. Records may be passed to other threads; a reader must be used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "archive/archive_format.h"
#include "archive/input_files.h"
#include "archive/record.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline archive {

enum class Compression : std::uint8_t { kNone, kGzip, kZstd };

// A position at which reading can resume. Opaque to callers, but plain numbers, so a manifest can store it.
struct ResumePoint {
  std::uint64_t ordinal = 0;               // of the next record
  std::uint64_t stored_offset_bytes = 0;   // in the stored file, where decoding can start
  std::uint64_t content_offset_bytes = 0;  // of the same position, in the decompressed content
  std::uint64_t skip_bytes = 0;            // content between that position and the next record
  std::uint64_t line = 0;                  // lines before the next record
  std::uint64_t defects_end_bytes = 0;     // damage starting before this stored offset has been reported
  std::uint64_t searched_bytes = 0;        // search budget spent so far after damage (member_stream.h)
  std::uint64_t joined_origin_hash = 0;    // of a record whose segments lie on both sides (segment_joiner.h)
  std::uint64_t joined_end = 0;            // the ordinal after its last segment; 0 if there is no such record
};

// Sees the payloads of pages that are too large to be held: what follows their HTTP header, as stored.
class PayloadObserver {
 public:
  virtual ~PayloadObserver() = default;
  virtual void begin() = 0;  // of the next payload, also if the last one did not lead to a record
  virtual void add(std::string_view piece) = 0;
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // Returns the next record, or nullopt at the end. Errors: kInputOutput if reading the file fails.
  virtual Result<std::optional<RawRecord>> next() = 0;

  // The position after the last record returned by next().
  virtual ResumePoint position() const = 0;

  // Moves to a point returned by position() of a reader of the same file. Call it before the first next(). Errors:
  // kUnsupported for standard input, kCorruptData if the file is now shorter than the point.
  virtual Status resume(const ResumePoint& point) = 0;

  // For callers that need records rather than pages. Records of WARC and ARC then have their header, and their payload
  // whatever their kind. Those that are too large have the first ReadOptions::max_http_header_bytes of it and, if they
  // state no digest, the SHA-1 of what follows their HTTP header. Records of JSON lines have the line as their header,
  // so that fields other than those of ReadOptions can be read. Call it before the first next(). Cost: a copy of each
  // record.
  virtual void keep_everything() {}

  // Pages in WARC files that are too large then have the SHA-1 of what follows their HTTP header, and are no defects,
  // unless something else than a record follows them: their length may be wrong then. `observer`, if there is one, sees
  // the bytes before next() returns the record, and must outlive the reader. Call it before the first next().
  virtual void digest_oversized(PayloadObserver* observer) { static_cast<void>(observer); }

  virtual ArchiveFormat format() const = 0;
  virtual Compression compression() const = 0;

  // Stored bytes read so far, for progress.
  virtual std::uint64_t stored_bytes_read() const = 0;
};

// Detects the format from the first bytes (after decompression), otherwise from the name. An empty file or a file of
// unknown format is a Defect, not an error, and yields no records. Errors: kNotFound, kPermissionDenied, kInputOutput.
// `options` is copied.
Result<std::unique_ptr<RecordReader>> open_records(const InputFile& input, const ReadOptions& options, DefectSink sink);

}  // namespace paraprint::inline archive
