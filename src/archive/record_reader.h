// Records out of any input: WARC 1.0/1.1 and WET, ARC 1, JSON lines, HTML files; plain, gzip or zstd.
//
//   auto reader = open_records(input, options, [&](Defect defect) { ... });
//   while (true) {
//     Result<std::optional<RawRecord>> record = (*reader)->next();   // check for an error
//     if (!record->has_value()) break;                                // the end
//     ...
//   }
//
// Broken input goes to the sink and is skipped; reading goes on at the next record that can be found. No byte is left
// out without a Defect. A record can be handed to another thread; a reader belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "archive/input_files.h"
#include "archive/record.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

enum class ArchiveFormat : std::uint8_t { kWarc, kArc, kJsonLines, kPage, kPageFolder, kEmpty, kUnknown };
enum class Compression : std::uint8_t { kNone, kGzip, kZstd };

// Where reading can start again. Opaque to callers, but plain numbers: a manifest may store it.
struct ResumePoint {
  std::uint64_t ordinal = 0;               // of the next record
  std::uint64_t stored_offset_bytes = 0;   // a place in the stored file where decoding can start
  std::uint64_t content_offset_bytes = 0;  // the content offset of that place
  std::uint64_t skip_bytes = 0;            // content between that place and the next record
  std::uint64_t line = 0;                  // lines before the next record
  std::uint64_t defects_end_bytes = 0;     // damage that starts before this stored offset has been reported
  std::uint64_t searched_bytes = 0;        // work spent up to that place on searching behind damage
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // The next record, or nothing at the end. Errors: kInputOutput when the system fails to read.
  virtual Result<std::optional<RawRecord>> next() = 0;

  // The place after the last record that next() gave.
  virtual ResumePoint position() const = 0;

  // Goes to a point that position() of a reader of the same file gave; call before the first next(). Standard input
  // can't (kUnsupported). A file that is shorter than the point is kCorruptData.
  virtual Status resume(const ResumePoint& point) = 0;

  virtual ArchiveFormat format() const = 0;
  virtual Compression compression() const = 0;

  // Stored bytes read so far, for progress.
  virtual std::uint64_t stored_bytes_read() const = 0;
};

// The format is told by the first bytes (after decompression), else by the name. An empty file and a file of unknown
// format are Defects, not errors, and give no record. Errors: kNotFound, kPermissionDenied, kInputOutput.
// `options` is copied.
Result<std::unique_ptr<RecordReader>> open_records(const InputFile& input, const ReadOptions& options, DefectSink sink);

}  // namespace paraprint
