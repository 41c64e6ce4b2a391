// JSON lines: one object per line, with a page in one of its fields. Lines that are not valid JSON objects are skipped,
// each with a defect that gives line and offset. Objects without a usable page field become records of kind kOther, so
// that writers keep them. Blank lines are ignored.
//
// Lines are parsed in place in the stream's buffer: ByteBuffer provides the readable padding that simdjson needs,
// so no line is copied. The whole line is parsed even if only two fields matter, because simdjson validates UTF-8 and
// JSON in the same pass and a broken line must be reported, not half used.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <new>
#include <utility>

#include "archive/archive_format.h"
#include "archive/content_stream.h"
#include "archive/record_reader.h"
#include "base/propagate.h"
#include "http/date.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kFirstLineBytes = std::size_t{64} << 10;
// A parser keeps memory proportional to the longest line it has seen, so it is replaced after an unusually long one.
constexpr std::size_t kUsualLineBytes = std::size_t{4} << 20;
static_assert(ByteBuffer::kReadableSlackBytes >= simdjson::SIMDJSON_PADDING, "lines are parsed in place");

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

class JsonlReader final : public RecordReader {
 public:
  JsonlReader(std::unique_ptr<ContentStream> stream, const InputFile& input, const ReadOptions& options,
              DefectSink sink)
      : options_(options),
        sink_(std::move(sink)),
        path_(input.path),
        file_name_(path_.substr(path_.rfind('/') + 1)),
        file_index_(input.index),
        missing_page_("field \"" + options_.html_field + "\" or \"" + options_.text_field + "\""),
        stream_(std::move(stream)),
        parser_(std::make_unique<simdjson::dom::parser>()) {}

  Result<std::optional<RawRecord>> next() override;
  ResumePoint position() const override;
  Status resume(const ResumePoint& point) override;
  void keep_everything() override { keeps_lines_ = true; }
  ArchiveFormat format() const override { return ArchiveFormat::kJsonLines; }
  Compression compression() const override { return stream_->compression(); }
  std::uint64_t stored_bytes_read() const override { return stream_->stored_bytes_read(); }

 private:
  // The next line including its end, not yet consumed. Empty at a break or the end; nullopt if the line was too long
  // and has been skipped.
  Result<std::optional<std::string_view>> peek_line();
  Status skip_long_line();
  // Sets `record` unless the line is broken. It is filled where the caller returns it from: moving it costs more than
  // reading a short line.
  void parse(std::string_view line, std::optional<RawRecord>& record);
  bool read_page(const simdjson::dom::object& object, RawRecord& record);
  void read_score(const simdjson::dom::object& object, RawRecord& record);
  void report(DefectKind kind, std::uint64_t skipped_bytes, std::string message);

  ReadOptions options_;
  DefectSink sink_;
  std::string path_;
  std::string file_name_;
  std::uint32_t file_index_ = 0;
  std::string missing_page_;  // the end of a message, which every line of a large file may need
  std::unique_ptr<ContentStream> stream_;
  std::unique_ptr<simdjson::dom::parser> parser_;
  std::uint64_t ordinal_ = 0;
  std::uint64_t line_ = 0;
  bool keeps_lines_ = false;
};

// Takes the position from the stream, so call it before the line is consumed.
void JsonlReader::report(DefectKind kind, std::uint64_t skipped_bytes, std::string message) {
  sink_({kind, path_, stream_->last_start().stored_offset_bytes, skipped_bytes, line_, std::move(message)});
}

// Doubles the view until it contains a line end and searches only the new part, so the cost is linear in the line's
// length.
Result<std::optional<std::string_view>> JsonlReader::peek_line() {
  std::size_t wanted = kFirstLineBytes;
  std::size_t searched = 0;
  while (true) {
    PARAPRINT_ASSIGN(std::string_view view, stream_->peek(wanted));
    const std::size_t end = view.find('\n', searched);
    if (end != std::string_view::npos && end < options_.max_line_bytes) return view.substr(0, end + 1);
    if (end == std::string_view::npos && view.size() < wanted && view.size() <= options_.max_line_bytes) return view;
    if (view.size() > options_.max_line_bytes) {
      ++line_;
      PARAPRINT_TRY(skip_long_line());
      return std::nullopt;
    }
    searched = view.size();
    wanted = std::min<std::size_t>(std::max(wanted, view.size()) * 2, options_.max_line_bytes + 1);
  }
}

