// Format detection and the choice of reader. A file that cannot be identified becomes an empty page folder: the caller
// gets a reader without records and a Defect, so one strange file does not stop a run over thousands.
#include "archive/record_reader.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "archive/archive_format.h"
#include "archive/content_stream.h"
#include "archive/memory_reader.h"
#include "archive/page_file_reader.h"
#include "archive/segment_joiner.h"
#include "archive/wacz_input.h"
#include "base/propagate.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kFormatSniffBytes = 4096;

bool name_has(std::string_view path, std::string_view part) {
  const std::string name = to_lower(path.substr(path.rfind('/') + 1));
  return name.find(part) != std::string::npos;
}

// The row of the format, or null if there is no evidence for any.
const ArchiveFormatRow* guess_format(std::string_view content, std::string_view path) {
  std::string_view text = content;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = trim(text);
  const auto name_has_any = [&](std::span<const std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return name_has(path, part); });
  };
  for (const ArchiveFormatRow* row : kArchiveFormats) {
    if (row->is_start != nullptr && row->is_start(text)) return row;
  }
  for (const ArchiveFormatRow* row : kArchiveFormats) {
    if (name_has_any(row->names)) return row;
  }
  for (const ArchiveFormatRow* row : kArchiveFormats) {
    if (!row->likely_start.empty() && text.starts_with(row->likely_start)) return row;
  }
  for (const ArchiveFormatRow* row : kArchiveFormats) {
    if (name_has_any(row->weak_names)) return row;
  }
  // HTML may start with text: a tag near the start is taken as evidence of HTML.
  const std::string lower = to_lower(text.substr(0, 1024));
  for (const std::string_view tag : {"<html", "<!doctype", "<head", "<body", "<p>", "<div", "<title"}) {
    if (lower.find(tag) != std::string::npos) return &kHtmlPageFormat;
  }
  return nullptr;
}

// Whether the first bytes alone decide, whatever follows.
bool has_certain_start(std::string_view content) {
  return std::any_of(std::begin(kArchiveFormats), std::end(kArchiveFormats),
                     [&](const ArchiveFormatRow* row) { return row->is_start != nullptr && row->is_start(content); });
}

// A reader without records.
std::unique_ptr<RecordReader> make_empty_reader(const InputFile& input, const ReadOptions& options, DefectSink sink) {
  InputFile nothing = input;
  nothing.kind = InputKind::kPageFolder;
  nothing.pages.clear();
  return make_folder_reader(nothing, options, std::move(sink));
}

// Its records are those of other inputs; it has the defects that belong to none of them.
Result<std::unique_ptr<RecordReader>> make_wacz_reader(const InputFile& input, const ReadOptions& options,
                                                       DefectSink sink) {
  PARAPRINT_ASSIGN(WaczListing listing, list_wacz(input.path, input.source));
  for (Defect& defect : listing.defects) sink(std::move(defect));
  // Nothing in them is a record, but what writes WACZ files goes by them.
  for (const std::string_view name : kWaczPageLists) {
    PARAPRINT_TRY(open_wacz_member(input.path, name, options, input.source, sink));
  }
  return make_empty_reader(input, options, std::move(sink));
}

// Its pages are as stored: in segments, where they are divided.
Result<std::unique_ptr<RecordReader>> open_stored_records(const InputFile& input, const ReadOptions& options,
                                                          DefectSink sink) {
  if (input.kind == InputKind::kMemory) return make_memory_reader(input, std::move(sink));
  if (input.kind == InputKind::kPageFolder) return make_folder_reader(input, options, std::move(sink));
  if (input.kind == InputKind::kWacz) return make_wacz_reader(input, options, std::move(sink));
  PARAPRINT_ASSIGN(StoredInput stored, open_stored(input, options));
  PARAPRINT_ASSIGN(std::unique_ptr<ContentStream> stream,
                   open_stored_content(input, std::move(stored.window), options, sink));
  // Among foreign bytes, only the reader's own test tells records from them.
  if (input.wacz && input.wacz->is_recovered) {
    return kWarcFormat.open(std::move(stream), input, options, std::move(sink));
  }
  Result<std::string_view> content = stream->peek(1);
  // If the file starts with damage, the content after it determines the format.
  while (content && content->empty() && stream->at_break()) {
    stream->pass_break();
    content = stream->peek(1);
  }
  // Formats with a certain start are recognised by their first line. Do not decode further for them: damage found
  // before the reader has installed its member test would be searched with the default test, which accepts any
  // decodable bytes.
  if (content && !has_certain_start(*content)) content = stream->peek(kFormatSniffBytes);
  if (!content) return tl::unexpected<Error>(std::move(content.error()));
  const bool is_empty = content->empty();
  if (!is_empty) {
    const ArchiveFormatRow* row = guess_format(content->substr(0, kFormatSniffBytes), input.path);
    if (row != nullptr) {
      return check_member_at_end(row->open(std::move(stream), input, options, sink), stored.member, input, sink);
    }
  }
  if (is_empty) {
    sink({DefectKind::kEmptyFile, input.path, 0, 0, 0, "the file is empty"});
  } else {
    sink({DefectKind::kUnknownFormat, input.path, 0, input.size_bytes, 0,
          "neither content nor name identifies a supported format"});
  }
  return make_empty_reader(input, options, std::move(sink));
}

}  // namespace

Result<std::unique_ptr<RecordReader>> open_records(const InputFile& input, const ReadOptions& options,
                                                   DefectSink sink) {
  auto relay = std::make_shared<DefectRelay>(std::move(sink));
  PARAPRINT_ASSIGN(std::unique_ptr<RecordReader> reader,
                   open_stored_records(input, options, [relay](Defect&& defect) { relay->report(std::move(defect)); }));
  if (reader->format() != ArchiveFormat::kWarc) return reader;
  return join_segments(std::move(reader), std::move(relay), input, options);
}

}  // namespace paraprint::inline archive
