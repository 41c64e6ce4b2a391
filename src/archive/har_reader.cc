// HTTP Archive 1.2 (HAR), as browsers' developer tools and Playwright save it: one JSON document whose log.entries are
// requests with their responses. The records are the document up to the bracket of log.entries, each entry, and the
// rest of the document, so that a copy without some entries is a document again.
//
// The document may be large, so it is never held: a small scanner follows strings and brackets, and simdjson parses one
// entry at a time, in place in the stream's buffer. Behind damage in a compressed file nothing can be read, because the
// structure around it is lost.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "archive/archive_format.h"
#include "archive/content_stream.h"
#include "archive/record_reader.h"
#include "base/base64.h"
#include "base/propagate.h"
#include "http/date.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kFirstObjectBytes = std::size_t{64} << 10;
// A parser keeps memory proportional to the longest entry it has seen, so it is replaced after an unusually long one.
constexpr std::size_t kUsualEntryBytes = std::size_t{4} << 20;
static_assert(ByteBuffer::kReadableSlackBytes >= simdjson::SIMDJSON_PADDING, "entries are parsed in place");

// Follows strings and brackets, byte by byte, in any pieces.
class JsonScanner {
 public:
  explicit JsonScanner(int depth) : depth_(depth) {}

  // Whether `c` is outside of strings; only then it has a meaning for the structure.
  bool is_structure(char c) {
    if (is_in_string_) {
      if (std::exchange(is_escaped_, false)) return false;
      if (c == '\\') is_escaped_ = true;
      if (c == '"') is_in_string_ = false;
      return false;
    }
    if (c == '"') is_in_string_ = true;
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    return true;
  }
  bool is_in_string() const { return is_in_string_; }
  int depth() const { return depth_; }  // brackets that are open_har

 private:
  int depth_;
  bool is_in_string_ = false;
  bool is_escaped_ = false;
};

// Searches the document for the bracket of log.entries.
class EntriesSearch {
 public:
  // The bytes of `piece` up to and including the bracket; npos if it is not in there.
  std::size_t find(std::string_view piece) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
      const char c = piece[at];
      if (!scanner_.is_structure(c)) {
        if (scanner_.is_in_string() && text_.size() <= kLongestName) text_ += c;
        continue;
      }
      if (c == '"') text_.clear();
      if (c == ':' && scanner_.depth() == 1) is_log_ = text_ == "log";
      if (c == ':' && scanner_.depth() == 2) is_entries_ = is_log_ && text_ == "entries";
      if (c == ',' && scanner_.depth() == 2) is_entries_ = false;
      if (c == '[' && scanner_.depth() == kDepth && is_entries_) return at + 1;
    }
    return std::string_view::npos;
  }
  // Open brackets inside log.entries: those of the document, of log and of the entries.
  static constexpr int kDepth = 3;

 private:
  static constexpr std::size_t kLongestName = 7;  // of "entries"; longer names differ in any case
  JsonScanner scanner_{0};
  std::string text_;  // the beginning of the last string
  bool is_log_ = false;
  bool is_entries_ = false;
};

class HarReader final : public RecordReader {
 public:
  HarReader(std::unique_ptr<ContentStream> stream, const InputFile& input, const ReadOptions& options, DefectSink sink)
      : options_(options),
        sink_(std::move(sink)),
        path_(input.path),
        file_name_(path_.substr(path_.rfind('/') + 1)),
        file_index_(input.index),
        stream_(std::move(stream)),
        parser_(std::make_unique<simdjson::dom::parser>()) {}

  Result<std::optional<RawRecord>> next() override;
  ResumePoint position() const override;
  Status resume(const ResumePoint& point) override;
  ArchiveFormat format() const override { return ArchiveFormat::kHar; }
  Compression compression() const override { return stream_->compression(); }
  std::uint64_t stored_bytes_read() const override { return stream_->stored_bytes_read(); }

 private:
  enum class Part : std::uint8_t { kBegin, kEntries, kEnd, kDone };
  enum class EntryEnd : std::uint8_t { kComma, kBracket, kCut };
  struct Entry {
    std::string_view bytes;  // without what ends it; empty if it is too long and has been consumed
    std::uint64_t size_bytes = 0;
    EntryEnd end = EntryEnd::kCut;
  };

