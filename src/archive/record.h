// What a reader hands on: one stored record, and what it says about bytes it could not use. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "paraprint/model.h"

namespace paraprint {

enum class RecordKind : std::uint8_t {
  kPage,      // may hold a page: decode_page (http_payload.h) decides
  kRevisit,   // a capture that refers to an earlier one: never a page
  kRequest,   // what was sent to the server
  kMetadata,  // about another record or the crawl
  kOther,     // warcinfo, DNS answers, continuations, records that can't be used: passed through
};
inline constexpr std::size_t kRecordKindCount = 5;

// A stable lower-case name: "page", "revisit", ...
std::string_view record_kind_name(RecordKind kind);

struct RawRecord {
  RecordKind kind = RecordKind::kOther;
  std::string id;                  // as the format gives it, or made from file and place; not checked to be unique
  std::string url;                 // empty if unknown
  std::string date;                // "2024-05-01T10:00:00Z", empty if unknown
  std::string content_type;        // of the payload itself; for is_http still empty, the HTTP header has it
  std::string concurrent_to;       // ids of records of the same capture, without <>, separated by one space
  std::string refers_to;           // id of the record that a revisit repeats, without <>
  std::optional<int> http_status;  // where the container says it (JSON never does, WARC leaves it to the HTTP header)
  PageFormat format = PageFormat::kHtml;
  bool is_http = false;          // payload starts with an HTTP status line and header
  bool format_is_known = false;  // the container fixes `format`: no type filter, no guess from the body
  bool body_is_utf8 = false;     // the container guarantees it
  bool is_truncated = false;     // the writer said so (WARC-Truncated), or the stored bytes end early
  bool is_oversized = false;     // payload holds only the first ReadOptions::max_http_header_bytes
  bool is_repaired = false;  // the stored length was wrong: header holds the stored header block, and payload the rest
  std::string header;        // only if is_repaired
  std::string payload;       // HTTP message or document, still encoded. Empty unless kind is kPage
  RecordLocation location;

  // The same record in the decompressed content of its file (for plain files the stored bytes themselves), with what
  // separates it from the next one.
  std::uint64_t content_offset_bytes = 0;
  std::uint64_t content_length_bytes = 0;
  std::uint64_t line = 0;  // of a JSONL file, from 1; 0 for other formats
};

// Every kind of broken or unusable thing in the input. The names (defect_name) are counters in summary.json: never
// rename one. docs/reading.md says what each means and what happens to the bytes.
enum class DefectKind : std::uint8_t {
  // The compressed file
  kBrokenCompression,     // a gzip member or zstd frame does not decode; what came before the break is used
  kTruncatedCompression,  // the file ends inside a gzip member or zstd frame
  kBadChecksum,           // content decodes, but the member's own checksum or length disagrees; used
  kCompressionBomb,       // expands beyond ReadOptions::max_expansion_ratio; the rest of the member is skipped
  kStrayBytes,            // bytes between members that are no member
  // WARC and ARC records
  kGarbage,               // bytes between records that are no record
  kBadRecordHeader,       // a record starts but its header can't be used (no or wrong length, not header lines)
  kRecordHeaderTooLarge,  // more than ReadOptions::max_record_header_bytes
  kTruncatedRecord,       // the file or member ends before the record does
  kWrongContentLength,    // the record does not end where its length says
  kRecordTooLarge,        // more than ReadOptions::max_record_bytes: passed through, not a page
  kMissingUrl,            // a page without a URL; used
  kMissingRecordId,       // a page without an id: named by file and offset; used
  kBadDate,               // a date that is none; used without it
  // JSON lines
  kBadJson,
  kBadUtf8,
  kMissingField,
  kWrongFieldType,
  kLineTooLong,
  // HTTP messages
  kBadHttpHeader,           // not an HTTP message at all, or a header beyond its limit
  kBrokenChunks,            // chunked transfer coding that isn't: what can be read is used
  kBrokenContentEncoding,   // the body does not decode as its header says: what decodes is used, or text as it is
  kUnknownContentEncoding,  // an encoding this build doesn't know: used if it is text as it is, else not a page
  kWrongHttpContentLength,  // body shorter than its HTTP header says; used
  kBodyTooLarge,            // the decoded body passes ReadOptions::max_body_bytes: not a page
  // Files
  kUnreadableFile,
  kEmptyFile,
  kUnknownFormat,  // neither content nor name tell what the file is: nothing of it is read
};
inline constexpr std::size_t kDefectKindCount = static_cast<std::size_t>(DefectKind::kUnknownFormat) + 1;

// Stable lower-case-with-dashes: "broken-compression".
std::string_view defect_name(DefectKind kind);

struct Defect {
  DefectKind kind = DefectKind::kGarbage;
  std::string file;                 // as the input was named; for a folder of pages, the page's file
  std::uint64_t offset_bytes = 0;   // in the stored file; inside a compressed member, where that member starts
  std::uint64_t skipped_bytes = 0;  // stored bytes (content bytes inside a member) that no record will hold; 0: none
  std::uint64_t line = 0;           // from 1; 0 where the format has no lines
  std::string message;              // one line for a person, without file and place
};

// "crawl.warc.gz: at byte 1234 (line 7): broken-compression: ..., 56 bytes skipped"
std::string describe(const Defect& defect);

// Called by the thread that reads. Must not call back into the reader.
using DefectSink = std::function<void(Defect)>;

}  // namespace paraprint