// Discards buffer by buffer, so a file without line ends needs no memory beyond max_line_bytes. Stops at a break,
// because what follows the damage is a different line.
Status JsonlReader::skip_long_line() {
  const std::uint64_t begin = stream_->last_start().stored_offset_bytes;
  std::uint64_t skipped = 0;
  while (true) {
    PARAPRINT_ASSIGN(std::string_view view, stream_->peek(1));
    if (view.empty()) break;
    const std::size_t end = view.find('\n');
    const std::size_t count = end == std::string_view::npos ? view.size() : end + 1;
    stream_->consume(count);
    skipped += count;
    if (end != std::string_view::npos) break;
  }
  sink_({DefectKind::kLineTooLong, path_, begin, skipped, line_,
         fmt::format("the line is longer than {} bytes (max_line_bytes)", options_.max_line_bytes)});
  return {};
}

Result<std::optional<RawRecord>> JsonlReader::next() {
  Result<std::optional<RawRecord>> result;
  std::optional<RawRecord>& record = *result;
  while (true) {
    PARAPRINT_ASSIGN(std::optional<std::string_view> line, peek_line());
    if (!line.has_value()) continue;

    const std::string_view bytes = *line;
    // At a break, the unfinished line before it has already been returned; it must not be joined to what follows.
    if (bytes.empty()) {
      if (!stream_->at_break()) return result;
      stream_->pass_break();
      continue;
    }
    ++line_;
    if (!is_blank_line(bytes)) parse(bytes, record);
    if (!record) {
      stream_->consume(bytes.size());
      continue;
    }
    // A line has a stored length, and can be copied on its own, only if it starts and ends at member boundaries.
    const std::uint64_t begin = stream_->content_offset_bytes();
    const std::optional<std::uint64_t> stored = stream_->stored_offset_bytes();
    record->location = {file_index_, ordinal_++, stream_->last_start().stored_offset_bytes, 0};
    record->content_offset_bytes = begin;
    record->content_length_bytes = bytes.size();
    record->line = line_;
    record->lacks_line_end = !bytes.ends_with('\n');
    if (keeps_lines_) record->header = bytes;
    stream_->consume(bytes.size());
    const std::optional<std::uint64_t> end = stream_->stored_offset_bytes();
    if (stored && end) record->location.length_bytes = *end - *stored;
    return result;
  }
}

void JsonlReader::parse(std::string_view line, std::optional<RawRecord>& record) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view text = line;
  if (line_ == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  // simdjson reads beyond the end of `text` without copying it (the argument false): the stream's slack allows that.
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  simdjson::dom::element element;
  const simdjson::error_code error = parser_->parse(text.data(), text.size(), false).get(element);
  simdjson::dom::object object;
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();  // the line is not broken, and the parser not usable
  if (error != simdjson::SUCCESS) {
    report(error == simdjson::UTF8_ERROR ? DefectKind::kBadUtf8 : DefectKind::kBadJson, line.size(),
           simdjson::error_message(error));
  } else if (element.get(object) != simdjson::SUCCESS) {
    report(DefectKind::kBadJson, line.size(), "the line is valid JSON but not an object");
  } else {
    record.emplace();
    record->kind = read_page(object, *record) ? RecordKind::kPage : RecordKind::kOther;
  }
  // Only now: `element` refers to the parser's memory.
  if (line.size() > kUsualLineBytes) parser_ = std::make_unique<simdjson::dom::parser>();
}