  Result<std::optional<RawRecord>> read_begin();
  Result<std::optional<RawRecord>> read_next_entry();
  Result<std::optional<RawRecord>> read_end();
  Status skip_behind_damage();
  Result<Entry> find_entry();
  Result<Entry> pass_long_entry(JsonScanner& scanner, std::size_t passed);
  RawRecord begin_record() const;
  void finish_record(RawRecord& record);
  std::optional<RawRecord> parse(const Entry& entry);
  void read_fields(const simdjson::dom::element& entry, RawRecord& record);
  bool read_body(const simdjson::dom::element& entry, std::int64_t status, RawRecord& record);
  bool is_listed_type(std::string_view content_type) const;
  // The text of the field, which must be there; empty, with a defect, if it is not.
  std::string required_text(const simdjson::dom::element& entry, const char* pointer);
  void report(DefectKind kind, std::uint64_t skipped_bytes, std::string message);

  ReadOptions options_;
  DefectSink sink_;
  std::string path_;
  std::string file_name_;
  std::uint32_t file_index_ = 0;
  std::unique_ptr<ContentStream> stream_;
  std::unique_ptr<simdjson::dom::parser> parser_;
  std::uint64_t ordinal_ = 0;
  Part part_ = Part::kBegin;
  // Of the record that is being read, in the stored file; nullopt if it does not begin at the border of a member.
  std::optional<std::uint64_t> stored_begin_;
};

void HarReader::report(DefectKind kind, std::uint64_t skipped_bytes, std::string message) {
  sink_({kind, path_, stream_->last_start().stored_offset_bytes, skipped_bytes, 0, std::move(message)});
}

RawRecord HarReader::begin_record() const {
  RawRecord record;
  record.location = {file_index_, ordinal_, stream_->last_start().stored_offset_bytes, 0};
  record.content_offset_bytes = stream_->content_offset_bytes();
  return record;
}

// Call it when the record has been consumed.
void HarReader::finish_record(RawRecord& record) {
  ++ordinal_;
  record.content_length_bytes = stream_->content_offset_bytes() - record.content_offset_bytes;
  const std::optional<std::uint64_t> end = stream_->stored_offset_bytes();
  if (stored_begin_ && end) record.location.length_bytes = *end - *stored_begin_;
  record.id = fmt::format("{}:{}", file_name_, record.location.ordinal);
  record.has_id_of_place = true;
}

Result<std::optional<RawRecord>> HarReader::next() {
  if (part_ == Part::kBegin) return read_begin();
  if (part_ == Part::kEntries) {
    PARAPRINT_ASSIGN(std::optional<RawRecord> entry, read_next_entry());
    if (entry) return entry;
  }
  if (part_ == Part::kEnd) return read_end();
  return std::nullopt;
}

Result<std::optional<RawRecord>> HarReader::read_begin() {
  stored_begin_ = stream_->stored_offset_bytes();
  RawRecord record = begin_record();
  EntriesSearch search;
  while (true) {
    PARAPRINT_ASSIGN(const std::string_view view, stream_->peek(1));
    if (view.empty()) break;
    const std::size_t found = search.find(view);
    stream_->consume(std::min(found, view.size()));
    if (found == std::string_view::npos) continue;
    finish_record(record);
    part_ = Part::kEntries;
    return record;
  }
  part_ = Part::kDone;
  report(DefectKind::kMissingField, stream_->content_offset_bytes() - record.content_offset_bytes,
         "the document has no array log.entries, or ends before it");
  PARAPRINT_TRY(skip_behind_damage());
  return std::nullopt;
}

