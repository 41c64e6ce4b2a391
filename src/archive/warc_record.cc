// Serialisation of WARC and ARC records. Values come from the input and may contain line ends, which would inject
// header fields, or characters that are not allowed in ids: both are sanitised here.
#include "archive/warc_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/digest.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::string_view kIdenticalPayloadProfile10 =
    "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest";

void append_field(std::string& header, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  header.append(name).append(": ");
  const std::size_t begin = header.size();
  header.append(value);
  std::replace_if(
      header.begin() + static_cast<std::ptrdiff_t>(begin), header.end(), [](char c) { return c == '\r' || c == '\n'; },
      ' ');
  header.append("\r\n");
}

// Ids must be URIs in angle brackets; others are omitted.
std::string bracketed(std::string_view id) {
  const bool is_uri = id.find(':') != std::string_view::npos && id.find_first_of(" <>\t\r\n") == std::string_view::npos;
  return is_uri ? fmt::format("<{}>", id) : std::string();
}

// That of its place is no name for others.
std::string id_field(const RawRecord& record) {
  return record.has_id_of_place ? std::string() : bracketed(record.id);
}

// Made from all that distinguishes the record, so that it is the same in every run.
std::string metadata_id(const RawRecord& removed, std::string_view content) {
  return uuid_from(
      fmt::format("{} {} {} {} {}", removed.id, removed.url, removed.date, removed.location.ordinal, content));
}

std::string_view version_of(const RawRecord& record) {
  return record.is_warc_1_0 ? "WARC/1.0" : "WARC/1.1";
}

std::string_view date_of(const RawRecord& record) {
  return record.stated_date.empty() ? record.date : record.stated_date;
}

// Of an oversized record, the payload is only the beginning of what is there.
std::uint64_t actual_content_bytes(const RawRecord& record) {
  if (!record.is_oversized) return record.payload.size();
  return record.content_length_bytes - record.blank_bytes - record.header.size();
}

}  // namespace

std::string make_warc_record(std::string_view type, const WarcFields& fields, std::string_view content,
                             std::string_view version) {
  std::string record(version);
  record.append("\r\n");
  append_field(record, "WARC-Type", type);
  for (const auto& [name, value] : fields) append_field(record, name, value);
  append_field(record, "Content-Length", fmt::format("{}", content.size()));
  record.append("\r\n").append(content).append(kWarcRecordEnd);
  return record;
}

std::string warc_fields(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string block;
  for (const auto& [name, value] : fields) append_field(block, name, value);
  return block;
}

// All of the UUID except version and variant is a digest.
std::string uuid_from(std::string_view seed) {
  std::array<std::uint8_t, 32> bytes = sha256(seed);
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0FU) | 0x80U);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3FU) | 0x80U);
  std::string id = "urn:uuid:";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += fmt::format("{:02x}", bytes[i]);
  }
  return id;
}

std::vector<std::pair<std::string, std::string>> relation_fields(const PageRelation& relation) {
  if (relation.verdict.empty()) return {{"reason", std::string(relation.reason)}};
  return {{"verdict", std::string(relation.verdict)},
          {"reason", std::string(relation.reason)},
          {"resemblance", fmt::format("{:.4f}", relation.resemblance)},
          {"containment", fmt::format("{:.4f}", relation.containment)},
          {"containmentOfKept", fmt::format("{:.4f}", relation.containment_kept)},
          {"keptId", std::string(relation.kept_id)},
          {"keptUri", std::string(relation.kept_url)},
          {"keptDate", std::string(relation.kept_date)}};
}

std::string make_metadata_record(const RawRecord& page, std::string_view content) {
  const std::string id = fmt::format("<{}>", metadata_id(page, content));
  const std::string refers_to = id_field(page);
  const WarcFields fields = {
      {"WARC-Record-ID", id},
      {"WARC-Date", date_of(page)},
      {"WARC-Target-URI", page.url},
      {"WARC-Refers-To", refers_to},
      {"Content-Type", "application/warc-fields"},
  };
  return make_warc_record("metadata", fields, content, version_of(page));
}

std::string make_relation_record(const RawRecord& removed, const PageRelation& relation) {
  return make_metadata_record(removed, warc_fields(relation_fields(relation)));
}