// Fills `record` from the configured fields. Returns false, after reporting a defect, if there is no page. The id and
// URL are set even then, because writers and logs use them.
bool JsonlReader::read_page(const simdjson::dom::object& object, RawRecord& record) {
  const auto optional_text = [&](const std::string& field) -> std::string {
    std::string_view text;
    if (field.empty() || object.at_key(field).get(text) != simdjson::SUCCESS) return {};
    return std::string(text);
  };
  simdjson::dom::element id;
  if (object.at_key(options_.id_field).get(id) == simdjson::SUCCESS) {
    std::string_view text;
    if (id.get(text) == simdjson::SUCCESS) {
      record.id = text;
    } else if (id.is_number()) {
      record.id = simdjson::minify(id);  // keeps the digits of large integers
    } else if (!id.is_null()) {
      report(DefectKind::kWrongFieldType, 0,
             fmt::format("field \"{}\" is neither a string nor a number; the id is made from file name and line",
                         options_.id_field));
    }
  }
  record.url = optional_text(options_.url_field);
  record.has_id_of_place = record.id.empty();
  if (record.has_id_of_place) record.id = optional_text(options_.place_field);
  drop_long_names(record, [this](DefectKind kind, std::string message) { report(kind, 0, std::move(message)); });
  if (record.id.empty()) {
    record.id = file_name_ + ":" + std::to_string(line_);
    record.has_id_of_place = true;
  }
  if (const std::string date = optional_text(options_.date_field); !date.empty()) {
    if (std::optional<std::string> normal = normalise_date(date)) {
      record.date = std::move(*normal);
    } else {
      report(DefectKind::kBadDate, 0, "invalid date: " + date.substr(0, 40));
    }
  }
  read_score(object, record);
  record.body_is_utf8 = true;
  record.format_is_known = true;
  // HTML first: it has the structure that extraction needs. A field of the wrong type falls back to the other field.
  bool is_wrong_type = false;
  for (const PageFormat format : {PageFormat::kHtml, PageFormat::kPlainText}) {
    const std::string& field = format == PageFormat::kHtml ? options_.html_field : options_.text_field;
    simdjson::dom::element value;
    if (field.empty() || object.at_key(field).get(value) != simdjson::SUCCESS || value.is_null()) continue;
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) {
      is_wrong_type = true;
      continue;
    }
    record.format = format;
    record.payload = text;
    return true;
  }
  report(is_wrong_type ? DefectKind::kWrongFieldType : DefectKind::kMissingField, 0,
         (is_wrong_type ? "not a string: " : "missing ") + missing_page_);
  return false;
}

void JsonlReader::read_score(const simdjson::dom::object& object, RawRecord& record) {
  simdjson::dom::element value;
  if (options_.score_field.empty() || object.at_key(options_.score_field).get(value) != simdjson::SUCCESS) return;
  if (double score = 0; value.get(score) == simdjson::SUCCESS) {
    record.score = score;
  } else if (!value.is_null()) {
    report(DefectKind::kWrongFieldType, 0,
           fmt::format("field \"{}\" is not a number; the page has no score", options_.score_field));
  }
}

ResumePoint JsonlReader::position() const {
  const ContentStream::Start start = stream_->last_start();
  return {ordinal_,
          start.stored_offset_bytes,
          start.content_offset_bytes,
          stream_->content_offset_bytes() - start.content_offset_bytes,
          line_,
          start.defects_end_bytes,
          start.searched_bytes};
}

Status JsonlReader::resume(const ResumePoint& point) {
  const ContentStream::Start start{point.stored_offset_bytes, point.content_offset_bytes, point.defects_end_bytes,
                                   point.searched_bytes};
  PARAPRINT_TRY(stream_->restart(start));
  ordinal_ = point.ordinal;
  line_ = point.line;
  return skip_content(*stream_, point.skip_bytes);
}

std::unique_ptr<RecordReader> open_jsonl(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                         const ReadOptions& options, DefectSink sink) {
  return std::make_unique<JsonlReader>(std::move(stream), input, options, std::move(sink));
}

constexpr std::string_view kJsonlNames[] = {".jsonl", ".ndjson"};
constexpr std::string_view kWeakNames[] = {".json"};

}  // namespace

constexpr ArchiveFormatRow kJsonLinesFormat = {.format = ArchiveFormat::kJsonLines,
                                               .names = kJsonlNames,
                                               .likely_start = "{",
                                               .weak_names = kWeakNames,
                                               .open = open_jsonl};

}  // namespace paraprint::inline archive