// Looks at every byte once: the view is doubled, and only its new part is scanned.
Result<HarReader::Entry> HarReader::find_entry() {
  JsonScanner scanner(0);
  std::size_t scanned = 0;
  std::size_t wanted = kFirstObjectBytes;
  while (true) {
    PARAPRINT_ASSIGN(const std::string_view view, stream_->peek(wanted));
    for (; scanned < std::min<std::size_t>(view.size(), options_.max_line_bytes); ++scanned) {
      const char c = view[scanned];
      if (!scanner.is_structure(c)) continue;
      const bool is_comma = c == ',' && scanner.depth() == 0;
      if (is_comma || scanner.depth() < 0) {
        return Entry{view.substr(0, scanned), scanned, is_comma ? EntryEnd::kComma : EntryEnd::kBracket};
      }
    }
    if (scanned >= options_.max_line_bytes) return pass_long_entry(scanner, scanned);
    if (view.size() < wanted) return Entry{view, view.size(), EntryEnd::kCut};
    wanted = std::min<std::size_t>(view.size() * 2, options_.max_line_bytes);
  }
}

// Consumes the entry without holding it.
Result<HarReader::Entry> HarReader::pass_long_entry(JsonScanner& scanner, std::size_t passed) {
  Entry entry;
  entry.size_bytes = passed;
  stream_->consume(passed);
  while (true) {
    PARAPRINT_ASSIGN(const std::string_view view, stream_->peek(1));
    if (view.empty()) return entry;
    for (std::size_t at = 0; at < view.size(); ++at) {
      if (!scanner.is_structure(view[at])) continue;
      const bool is_comma = view[at] == ',' && scanner.depth() == 0;
      if (!is_comma && scanner.depth() >= 0) continue;
      entry.end = is_comma ? EntryEnd::kComma : EntryEnd::kBracket;
      entry.size_bytes += at;
      stream_->consume(at);
      return entry;
    }
    entry.size_bytes += view.size();
    stream_->consume(view.size());
  }
}

Result<std::optional<RawRecord>> HarReader::read_next_entry() {
  while (part_ == Part::kEntries) {
    stored_begin_ = stream_->stored_offset_bytes();
    RawRecord place = begin_record();
    PARAPRINT_ASSIGN(Entry entry, find_entry());
    const bool is_long = entry.bytes.size() < entry.size_bytes;
    if (entry.end != EntryEnd::kComma) part_ = Part::kEnd;
    // White space before the end of the list belongs to the end.
    if (entry.end == EntryEnd::kBracket && !is_long) {
      entry.bytes = entry.bytes.substr(0, entry.bytes.find_last_not_of(" \t\r\n") + 1);
      entry.size_bytes = entry.bytes.size();
    }
    if (entry.end != EntryEnd::kComma && !is_long && trim(entry.bytes).empty()) break;
    std::optional<RawRecord> record;
    if (is_long) {
      record.emplace();
      report(DefectKind::kRecordTooLarge, 0,
             fmt::format("an entry of {} bytes exceeds the limit of {} (max_line_bytes)", entry.size_bytes,
                         options_.max_line_bytes));
    } else {
      record = parse(entry);
      stream_->consume(entry.bytes.size());
    }
    if (entry.end == EntryEnd::kComma) stream_->consume(1);
    if (!record) continue;
    record->location = place.location;
    record->content_offset_bytes = place.content_offset_bytes;
    record->is_list_element = true;
    record->separator_bytes = entry.end == EntryEnd::kComma ? 1 : 0;
    finish_record(*record);
    return record;
  }
  return std::nullopt;
}

// A record of its own, so that writers keep it.
Result<std::optional<RawRecord>> HarReader::read_end() {
  part_ = Part::kDone;
  stored_begin_ = stream_->stored_offset_bytes();
  RawRecord record = begin_record();
  JsonScanner scanner(EntriesSearch::kDepth);
  bool is_wrong = false;
  while (true) {
    PARAPRINT_ASSIGN(const std::string_view view, stream_->peek(1));
    if (view.empty()) break;
    for (const char c : view) {
      const bool was_closed = scanner.depth() <= 0;
      const bool is_first = scanner.depth() == EntriesSearch::kDepth && !scanner.is_in_string();
      const bool is_structure = scanner.is_structure(c);
      if (trim({&c, 1}).empty()) continue;
      is_wrong = is_wrong || was_closed || (is_first && is_structure && c == '}');
    }
    stream_->consume(view.size());
  }
  const bool is_damaged = stream_->at_break();
  if (is_wrong) report(DefectKind::kBadJson, 0, "the brackets behind the last entry do not fit");
  if (!is_wrong && !is_damaged && scanner.depth() > 0) {
    report(DefectKind::kTruncatedRecord, 0, "the document ends before its last bracket");
  }
  if (stream_->content_offset_bytes() == record.content_offset_bytes) {
    PARAPRINT_TRY(skip_behind_damage());
    return std::nullopt;
  }
  finish_record(record);
  PARAPRINT_TRY(skip_behind_damage());
  return record;
}

