// What a reader returns: one stored record, or a defect that describes bytes it could not use. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/read_options.h"

namespace paraprint::inline archive {

enum class RecordKind : std::uint8_t {
  kPage,      // may contain a page: decode_page (http_payload.h) decides
  kRevisit,   // a capture that refers to an earlier one: never a page
  kRequest,   // the HTTP request of a capture
  kMetadata,  // describes another record or the crawl
  kOther,     // warcinfo, DNS answers, continuation records, unknown types: passed through
};
inline constexpr std::size_t kRecordKindCount = 5;

// What the content of a kPage record is.
enum class PageSource : std::uint8_t {
  kResponse,    // what a server sent, with its HTTP header if it was HTTP; documents of ARC files
  kResource,    // WARC: the document itself
  kConversion,  // WARC: made from the content of another record, which refers_to names
};

// A stable lower-case name: "page", "revisit", ...
std::string_view record_kind_name(RecordKind kind);

// WARC: what a segment of a record says of its place in it (segment_joiner.h).
struct RecordSegment {
  bool is_continuation = false;              // not the first one
  std::uint64_t number = 0;                  // from 1; 0 if it is not stated, or not a number
  std::string origin;                        // of a continuation record: id of the first segment, without <>
  std::optional<std::uint64_t> total_bytes;  // of the last one: length of all
  // Of a first segment: whether its payload is that of the whole record, and the ordinals of the other segments.
  bool is_joined = false;
  std::vector<std::uint64_t> joined_ordinals;
};

struct RawRecord {
  RecordKind kind = RecordKind::kOther;
  std::string id;                  // from the record, else from file name and position; not necessarily unique
  bool has_id_of_place = false;    // the id is from file name and position, since the page states none
  bool is_place_lasting = false;   // WARC and ARC: that names the capture for good, as archives keep their names
  std::string url;                 // empty if unknown
  std::string date;                // "2024-05-01T10:00:00Z", empty if unknown
  std::string stated_date;         // WARC: the date with fractions of a second, if it is stored with them
  std::string payload_digest;      // WARC: as stated, so possibly wrong: "sha1:..."
  std::string content_type;        // of the payload; empty if is_http, because the HTTP header has it
  std::string concurrent_to;       // ids of records of the same capture, without <>, separated by one space
  std::string refers_to;           // id of the record that this one repeats, describes or converts, without <>
  std::string refers_to_url;       // revisits only: address and date of that record, the date as in `date`; empty if
  std::string refers_to_date;      // not stated
  std::string profile;             // WARC-Profile; revisits only
  std::optional<int> http_status;  // set by decode_page from the HTTP header
  std::optional<double> score;     // JSON lines: the number in ReadOptions::score_field
  PageFormat format = PageFormat::kHtml;
  PageSource source = PageSource::kResponse;
  bool is_warc_1_0 = false;      // WARC: a version before 1.1
  bool is_http = false;          // payload starts with an HTTP status line and header
  bool format_is_known = false;  // the container determines `format`: no type filter, no sniffing of the body
  bool body_is_utf8 = false;     // the container guarantees it
  bool is_truncated = false;     // declared by the writer (WARC-Truncated), or the stored bytes end early
  bool is_oversized = false;     // payload has only the first ReadOptions::max_http_header_bytes
  bool is_repaired = false;  // the stored length was wrong: header has the stored header block, payload the content,
                             // or, if is_oversized as well, its beginning: the record was cut off
  std::optional<RecordSegment> segment;
  std::string header;        // only if is_repaired, or if the reader keeps everything
  std::string payload;       // HTTP message or document, still encoded. Only if kind is kPage, or the same
  std::string payload_sha1;  // 20 bytes, only if is_oversized and the reader was asked for it (record_reader.h)
  RecordLocation location;