// Without HTTP header there is no block at all. WARC 1.0 has a profile of its own; its files use the two fields of
// WARC 1.1 that players look for as well.
std::string make_revisit_record(const RawRecord& removed, const RevisitTarget& target, std::string_view target_url) {
  const std::size_t header_bytes = removed.is_http ? header_block_bytes(removed.payload) : 0;
  const std::string id = id_field(removed);
  // A target does not say where its id is from: those of places have an '@', and the field may be missing.
  const std::string refers_to = target.id.find('@') == std::string::npos ? bracketed(target.id) : std::string();
  const WarcFields fields = {
      {"WARC-Record-ID", id},
      {"WARC-Date", date_of(removed)},
      {"WARC-Target-URI", removed.url},
      {"WARC-Profile", removed.is_warc_1_0 ? kIdenticalPayloadProfile10 : kIdenticalPayloadProfile},
      {"WARC-Refers-To", refers_to},
      {"WARC-Refers-To-Target-URI", target_url},
      {"WARC-Refers-To-Date", target.date},
      {"WARC-Refers-To-Filename", target.file},
      {"WARC-Refers-To-File-Offset", target.file_offset},
      {"WARC-Payload-Digest", target.digest},
      {"Content-Type", removed.is_http ? "application/http; msgtype=response" : ""},
  };
  return make_warc_record("revisit", fields, std::string_view(removed.payload).substr(0, header_bytes),
                          version_of(removed));
}

// Rewrites Content-Length, leaves out a second one and the digests, and keeps all other header fields. Lines end as the
// standard says, because some readers cannot read a header with ends of both kinds. Folded continuation lines belong to
// the line before. The digests are those of other bytes: players that look up a payload by its digest would show this
// one in place of the complete one.
RepairedFrame repaired_warc_frame(const RawRecord& record) {
  const std::uint64_t content_bytes = actual_content_bytes(record);
  constexpr std::array<std::string_view, 3> kReplaced = {"Content-Length", "WARC-Block-Digest", "WARC-Payload-Digest"};
  std::string result;
  std::string_view header = record.header;
  bool is_length_written = false;
  bool skips_folds = false;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find('\n'), header.size() - 1);
    const std::string_view line = header.substr(0, end + 1);
    header.remove_prefix(end + 1);
    if (line.find_first_not_of("\r\n") == std::string_view::npos) break;
    if (trim(line).empty()) continue;  // does not end the header, but other readers take it for the end
    const bool is_folded = line.front() == ' ' || line.front() == '\t';
    if (is_folded && skips_folds) continue;
    const std::size_t colon = line.find(':');
    // No field, so that a folded line behind it belongs to the field before it.
    if (!result.empty() && !is_folded && (colon == std::string_view::npos || colon == 0)) continue;
    const std::string_view name = trim(line.substr(0, colon));
    const auto* const replaced = std::find_if(
        kReplaced.begin(), kReplaced.end(), [&](std::string_view other) { return equals_ignoring_case(name, other); });
    skips_folds = replaced != kReplaced.end();
    if (!skips_folds) {
      result.append(line.substr(0, line.find_last_not_of("\r\n") + 1)).append("\r\n");
    } else if (replaced == kReplaced.begin() && !std::exchange(is_length_written, true)) {
      append_field(result, "Content-Length", fmt::format("{}", content_bytes));
    }
  }
  // Say that the record is incomplete unless its writer already did.
  if (record.is_truncated && to_lower(record.header).find("\nwarc-truncated:") == std::string::npos) {
    append_field(result, "WARC-Truncated", "disconnect");
  }
  result.append("\r\n");
  return {std::move(result), content_bytes, kWarcRecordEnd};
}

// The length is the last word of an ARC header line.
RepairedFrame repaired_arc_frame(const RawRecord& record) {
  const std::string_view line = trim(record.header);
  const std::uint64_t content_bytes = actual_content_bytes(record);
  return {fmt::format("{} {}\n", line.substr(0, line.rfind(' ')), content_bytes), content_bytes, "\n"};
}

std::string repaired_warc_record(const RawRecord& record) {
  RepairedFrame frame = repaired_warc_frame(record);
  return std::move(frame.head.append(record.payload).append(frame.end));
}

std::string repaired_arc_record(const RawRecord& record) {
  RepairedFrame frame = repaired_arc_frame(record);
  return std::move(frame.head.append(record.payload).append(frame.end));
}

}  // namespace paraprint::inline archive
