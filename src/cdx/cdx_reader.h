// Reads the indexes of web archives, CDXJ and classic CDX, one entry at a time.
//
//   auto reader = CdxReader::open("known.cdxj.gz", [&](Defect defect) { ... });   // check for an error
//   CdxEntry entry;
//   while (true) {
//     const Result<bool> more = (*reader)->next(entry);   // check for an error
//     if (!*more) break;                                  // the end
//     ...
//   }
//
// The form is recognised line by line, so files of both forms may be joined:
//
//   CDXJ      urlkey timestamp {"url": ..., "digest": ..., "mime": ..., "status": ..., "filename": ..., ...}
//   classic   " CDX N b a m s k r M S V g", then lines with a field for each letter, in any order. The character before
//             "CDX" separates the fields. Without such a line, lines of 9, 10, 11 or 14 fields have the usual ones.
//
// Lines need not be sorted. Files are plain, gzip (also of several members, as ZipNum files are) or zstd. Lines that
// start with '!' or '#', and blank ones, are passed over. A line that is neither form, or whose timestamp, JSON or
// number is broken, is reported to the sink and passed over.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "archive/record.h"
#include "paraprint/result.h"

namespace paraprint::inline archive {

class ContentStream;

}  // namespace paraprint::inline archive

namespace paraprint::inline cdx {

// A line of an index. Texts are as stated; empty if the line does not state them (classic: "-").
struct CdxEntry {
  std::string urlkey;     // the key that the index is sorted by: surt(url), or what the index's writer took for it
  std::string url;        // as captured
  std::string timestamp;  // 14 digits, or 17 with milliseconds
  std::string digest;     // for parse_digest()
  std::string mime;
  std::string status;
  std::string filename;
  std::optional<std::uint64_t> offset_bytes;
  std::optional<std::uint64_t> length_bytes;
  bool is_revisit = false;  // the media type is "warc/revisit": the entry has no payload of its own
  std::uint64_t line = 0;   // 1-based
};

// Longer lines are reported and passed over. URLs reach tens of kilobytes, and cdxj-indexer adds up to 4096 characters
// of request bodies to a line.
inline constexpr std::uint64_t kCdxLineBytesMaximum = std::uint64_t{1} << 20;

// Not thread-safe. Memory: the longest line, and the buffers of archive/content_stream.h.
class CdxReader {
 public:
  // `path` may be "-", standard input. Defects name file and line, and the offset of compressed data. Their kinds:
  // kBadJson, kBadUtf8, kMissingField, kWrongFieldType, kBadDate, kLineTooLong, and those of compression. Errors:
  // kNotFound, kPermissionDenied, kInputOutput.
  static Result<std::unique_ptr<CdxReader>> open(const std::string& path, DefectSink sink);
  ~CdxReader();
  CdxReader(const CdxReader&) = delete;
  CdxReader& operator=(const CdxReader&) = delete;

  // Fills `entry`, whose strings keep their memory, and returns true; false at the end. Errors: kInputOutput if reading
  // the file fails, kCancelled.
  Result<bool> next(CdxEntry& entry);

  std::uint64_t broken_lines() const { return broken_lines_; }  // reported so far, each once
  std::uint64_t stored_bytes_read() const;                      // for progress

 private:
  // What a column of a classic file holds.
  enum class Column : std::uint8_t { kOther, kKey, kUrl, kTimestamp, kDigest, kMime, kStatus, kFile, kOffset, kLength };
  struct JsonParser;

  CdxReader(std::string path, DefectSink sink, std::unique_ptr<ContentStream> stream);

  Result<std::optional<std::string_view>> peek_line();
  Status skip_long_line();
  bool parse(std::string_view line, CdxEntry& entry);
  bool parse_json(std::string_view json, CdxEntry& entry);
  bool parse_columns(std::string_view line, CdxEntry& entry);
  bool set_column(Column column, std::string_view value, CdxEntry& entry);
  bool read_heading(std::string_view line);
  bool check_timestamp(std::string_view timestamp);
  void report(DefectKind kind, std::string message);

  static constexpr std::size_t kColumnsMaximum = 64;

  std::string path_;
  DefectSink sink_;
  std::unique_ptr<ContentStream> stream_;
  std::unique_ptr<JsonParser> json_;
  std::uint64_t line_ = 0;
  std::uint64_t line_bytes_ = 0;
  std::uint64_t broken_lines_ = 0;
  // Of the last heading; none: by the number of fields.
  std::array<Column, kColumnsMaximum> columns_{};
  std::size_t column_count_ = 0;
  char separator_ = ' ';
};

}  // namespace paraprint::inline cdx