  // The record's range in the decompressed content of its file (the stored bytes for an uncompressed file), including
  // the separator after it.
  std::uint64_t content_offset_bytes = 0;
  std::uint64_t content_length_bytes = 0;
  // WARC and ARC: how many of these are that separator; and the stored bytes from the record's start to the next one's,
  // as RecordLocation::length_bytes, but of a repaired record as well.
  std::uint64_t blank_bytes = 0;
  std::uint64_t stored_length_bytes = 0;
  // Of an element of a list inside a larger document: the range ends with this many bytes that separate it from the
  // next element. Writers leave them out if the element becomes the last one.
  std::uint32_t separator_bytes = 0;
  bool is_list_element = false;
  bool lacks_line_end = false;  // JSON lines: the last line of a file, or cut off by damage
  std::uint64_t line = 0;       // 1-based line of a JSONL file; 0 for other formats
};

// Every kind of defect in the input. The names (defect_name) are counters in summary.json and must never change.
// docs/reading.md describes each kind and how its bytes are treated.
enum class DefectKind : std::uint8_t {
  // The compressed file
  kBrokenCompression,     // a gzip member or zstd frame does not decode; the content before the damage is used
  kTruncatedCompression,  // the file ends inside a gzip member or zstd frame
  kBadChecksum,           // content decodes, but the member's checksum or length does not match; used
  kCompressionBomb,       // exceeds ReadOptions::max_expansion_ratio; the rest of the member is skipped
  kStrayBytes,            // bytes between members that do not form a member
  // WARC and ARC records
  kGarbage,               // bytes between records that do not form a record
  kBadRecordHeader,       // a record starts but its header is unusable (length missing or invalid, no end)
  kRecordHeaderTooLarge,  // more than ReadOptions::max_record_header_bytes
  kTruncatedRecord,       // the file or member ends before the record does
  kWrongContentLength,    // the record does not end where its length says
  kRecordTooLarge,        // more than ReadOptions::max_record_bytes: passed through, not a page
  kMissingUrl,            // a page without a URL; used
  kMissingRecordId,       // a page without an id: named by file and offset; used
  kBadDate,               // an invalid date; the page is used without a date
  // JSON lines
  kBadJson,
  kBadUtf8,
  kMissingField,
  kWrongFieldType,
  kLineTooLong,
  // HTTP messages
  kBadHttpHeader,           // not an HTTP message, or the header exceeds its limit
  kBrokenChunks,            // invalid chunked transfer coding: the readable part is used
  kBrokenContentEncoding,   // the body does not match its encoding: the decodable part is used, or plain text as it is
  kUnknownContentEncoding,  // unsupported encoding: used if the bytes are readable text, otherwise not a page
  kWrongHttpContentLength,  // body shorter than its Content-Length; used
  kBodyTooLarge,            // the decoded body exceeds ReadOptions::max_body_bytes: not a page
  // Files
  kUnreadableFile,
  kEmptyFile,
  kUnknownFormat,  // neither content nor name identifies the format: the file is skipped
  // WACZ files
  kBrokenDirectory,  // of the ZIP file: missing, damaged or too long; what it does not list is searched for or not read
  kMissingMember,    // a member that the format requires, or that datapackage.json lists
  kUnusableMember,   // a member that cannot be read, or must not be: not read
  // WARC records again: the numbers are stored in logs
  kUnjoinedSegments,  // a segment of a record whose segments cannot be joined: passed through, not a page
  // Pages of any format
  kLongId,   // more than kPageNameBytesMaximum: the page has the id of its place
  kLongUrl,  // likewise: the page is used without a URL
};
inline constexpr std::size_t kDefectKindCount = static_cast<std::size_t>(DefectKind::kLongUrl) + 1;

// A stable lower-case name with dashes: "broken-compression".
std::string_view defect_name(DefectKind kind);

struct Defect {
  DefectKind kind = DefectKind::kGarbage;
  std::string file;                 // path of the input; for a folder of pages, of the page's file
  std::uint64_t offset_bytes = 0;   // in the stored file; for a compressed file, of the enclosing member's start
  std::uint64_t skipped_bytes = 0;  // stored bytes (inside a member: content bytes) that belong to no record
  std::uint64_t line = 0;           // 1-based; 0 where the format has no lines
  std::string message;              // readable, without file and position; may quote the input
  std::uint64_t count = 1;          // more than 1: this is the first of so many of its kind, with the bytes of all
};

// ", and 7 more like it"; empty if the defect stands for itself alone.
std::string others_of(const Defect& defect);

// "crawl.warc.gz: at byte 1234 (line 7): broken-compression: ..., 56 bytes skipped", always one line: line ends become
// "\n" and "\r".
std::string describe(const Defect& defect);

// Called on the reading thread. Must not call back into the reader.
using DefectSink = std::function<void(Defect)>;

// Empties the id and the URL of a page if they are too long, and reports that. The reader then gives it the id of its
// place.
void drop_long_names(RawRecord& page, const std::function<void(DefectKind kind, std::string message)>& report);

}  // namespace paraprint::inline archive
