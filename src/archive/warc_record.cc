// Serialisation of WARC and ARC records. Values come from the input and may contain line ends, which would inject
// header fields, or characters that are not allowed in ids: both are sanitised here.
#include "archive/warc_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "archive/header_block.h"

namespace paraprint {
namespace {

constexpr std::string_view kRecordEnd = "\r\n\r\n";

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

// Ids must be URIs in angle brackets. Ids made from file name and position ("file@offset") are not URIs and are
// omitted.
std::string bracketed(std::string_view id) {
  const bool is_uri =
      id.find(':') != std::string_view::npos && id.find_first_of(" <>\t\r\n@") == std::string_view::npos;
  return is_uri ? fmt::format("<{}>", id) : std::string();
}

}  // namespace

std::string make_warc_record(std::string_view type, const WarcFields& fields, std::string_view content) {
  std::string record = "WARC/1.1\r\n";
  append_field(record, "WARC-Type", type);
  for (const auto& [name, value] : fields) append_field(record, name, value);
  append_field(record, "Content-Length", fmt::format("{}", content.size()));
  record.append("\r\n").append(content).append(kRecordEnd);
  return record;
}

// The revisit record keeps the HTTP header, as the standard recommends, and "WARC-Truncated: length" says that the body
// is absent on purpose.
std::string make_revisit_record(const RawRecord& removed, const KeptPage& kept) {
  const std::size_t header_bytes = removed.is_http ? header_block_bytes(removed.payload) : 0;
  const bool has_header = removed.is_http && header_bytes != std::string_view::npos;
  const std::string id = bracketed(removed.id);
  const std::string refers_to = bracketed(kept.id);
  const WarcFields fields = {
      {"WARC-Record-ID", id},
      {"WARC-Date", removed.date},
      {"WARC-Target-URI", removed.url},
      {"WARC-Profile", kNearDuplicateProfile},
      {"WARC-Refers-To", refers_to},
      {"WARC-Refers-To-Target-URI", kept.url},
      {"WARC-Refers-To-Date", kept.date},
      {"WARC-Truncated", "length"},
      {"Content-Type", has_header ? "application/http; msgtype=response" : ""},
  };
  return make_warc_record("revisit", fields,
                          has_header ? std::string_view(removed.payload).substr(0, header_bytes) : std::string_view());
}

// Rewrites only Content-Length, including its folded continuation lines, and keeps all other header lines byte for
// byte. A second Content-Length is dropped.
std::string repaired_warc_record(const RawRecord& record) {
  std::string result;
  std::string_view header = record.header;
  bool is_length_written = false;
  bool skips_folds = false;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find('\n'), header.size() - 1);
    const std::string_view line = header.substr(0, end + 1);
    header.remove_prefix(end + 1);
    if (trim(line).empty()) break;
    const bool is_folded = line.front() == ' ' || line.front() == '\t';
    if (is_folded && skips_folds) continue;
    skips_folds = equals_ignoring_case(trim(line.substr(0, line.find(':'))), "Content-Length");
    if (!skips_folds) {
      result.append(line);
    } else if (!is_length_written) {
      append_field(result, "Content-Length", fmt::format("{}", record.payload.size()));
      is_length_written = true;
    }
  }
  // Say that the record is incomplete unless its writer already did.
  if (record.is_truncated && to_lower(record.header).find("\nwarc-truncated:") == std::string::npos) {
    append_field(result, "WARC-Truncated", "disconnect");
  }
  return result.append("\r\n").append(record.payload).append(kRecordEnd);
}

// The length is the last word of an ARC header line.
std::string repaired_arc_record(const RawRecord& record) {
  const std::string_view line = trim(record.header);
  return fmt::format("{} {}\n{}\n", line.substr(0, line.rfind(' ')), record.payload.size(), record.payload);
}

}  // namespace paraprint
