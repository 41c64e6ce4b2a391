// Stable names of record kinds and defects, and the one-line description of a defect for logs.
#include "archive/record.h"

#include <fmt/format.h>

namespace paraprint::inline archive {
namespace {

constexpr std::array<std::string_view, kRecordKindCount> kRecordKindNames = {"page", "revisit", "request", "metadata",
                                                                             "other"};

// In the order of DefectKind. Results and logs refer to these names, so entries may be added but never renamed.
constexpr std::array<std::string_view, kDefectKindCount> kDefectNames = {
    "broken-compression",
    "truncated-compression",
    "bad-checksum",
    "compression-bomb",
    "stray-bytes",
    "garbage",
    "bad-record-header",
    "record-header-too-large",
    "truncated-record",
    "wrong-content-length",
    "record-too-large",
    "missing-url",
    "missing-record-id",
    "bad-date",
    "bad-json",
    "bad-utf8",
    "missing-field",
    "wrong-field-type",
    "line-too-long",
    "bad-http-header",
    "broken-chunks",
    "broken-content-encoding",
    "unknown-content-encoding",
    "wrong-http-content-length",
    "body-too-large",
    "unreadable-file",
    "empty-file",
    "unknown-format",
    "broken-directory",
    "missing-member",
    "unusable-member",
    "unjoined-segments",
    "long-id",
    "long-url",
};

// Messages quote the input, and files may have any name.
std::string in_one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      line += c == '\n' ? "\\n" : "\\r";
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

std::string_view record_kind_name(RecordKind kind) {
  return kRecordKindNames[static_cast<std::size_t>(kind)];
}

std::string_view defect_name(DefectKind kind) {
  return kDefectNames[static_cast<std::size_t>(kind)];
}

void drop_long_names(RawRecord& page, const std::function<void(DefectKind kind, std::string message)>& report) {
  const auto drop = [&](std::string& name, DefectKind kind, std::string_view what, std::string_view instead) {
    if (name.size() <= kPageNameBytesMaximum) return;
    report(kind, fmt::format("the page's {} has {} bytes; the limit is {}, so it is used {}", what, name.size(),
                             kPageNameBytesMaximum, instead));
    name.clear();
  };
  drop(page.id, DefectKind::kLongId, "id", "with that of its place");
  drop(page.url, DefectKind::kLongUrl, "URL", "without one");
}

std::string others_of(const Defect& defect) {
  if (defect.count <= 1) return {};
  return fmt::format(", and {} more like it", defect.count - 1);
}

std::string describe(const Defect& defect) {
  std::string text = fmt::format("{}: at byte {}", defect.file, defect.offset_bytes);
  if (defect.line > 0) text += fmt::format(" (line {})", defect.line);
  text += fmt::format(": {}: {}", defect_name(defect.kind), defect.message) + others_of(defect);
  if (defect.skipped_bytes > 0) text += fmt::format(", {} bytes skipped", defect.skipped_bytes);
  return in_one_line(text);
}

}  // namespace paraprint::inline archive
