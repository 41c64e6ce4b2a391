// What a line says is taken from the stored header, not from RawRecord, which has been made fit for pages.
#include "cdx/cdx_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/base32.h"
#include "base/digest.h"
#include "cdx/cdx_date.h"
#include "cdx/json_text.h"
#include "cdx/stored_fields.h"
#include "cdx/surt.h"
#include "cdx/surt_text.h"
#include "http/header_block.h"
#include "text/utf8.h"

namespace paraprint::inline cdx {
namespace {

// The values of a line. Absent and empty ones differ in CDXJ.
struct Entry {
  std::string key;
  std::string timestamp;
  std::optional<std::string> url;
  std::optional<std::string> mime;
  std::optional<std::string> status;
  std::optional<std::string> digest;
  std::uint64_t length_bytes = 0;
  std::uint64_t offset_bytes = 0;
};

// What the record's own header says.
struct Head {
  std::string type;
  std::optional<std::string> url;
  std::string timestamp;  // empty: none
  std::optional<std::string> content_type;
  std::string payload_digest;
  std::string_view block;  // what players read: no more than the stated length, even if the record goes on
};

std::string_view stated_block(const RawRecord& record, std::string_view stated_bytes) {
  const std::optional<std::uint64_t> bytes = parse_number(stated_bytes);
  return std::string_view(record.payload).substr(0, bytes.value_or(record.payload.size()));
}

// Spaces would end the field. Some writers put addresses in brackets.
std::string stored_url(std::string_view url) {
  if (url.size() >= 2 && url.front() == '<' && url.back() == '>') url = url.substr(1, url.size() - 2);
  std::string text;
  for (const char c : url) c == ' ' ? text.append("%20") : text.append(1, c);
  return text;
}

Head warc_head(const RawRecord& record) {
  const StoredFields stored = read_stored_fields(record.header);
  const auto value = [&](std::string_view name) {
    const std::string* found = stored.find(name);
    return found == nullptr ? std::nullopt : std::optional(*found);
  };
  Head head;
  head.type = lower_ascii(value("warc-type").value_or(""));
  if (const std::optional<std::string> url = value("warc-target-uri")) head.url = stored_url(*url);
  head.timestamp = cdx_timestamp(value("warc-date").value_or(""));
  head.content_type = value("content-type");
  head.payload_digest = value("warc-payload-digest").value_or("");
  head.block = stated_block(record, value("content-length").value_or(""));
  return head;
}

// ARC has documents and, as its first record, a description of the file.
Head arc_head(const RawRecord& record) {
  Head head;
  head.type = record.url.starts_with("filedesc:") ? "warcinfo" : "response";
  // The line is decoded as a whole. The reader knows where the address in it ends, which may have spaces.
  head.url = stored_url(is_valid_utf8(record.header) ? record.url : from_latin_1(record.url));
  const std::string line = read_stored_fields(record.header).first_line;
  head.timestamp = arc_timestamp(line);
  head.block = stated_block(record, std::string_view(line).substr(line.rfind(' ') + 1));  // npos + 1 is 0
  return head;
}

bool is_capture(const Head& head) {
  constexpr std::array<std::string_view, 4> kTypes = {"response", "revisit", "resource", "metadata"};
  if (std::find(kTypes.begin(), kTypes.end(), head.type) == kTypes.end()) return false;
  // Notes of crawlers about records and files.
  return head.type == "response" || head.type == "revisit" || head.content_type != "application/warc-fields";
}

// "text/html; charset=x" gives "text/html".
std::string media_type_of(std::string_view content_type) {
  return std::string(content_type.substr(0, content_type.find_first_of("; \t\n\r\v\f")));
}

// The second word of "HTTP/1.1 200 OK".
std::string status_of(std::string_view first_line) {
  const std::size_t space = first_line.find(' ');
  if (space == std::string_view::npos) return "";
  const std::size_t begin = first_line.find_first_not_of(" \t\r\v\f", space);
  if (begin == std::string_view::npos) return "";
  return std::string(first_line.substr(begin, first_line.find(' ', begin) - begin));
}

// Only what was fetched by HTTP has an HTTP header.
bool has_http_header(const Head& head) {
  if (head.block.empty() || (head.type != "response" && head.type != "revisit")) return false;
  return head.url && (head.url->starts_with("http:") || head.url->starts_with("https:"));
}

// Of all bytes behind the HTTP header as stored, chunks and compression included.
std::string computed_digest(const RawRecord& record, std::string_view payload) {
  constexpr std::string_view kLabel = "sha1:";
  if (record.is_oversized) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(record.payload_sha1.data());
    return std::string(kLabel).append(base32(std::span(bytes, record.payload_sha1.size())));
  }
  return std::string(kLabel).append(base32(sha1(payload)));
}

void describe_payload(const RawRecord& record, const Head& head, Entry& entry) {
  std::size_t header_bytes = 0;
  const bool is_revisit = head.type == "revisit";
  if (has_http_header(head)) {
    const StoredFields http = read_stored_fields(head.block);
    header_bytes = http.size_bytes;
    const bool says_something = http.first_line.find(' ') != std::string::npos || !http.fields.empty();
    if (says_something) entry.status = status_of(http.first_line);
    if (const std::string* type = http.find("content-type")) entry.mime = media_type_of(*type);
  } else if (head.type != "response" && head.content_type) {
    entry.mime = media_type_of(*head.content_type);
  }
  if (is_revisit) entry.mime = "warc/revisit";
  if (!head.payload_digest.empty()) {
    entry.digest = head.payload_digest;
  } else if (!is_revisit) {
    entry.digest = computed_digest(record, head.block.substr(header_bytes));
  }
}

// False if players could not read the record alone.
bool place(const RawRecord& record, std::string_view block, Compression compression, Entry& entry) {
  entry.offset_bytes = record.location.offset_bytes;
  entry.length_bytes = record.stored_length_bytes;
  if (compression == Compression::kNone) {
    // Without the line ends between two records.
    entry.length_bytes = record.is_repaired && !record.is_oversized ? record.header.size() + block.size()
                                                                    : record.content_length_bytes - record.blank_bytes;
  }
  return entry.length_bytes > 0;
}

std::string cdxj_line(const Entry& entry, std::string_view filename, const RequestQuery* query) {
  std::string json;
  const auto add = [&](std::string_view name, std::string_view value) {
    json.append(json.empty() ? "{\"" : ", \"").append(name).append("\": ");
    append_json_text(value, json);
  };
  if (entry.url) add("url", *entry.url);
  if (entry.mime) add("mime", *entry.mime);
  if (entry.status) add("status", *entry.status);
  if (entry.digest) add("digest", *entry.digest);
  add("length", std::to_string(entry.length_bytes));
  add("offset", std::to_string(entry.offset_bytes));
  add("filename", filename);
  if (query != nullptr && query->text) add("requestBody", *query->text);
  if (query != nullptr && !query->text) json.append(", \"requestBody\": null");
  if (query != nullptr) add("method", query->method);
  return fmt::format("{} {} {}}}\n", entry.key, entry.timestamp, json);
}

// An empty field would make the line one of ten fields.
std::string_view or_dash(const std::optional<std::string>& value) {
  return value && !value->empty() ? std::string_view(*value) : "-";
}

// A stated digest with spaces is none, and would be several fields.
std::string_view digest_field(const std::optional<std::string>& value) {
  std::string_view digest = or_dash(value);
  digest.remove_prefix(digest.rfind(':') + 1);  // npos + 1 is 0
  return digest.empty() || digest != escape_breaks(digest) ? "-" : digest;
}

std::string cdx11_line(const Entry& entry, std::string_view filename) {
  return fmt::format("{} {} {} {} {} {} - - {} {} {}\n", entry.key, entry.timestamp, or_dash(entry.url),
                     or_dash(entry.mime), or_dash(entry.status), digest_field(entry.digest), entry.length_bytes,
                     entry.offset_bytes, field_of_name(filename));
}

}  // namespace

