// Fuzzes the reader of archives' indexes with any file: its lines come once, in order, each as an entry, as a broken
// line that is reported, or as none; entries state what they promise; and the same lines read from a file in which
// nothing is broken are the same entries.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "cdx/cdx_reader.h"
#include "cdx/digest_text.h"
#include "read_file.h"
#include "report/json_writer.h"
#include "text/utf8.h"

namespace {

using namespace paraprint;

struct ReadLines {
  std::vector<CdxEntry> entries;
  std::vector<std::uint64_t> broken;  // lines
};

bool is_about_a_line(DefectKind kind) {
  for (const DefectKind of_lines : {DefectKind::kBadJson, DefectKind::kBadUtf8, DefectKind::kMissingField,
                                    DefectKind::kWrongFieldType, DefectKind::kBadDate, DefectKind::kLineTooLong}) {
    if (kind == of_lines) return true;
  }
  return false;
}

ReadLines read_lines(const std::string& path) {
  ReadLines lines;
  const auto sink = [&](const Defect& defect) {
    PARAPRINT_ASSERT(defect.file == path && !defect.message.empty());
    if (is_about_a_line(defect.kind)) lines.broken.push_back(defect.line);
  };
  const auto reader = CdxReader::open(path, sink);
  if (!reader) std::abort();
  CdxEntry entry;
  for (;;) {
    const Result<bool> more = (*reader)->next(entry);
    PARAPRINT_ASSERT(more.has_value());
    if (!*more) break;
    lines.entries.push_back(entry);
  }
  PARAPRINT_ASSERT((*reader)->broken_lines() == lines.broken.size());
  return lines;
}

void check(const CdxEntry& entry) {
  PARAPRINT_ASSERT(entry.timestamp.size() == 14 || entry.timestamp.size() == 17);
  PARAPRINT_ASSERT(entry.timestamp.find_first_not_of("0123456789") == std::string::npos);
  PARAPRINT_ASSERT(entry.is_revisit == (entry.mime == "warc/revisit"));
  static_cast<void>(parse_digest(entry.digest));
}

// An index of the entries alone, in the form that states every field.
std::string as_json_lines(const std::vector<CdxEntry>& entries) {
  std::string lines;
  for (const CdxEntry& entry : entries) {
    JsonWriter json;
    json.begin_object();
    json.member("url", entry.url);
    json.member("digest", entry.digest);
    json.member("mime", entry.mime);
    json.member("status", entry.status);
    json.member("filename", entry.filename);
    if (entry.offset_bytes) json.member("offset", *entry.offset_bytes);
    if (entry.length_bytes) json.member("length", std::to_string(*entry.length_bytes));
    json.end_object();
    lines += "key " + entry.timestamp + ' ' + json.take() + '\n';
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFile file(".cdx");
  file.write(data, size);
  ReadLines lines = read_lines(file.path());
  std::uint64_t line = 0;
  for (const CdxEntry& entry : lines.entries) {
    PARAPRINT_ASSERT(entry.line > line);
    line = entry.line;
    PARAPRINT_ASSERT(!std::binary_search(lines.broken.begin(), lines.broken.end(), line));
    check(entry);
  }
  PARAPRINT_ASSERT(std::is_sorted(lines.broken.begin(), lines.broken.end()));
  // JSON has no other texts.
  std::erase_if(lines.entries, [](const CdxEntry& entry) {
    return !is_valid_utf8(entry.url + entry.digest + entry.mime + entry.status + entry.filename);
  });
  const std::string again = as_json_lines(lines.entries);
  file.write(reinterpret_cast<const std::uint8_t*>(again.data()), again.size());
  const ReadLines copies = read_lines(file.path());
  PARAPRINT_ASSERT(copies.broken.empty() && copies.entries.size() == lines.entries.size());
  for (std::size_t i = 0; i < copies.entries.size(); ++i) {
    const CdxEntry& a = lines.entries[i];
    const CdxEntry& b = copies.entries[i];
    PARAPRINT_ASSERT(a.url == b.url && a.digest == b.digest && a.mime == b.mime && a.status == b.status);
    PARAPRINT_ASSERT(a.filename == b.filename && a.offset_bytes == b.offset_bytes && a.length_bytes == b.length_bytes);
    PARAPRINT_ASSERT(a.timestamp == b.timestamp);
  }
  return 0;
}