// Its place in the document is unknown.
Status HarReader::skip_behind_damage() {
  std::uint64_t skipped = 0;
  while (true) {
    PARAPRINT_ASSIGN(const std::string_view view, stream_->peek(1));
    if (view.empty() && !stream_->at_break()) break;
    if (view.empty()) stream_->pass_break();
    skipped += view.size();
    stream_->consume(view.size());
  }
  if (skipped > 0) report(DefectKind::kGarbage, skipped, "the rest of a document whose structure is lost");
  return {};
}

std::optional<RawRecord> HarReader::parse(const Entry& entry) {
  const std::uint64_t skipped = entry.size_bytes + (entry.end == EntryEnd::kComma ? 1 : 0);
  simdjson::dom::element element;
  // Reads beyond the end of the bytes without copying them (the argument false): the stream's slack allows that.
  const simdjson::error_code error = parser_->parse(entry.bytes.data(), entry.bytes.size(), false).get(element);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();  // the entry is not broken, and the parser not usable
  std::optional<RawRecord> record;
  if (error != simdjson::SUCCESS && entry.end == EntryEnd::kCut) {
    report(DefectKind::kTruncatedRecord, skipped, "the document ends in an entry");
    if (!stream_->at_break()) part_ = Part::kDone;
  } else if (error != simdjson::SUCCESS) {
    report(error == simdjson::UTF8_ERROR ? DefectKind::kBadUtf8 : DefectKind::kBadJson, skipped,
           simdjson::error_message(error));
  } else if (!element.is_object()) {
    report(DefectKind::kBadJson, skipped, "the entry is valid JSON but not an object");
  } else {
    read_fields(element, record.emplace());
  }
  // Only now: `element` refers to the parser's memory.
  if (entry.bytes.size() > kUsualEntryBytes) parser_ = std::make_unique<simdjson::dom::parser>();
  return record;
}

std::string HarReader::required_text(const simdjson::dom::element& entry, const char* pointer) {
  simdjson::dom::element value;
  std::string_view text;
  const bool is_missing = entry.at_pointer(pointer).get(value) != simdjson::SUCCESS || value.is_null();
  if (!is_missing && value.get(text) == simdjson::SUCCESS) return std::string(text);
  report(is_missing ? DefectKind::kMissingField : DefectKind::kWrongFieldType, 0,
         fmt::format("{} {} in entry {}", is_missing ? "missing field" : "not a string: field", pointer, ordinal_));
  return {};
}

// The kind stays kOther for everything that is not the answer to a GET with a text.
void HarReader::read_fields(const simdjson::dom::element& entry, RawRecord& record) {
  record.url = required_text(entry, "/request/url");
  const std::string method = required_text(entry, "/request/method");
  std::string_view date;
  if (entry.at_pointer("/startedDateTime").get(date) == simdjson::SUCCESS) {
    if (std::optional<std::string> normal = normalise_date(date)) {
      record.date = std::move(*normal);
    } else {
      report(DefectKind::kBadDate, 0, fmt::format("invalid date: {}", date.substr(0, 40)));
    }
  }
  std::int64_t status = 0;
  if (entry.at_pointer("/response/status").get(status) != simdjson::SUCCESS) {
    report(DefectKind::kMissingField, 0, fmt::format("missing field /response/status in entry {}", ordinal_));
    return;
  }
  // Blocked and aborted requests have the status 0 or -1; extensions and data URLs are no pages of the web.
  const bool is_web = record.url.starts_with("http:") || record.url.starts_with("https:");
  if (method != "GET" || status < 100 || status > 999 || !is_web) return;
  if (!read_body(entry, status, record)) return;
  record.kind = RecordKind::kPage;
  drop_long_names(record, [this](DefectKind kind, std::string message) { report(kind, 0, std::move(message)); });
}

