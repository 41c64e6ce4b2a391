// Serialises WARC records: those that take the place of removed pages, repaired records, and records of new archives.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/record.h"
#include "archive/revisit_target.h"

namespace paraprint::inline archive {

// WARC-Profile of revisit records of WARC 1.1 files: the payload equals that of the record referred to, or the server
// answered 304. There is none for a page that is merely similar: players ignore the profile and would show the other
// page's body. make_relation_record() is for those.
inline constexpr std::string_view kIdenticalPayloadProfile =
    "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
inline constexpr std::string_view kNotModifiedProfile = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

using WarcFields = std::vector<std::pair<std::string_view, std::string_view>>;

// Writes the version line, WARC-Type, `fields` in order (skipping empty values), Content-Length, `content` and the
// blank lines that end a record. Line ends in values become spaces.
std::string make_warc_record(std::string_view type, const WarcFields& fields, std::string_view content,
                             std::string_view version = "WARC/1.1");

// "name: value" lines, the content of warcinfo and metadata records. Like make_warc_record(), it skips empty values and
// replaces line ends.
std::string warc_fields(const std::vector<std::pair<std::string, std::string>>& fields);

// "urn:uuid:...", of version 8 (RFC 9562 5.8): the same for the same seed.
std::string uuid_from(std::string_view seed);

// What is recorded about a near-duplicate that was left out: how it relates to the page that was kept.
struct PageRelation {
  std::string_view verdict;  // its name: "the page left out is ... the kept page"; empty: none is kept instead
  float resemblance = 1;
  float containment = 1;       // share of the page left out that is in the kept one
  float containment_kept = 1;  // share of the kept page that is in the one left out
  std::string_view reason;     // why the other page was kept (docs/output.md); the names of the kept page may be empty
  std::string_view kept_id;
  std::string_view kept_url;
  std::string_view kept_date;
};
// For warc_fields(): the fields of docs/archives.md, in their order.
std::vector<std::pair<std::string, std::string>> relation_fields(const PageRelation& relation);

// A metadata record about a page, with `content` (warc_fields()): with its address and date, and with WARC-Refers-To
// its id.
std::string make_metadata_record(const RawRecord& page, std::string_view content);

// A metadata record in place of a page: with its address and date, and with WARC-Refers-To its id. Players do not
// resolve it to a body.
std::string make_relation_record(const RawRecord& removed, const PageRelation& relation);

// A revisit record in place of a page whose payload equals that of `target`: has_payload_of() must hold. It keeps id,
// address, date and HTTP header of the page, and the version of its record.
std::string make_revisit_record(const RawRecord& removed, const RevisitTarget& target, std::string_view target_url);

// Serialise a record whose stored length was wrong (RawRecord::is_repaired) with its actual length.
std::string repaired_warc_record(const RawRecord& record);
std::string repaired_arc_record(const RawRecord& record);

// What is around the content of such a record, which may be too large to be held.
struct RepairedFrame {
  std::string head;
  std::uint64_t content_bytes = 0;  // between head and end
  std::string_view end;
};
RepairedFrame repaired_warc_frame(const RawRecord& record);
RepairedFrame repaired_arc_frame(const RawRecord& record);

// The line ends after the content of a WARC record.
inline constexpr std::string_view kWarcRecordEnd = "\r\n\r\n";

}  // namespace paraprint::inline archive
