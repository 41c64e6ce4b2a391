// Format detection and the choice of reader. A file that cannot be identified becomes an empty page folder: the caller
// gets a reader without records and a Defect, so one strange file does not stop a run over thousands.
#include "archive/record_reader.h"

#include <algorithm>
#include <utility>

#include "archive/arc_reader.h"
#include "archive/content_stream.h"
#include "archive/header_block.h"
#include "archive/jsonl_reader.h"
#include "archive/page_file_reader.h"
#include "archive/warc_reader.h"
#include "base/propagate.h"

namespace paraprint {
namespace {

constexpr std::size_t kSniffBytes = 4096;

bool name_has(std::string_view path, std::string_view part) {
  const std::string name = to_lower(path.substr(path.rfind('/') + 1));
  return name.find(part) != std::string::npos;
}

struct Guess {
  ArchiveFormat format = ArchiveFormat::kUnknown;
  bool is_text = false;
};

// Content first: names are often wrong, magic numbers hardly ever. The name decides only if the start is damaged or
// ambiguous, which is why ".warc" ranks above "{": a WARC file whose first record is broken may start with anything,
// including JSON.
Guess guess_format(std::string_view content, std::string_view path) {
  if (content.empty()) return {ArchiveFormat::kEmpty};
  std::string_view text = content;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = trim(text);
  if (is_warc_start(text)) return {ArchiveFormat::kWarc};
  if (is_arc_start(text)) return {ArchiveFormat::kArc};
  if (name_has(path, ".warc") || name_has(path, ".wet")) return {ArchiveFormat::kWarc};
  if (name_has(path, ".arc")) return {ArchiveFormat::kArc};
  if (name_has(path, ".jsonl") || name_has(path, ".ndjson")) return {ArchiveFormat::kJsonLines};
  if (text.starts_with("{")) return {ArchiveFormat::kJsonLines};
  if (text.starts_with("WARC/")) return {ArchiveFormat::kWarc};
  if (text.starts_with("<")) return {ArchiveFormat::kPage};
  if (name_has(path, ".htm") || name_has(path, ".xhtml")) return {ArchiveFormat::kPage};
  if (name_has(path, ".json")) return {ArchiveFormat::kJsonLines};
  if (name_has(path, ".txt")) return {ArchiveFormat::kPage, true};
  // HTML may start with text: a tag near the start is taken as evidence of HTML.
  const std::string lower = to_lower(text.substr(0, 1024));
  for (const std::string_view tag : {"<html", "<!doctype", "<head", "<body", "<p>", "<div", "<title"}) {
    if (lower.find(tag) != std::string::npos) return {ArchiveFormat::kPage};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<RecordReader>> open_records(const InputFile& input, const ReadOptions& options,
                                                   DefectSink sink) {
  if (input.kind == InputKind::kPageFolder) return make_folder_reader(input, options, std::move(sink));
  PARAPRINT_ASSIGN(InputWindow window, InputWindow::open(input.path));
  PARAPRINT_ASSIGN(std::unique_ptr<ContentStream> stream, open_content(std::move(window), options, sink));
  Result<std::string_view> content = stream->peek(1);
  // If the file starts with damage, the content after it determines the format.
  while (content && content->empty() && stream->at_break()) {
    stream->pass_break();
    content = stream->peek(1);
  }
  // WARC and ARC are recognised by their first line. Do not decode further for them: damage found before the reader has
  // installed its member test would be searched with the default test, which accepts any decodable bytes.
  if (content && !is_warc_start(*content) && !is_arc_start(*content)) content = stream->peek(kSniffBytes);
  if (!content) return tl::unexpected<Error>(std::move(content.error()));
  const Guess guess = guess_format(content->substr(0, kSniffBytes), input.path);
  switch (guess.format) {
    case ArchiveFormat::kWarc:
      return make_warc_reader(std::move(stream), input, options, std::move(sink));
    case ArchiveFormat::kArc:
      return make_arc_reader(std::move(stream), input, options, std::move(sink));
    case ArchiveFormat::kJsonLines:
      return make_jsonl_reader(std::move(stream), input, options, std::move(sink));
    case ArchiveFormat::kPage:
      return make_page_file_reader(std::move(stream), input, guess.is_text, options, std::move(sink));
    default:
      break;
  }
  InputFile nothing = input;
  nothing.kind = InputKind::kPageFolder;
  nothing.pages.clear();
  if (guess.format == ArchiveFormat::kEmpty) {
    sink({DefectKind::kEmptyFile, input.path, 0, 0, 0, "the file is empty"});
  } else {
    sink({DefectKind::kUnknownFormat, input.path, 0, input.size_bytes, 0,
          "neither content nor name identifies a WARC, ARC, JSON lines or HTML file"});
  }
  return make_folder_reader(nothing, options, std::move(sink));
}

}  // namespace paraprint
