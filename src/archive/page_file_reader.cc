// Pages may be compressed like archives, so they are read through a ContentStream. Such records have no defined place
// inside a file: they are addressed by file (writers copy whole files) and resume points are plain ordinals.
#include "archive/page_file_reader.h"

#include <fmt/format.h>

#include <utility>

#include "archive/archive_format.h"
#include "archive/content_stream.h"
#include "base/propagate.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

// The content of a stream, or only its size if that exceeds a limit.
struct WholeContent {
  std::string bytes;
  std::uint64_t size_bytes = 0;
};

// Reads the rest of `stream`, passing breaks: the parts of a damaged page on both sides are still useful. Beyond
// `limit` it drops the content but keeps counting, so that the defect can state the real size.
Result<WholeContent> read_all(ContentStream& stream, std::uint64_t limit) {
  WholeContent content;
  while (true) {
    Result<std::string_view> view = stream.peek(1);
    if (!view) return pass_on(view.error());
    if (view->empty()) {
      if (!stream.at_break()) return content;
      stream.pass_break();
      continue;
    }
    content.size_bytes += view->size();
    if (content.size_bytes <= limit) {
      content.bytes.append(*view);
    } else {
      content.bytes.clear();
    }
    stream.consume(view->size());
  }
}

// "list.xml", also if it is compressed.
bool is_xml_name(std::string_view path) {
  const std::string name = to_lower(path.substr(path.rfind('/') + 1));
  return name.ends_with(".xml") || name.find(".xml.") != std::string::npos;
}

// A file that is a page has no header of its own: its format follows from its name or first bytes. Whether XML is a
// page depends on its content, as in a response.
RawRecord page_record(std::string id, WholeContent content, bool is_text) {
  RawRecord record;
  record.kind = RecordKind::kPage;
  record.id = std::move(id);
  record.format = is_text ? PageFormat::kPlainText : PageFormat::kHtml;
  record.format_is_known = !is_xml_name(record.id);
  if (!record.format_is_known) record.content_type = "application/xml";
  record.is_oversized = content.bytes.size() < content.size_bytes;
  record.payload = std::move(content.bytes);
  record.content_length_bytes = content.size_bytes;
  return record;
}

class SinglePageReader final : public RecordReader {
 public:
  SinglePageReader(std::unique_ptr<ContentStream> stream, const InputFile& input, bool is_text,
                   const ReadOptions& options, DefectSink sink)
      : options_(options),
        sink_(std::move(sink)),
        path_(input.path),
        file_index_(input.index),
        is_nameless_(input.is_nameless),
        is_text_(is_text),
        stream_(std::move(stream)) {}

  Result<std::optional<RawRecord>> next() override {
    if (done_) return std::nullopt;
    done_ = true;
    const bool is_plain = stream_->compression() == Compression::kNone;
    Result<WholeContent> content = read_all(*stream_, options_.max_record_bytes);
    if (!content) return pass_on(content.error());
    RawRecord record = page_record(path_, std::move(*content), is_text_);
    record.has_id_of_place = is_nameless_;
    // The stored length of a compressed page is known only after reading all of it.
    record.location = {file_index_, 0, 0, is_plain ? record.content_length_bytes : stream_->stored_bytes_read()};
    if (record.is_oversized) {
      sink_({DefectKind::kRecordTooLarge, path_, 0, 0, 0,
             fmt::format("a page of {} bytes exceeds the limit of {} (max_record_bytes)", record.content_length_bytes,
                         options_.max_record_bytes)});
    }
    return record;
  }
  ResumePoint position() const override { return {done_ ? 1u : 0u, 0, 0, 0, 0, 0}; }
  Status resume(const ResumePoint& point) override {
    done_ = point.ordinal > 0;
    return {};
  }
  ArchiveFormat format() const override { return ArchiveFormat::kPage; }
  Compression compression() const override { return stream_->compression(); }
  std::uint64_t stored_bytes_read() const override { return stream_->stored_bytes_read(); }