std::string_view cdx_heading(CdxForm form) {
  return form == CdxForm::kCdx11 ? " CDX N b a m s k r M S V g\n" : "";
}

CdxLine make_cdx_line(const RawRecord& record, const RecordReader& reader, CdxForm form, std::string_view filename,
                      const RequestQuery* query) {
  Head head = reader.format() == ArchiveFormat::kArc ? arc_head(record) : warc_head(record);
  if (!is_capture(head)) return {CdxLineState::kNotACapture, ""};
  if (head.timestamp.empty()) return {CdxLineState::kWithoutDate, ""};
  Entry entry;
  if (!place(record, head.block, reader.compression(), entry)) return {CdxLineState::kNotAddressable, ""};
  describe_payload(record, head, entry);
  entry.url = std::move(head.url);
  entry.timestamp = std::move(head.timestamp);
  const std::string url = entry.url.value_or("");
  entry.key = surt_key(query == nullptr ? url : with_query(url, *query));
  return {CdxLineState::kMade,
          form == CdxForm::kCdx11 ? cdx11_line(entry, filename) : cdxj_line(entry, filename, query)};
}

bool are_request_and_response(const RawRecord& first, const RawRecord& second) {
  const StoredFields one = read_stored_fields(first.header);
  const StoredFields other = read_stored_fields(second.header);
  const auto value = [](const StoredFields& fields, std::string_view name) {
    const std::string* found = fields.find(name);
    return found == nullptr ? std::nullopt : std::optional(*found);
  };
  if (value(one, "warc-target-uri") != value(other, "warc-target-uri")) return false;
  if (value(other, "warc-concurrent-to") != value(one, "warc-record-id")) return false;
  const std::string types = value(one, "warc-type").value_or("") + " " + value(other, "warc-type").value_or("");
  return types == "request response" || types == "response request";
}

}  // namespace paraprint::inline cdx