bool HarReader::is_listed_type(std::string_view content_type) const {
  const std::string type = media_type(content_type);
  return std::any_of(options_.content_type.begin(), options_.content_type.end(),
                     [&](const std::string& listed) { return equals_ignoring_case(listed, type); });
}

// The text of HAR has no transfer or content encoding any more, so the header that the payload gets names only the
// type.
bool HarReader::read_body(const simdjson::dom::element& entry, std::int64_t status, RawRecord& record) {
  std::string_view type;
  std::string_view encoding;
  std::string_view text;
  // Absent ones are empty: the type is then detected from the body.
  if (entry.at_pointer("/response/content/mimeType").get(type) != simdjson::SUCCESS) type = {};
  if (entry.at_pointer("/response/content/encoding").get(encoding) != simdjson::SUCCESS) encoding = {};
  type = type.substr(0, type.find_first_of("\r\n"));
  if (entry.at_pointer("/response/content/text").get(text) != simdjson::SUCCESS) {
    // Pictures and answers without a body are usually saved like this, pages only if the browser was told so.
    std::int64_t size = 0;
    const bool has_body = entry.at_pointer("/response/content/size").get(size) == simdjson::SUCCESS && size > 0;
    if (has_body && is_listed_type(type)) required_text(entry, "/response/content/text");
    return false;
  }
  record.payload = fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\n\r\n", status, type);
  record.is_http = true;
  if (encoding.empty()) {
    record.body_is_utf8 = true;
    record.payload += text;
    return true;
  }
  if (!equals_ignoring_case(encoding, "base64")) {
    report(DefectKind::kUnknownContentEncoding, 0,
           fmt::format("unsupported encoding \"{}\" of entry {}", encoding.substr(0, 40), ordinal_));
    return false;
  }
  const std::optional<std::string> bytes = decode_base64(text);
  if (!bytes) {
    report(DefectKind::kWrongFieldType, 0,
           fmt::format("not valid base64: field /response/content/text in entry {}", ordinal_));
    return false;
  }
  record.payload += *bytes;
  return true;
}

// The part of the document is stored where other formats store the line.
ResumePoint HarReader::position() const {
  const ContentStream::Start start = stream_->last_start();
  return {ordinal_,
          start.stored_offset_bytes,
          start.content_offset_bytes,
          stream_->content_offset_bytes() - start.content_offset_bytes,
          static_cast<std::uint64_t>(part_),
          start.defects_end_bytes,
          start.searched_bytes};
}

Status HarReader::resume(const ResumePoint& point) {
  PARAPRINT_TRY(stream_->restart(
      {point.stored_offset_bytes, point.content_offset_bytes, point.defects_end_bytes, point.searched_bytes}));
  ordinal_ = point.ordinal;
  part_ = static_cast<Part>(std::min<std::uint64_t>(point.line, static_cast<std::uint64_t>(Part::kDone)));
  return skip_content(*stream_, point.skip_bytes);
}

std::unique_ptr<RecordReader> open_har(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                       const ReadOptions& options, DefectSink sink) {
  return std::make_unique<HarReader>(std::move(stream), input, options, std::move(sink));
}

// {"log":{ and one of the names that log has, which no other JSON begins with.
bool is_har_start(std::string_view content) {
  const auto skip = [&](std::string_view token) {
    content = content.substr(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
    if (!content.starts_with(token)) return false;
    content.remove_prefix(token.size());
    return true;
  };
  if (!skip("{") || !skip("\"log\"") || !skip(":") || !skip("{")) return false;
  static constexpr std::array<std::string_view, 6> kNamesOfLog = {"\"version\"", "\"creator\"", "\"browser\"",
                                                                  "\"pages\"",   "\"entries\"", "\"comment\""};
  return std::any_of(kNamesOfLog.begin(), kNamesOfLog.end(), skip);
}

constexpr std::string_view kHarNames[] = {".har"};

}  // namespace

constexpr ArchiveFormatRow kHarFormat = {
    .format = ArchiveFormat::kHar, .is_start = is_har_start, .names = kHarNames, .open = open_har};

}  // namespace paraprint::inline archive