 private:
  ReadOptions options_;
  DefectSink sink_;
  std::string path_;
  std::uint32_t file_index_ = 0;
  bool is_nameless_ = false;
  bool is_text_ = false;
  bool done_ = false;
  std::unique_ptr<ContentStream> stream_;
};

class FolderReader final : public RecordReader {
 public:
  FolderReader(const InputFile& input, const ReadOptions& options, DefectSink sink)
      : input_(input), options_(options), sink_(std::move(sink)) {}

  Result<std::optional<RawRecord>> next() override {
    while (at_ < input_.pages.size()) {
      // The ordinal counts unreadable files too, so it identifies the same file in a later run.
      const std::size_t ordinal = at_++;
      const std::string& name = input_.pages[ordinal];
      const std::string path = input_.path + "/" + name;
      Result<WholeContent> content = read_file(path);
      if (!content) {
        sink_({DefectKind::kUnreadableFile, path, 0, 0, 0, std::move(content.error().message)});
        continue;
      }
      stored_bytes_read_ += content->size_bytes;
      if (content->size_bytes == 0) sink_({DefectKind::kEmptyFile, path, 0, 0, 0, "the file is empty"});
      RawRecord record = page_record(name, std::move(*content), false);
      record.location = {input_.index, ordinal, 0, record.content_length_bytes};
      if (record.is_oversized) {
        sink_({DefectKind::kRecordTooLarge, path, 0, 0, 0,
               fmt::format("a page of {} bytes exceeds the limit of {} (max_record_bytes)", record.content_length_bytes,
                           options_.max_record_bytes)});
      }
      return record;
    }
    return std::nullopt;
  }
  ResumePoint position() const override { return {at_, 0, 0, 0, 0, 0}; }
  Status resume(const ResumePoint& point) override {
    if (point.ordinal > input_.pages.size()) {
      return failure(ErrorCode::kCorruptData,
                     input_.path + " has changed: it now contains fewer files than when it was first read");
    }
    at_ = static_cast<std::size_t>(point.ordinal);
    return {};
  }
  ArchiveFormat format() const override { return ArchiveFormat::kPageFolder; }
  Compression compression() const override { return Compression::kNone; }
  std::uint64_t stored_bytes_read() const override { return stored_bytes_read_; }

 private:
  // A failure concerns this file only; next() turns it into a defect.
  Result<WholeContent> read_file(const std::string& path) const {
    Result<InputWindow> window = InputWindow::open(path);
    if (!window) return pass_on(window.error());
    Result<std::unique_ptr<ContentStream>> stream = open_content(std::move(*window), options_, sink_);
    if (!stream) return pass_on(stream.error());
    return read_all(**stream, options_.max_record_bytes);
  }

  InputFile input_;
  ReadOptions options_;
  DefectSink sink_;
  std::size_t at_ = 0;
  std::uint64_t stored_bytes_read_ = 0;
};

template <bool is_text>
std::unique_ptr<RecordReader> open(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                   const ReadOptions& options, DefectSink sink) {
  return std::make_unique<SinglePageReader>(std::move(stream), input, is_text, options, std::move(sink));
}

constexpr std::string_view kHtmlNames[] = {".htm", ".xhtml", ".xml"};
constexpr std::string_view kTextNames[] = {".txt"};

}  // namespace

constexpr ArchiveFormatRow kHtmlPageFormat = {
    .format = ArchiveFormat::kPage, .likely_start = "<", .weak_names = kHtmlNames, .open = open<false>};
constexpr ArchiveFormatRow kTextPageFormat = {
    .format = ArchiveFormat::kPage, .weak_names = kTextNames, .open = open<true>};

std::unique_ptr<RecordReader> make_folder_reader(const InputFile& input, const ReadOptions& options, DefectSink sink) {
  return std::make_unique<FolderReader>(input, options, std::move(sink));
}

}  // namespace paraprint::inline archive
