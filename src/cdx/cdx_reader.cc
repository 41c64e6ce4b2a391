// A line is CDXJ if its third word starts with '{', and classic otherwise. The JSON is parsed in place in the stream's
// buffer, whose readable slack simdjson needs.
#include "cdx/cdx_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <span>
#include <utility>

#include "archive/content_stream.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "cdx/surt_text.h"
#include "http/header_block.h"
#include "paraprint/read_options.h"

namespace paraprint::inline cdx {
namespace {

constexpr std::size_t kFirstLookBytes = std::size_t{64} << 10;
constexpr std::uint64_t kLinesBetweenChecks = 1 << 12;  // of a stop request
static_assert(ByteBuffer::kReadableSlackBytes >= simdjson::SIMDJSON_PADDING, "lines are parsed in place");

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(" \t"), text.size()));
}

std::string_view without_first_word(std::string_view text) {
  text.remove_prefix(first_word(text).size());
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

void clear(CdxEntry& entry) {
  for (std::string* text :
       {&entry.urlkey, &entry.url, &entry.timestamp, &entry.digest, &entry.mime, &entry.status, &entry.filename}) {
    text->clear();
  }
  entry.offset_bytes.reset();
  entry.length_bytes.reset();
}

}  // namespace

struct CdxReader::JsonParser {
  simdjson::dom::parser parser;
};

Result<std::unique_ptr<CdxReader>> CdxReader::open(const std::string& path, DefectSink sink) {
  PARAPRINT_ASSIGN(InputWindow window, InputWindow::open(path));
  PARAPRINT_ASSIGN(std::unique_ptr<ContentStream> stream, open_content(std::move(window), ReadOptions{}, sink));
  return std::unique_ptr<CdxReader>(new CdxReader(path, std::move(sink), std::move(stream)));
}

CdxReader::CdxReader(std::string path, DefectSink sink, std::unique_ptr<ContentStream> stream)
    : path_(std::move(path)),
      sink_(std::move(sink)),
      stream_(std::move(stream)),
      json_(std::make_unique<JsonParser>()) {}

CdxReader::~CdxReader() = default;

std::uint64_t CdxReader::stored_bytes_read() const {
  return stream_->stored_bytes_read();
}

// Takes the position from the stream, so call it before the line is consumed.
void CdxReader::report(DefectKind kind, std::string message) {
  ++broken_lines_;
  sink_({kind, path_, stream_->last_start().stored_offset_bytes, line_bytes_, line_, std::move(message)});
}

// The next line including its end, not yet consumed. Empty at a break or the end; nullopt if the line was too long and
// has been skipped. Doubles the view until it contains a line end and searches only the new part.
Result<std::optional<std::string_view>> CdxReader::peek_line() {
  std::size_t wanted = kFirstLookBytes;
  std::size_t searched = 0;
  while (true) {
    PARAPRINT_ASSIGN(const std::string_view view, stream_->peek(wanted));
    const std::size_t end = view.find('\n', searched);
    if (end < kCdxLineBytesMaximum) return view.substr(0, end + 1);
    if (end == std::string_view::npos && view.size() < wanted && view.size() <= kCdxLineBytesMaximum) return view;
    if (view.size() > kCdxLineBytesMaximum) {
      PARAPRINT_TRY(skip_long_line());
      return std::nullopt;
    }
    searched = view.size();
    wanted = std::min<std::size_t>(std::max(wanted, view.size()) * 2, kCdxLineBytesMaximum + 1);
  }
}

// Discards buffer by buffer. Stops at a break, because what follows the damage is a different line.
Status CdxReader::skip_long_line() {
  const std::uint64_t begin = stream_->last_start().stored_offset_bytes;
  std::uint64_t skipped = 0;
  bool is_ended = false;
  while (!is_ended) {
    PARAPRINT_ASSIGN(const std::string_view view, stream_->peek(1));
    if (view.empty()) break;
    const std::size_t end = view.find('\n');
    is_ended = end != std::string_view::npos;
    const std::size_t count = is_ended ? end + 1 : view.size();
    stream_->consume(count);
    skipped += count;
  }
  ++line_;
  ++broken_lines_;
  sink_({DefectKind::kLineTooLong, path_, begin, skipped, line_,
         fmt::format("the line is longer than {} bytes", kCdxLineBytesMaximum)});
  return {};
}

Result<bool> CdxReader::next(CdxEntry& entry) {
  while (true) {
    if (line_ % kLinesBetweenChecks == 0) PARAPRINT_TRY(check_stop());
    PARAPRINT_ASSIGN(const std::optional<std::string_view> line, peek_line());
    if (!line) continue;
    // At a break, the unfinished line before it has already been handled; it must not be joined to what follows.
    if (line->empty()) {
      if (!stream_->at_break()) return false;
      stream_->pass_break();
      continue;
    }
    ++line_;
    line_bytes_ = line->size();
    std::string_view text = *line;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (line_ == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    clear(entry);
    const bool is_entry = parse(text, entry);
    stream_->consume(line->size());
    if (!is_entry) continue;
    entry.is_revisit = entry.mime == "warc/revisit";
    entry.line = line_;
    return true;
  }
}

// False if the line is no entry; a broken one has been reported.
bool CdxReader::parse(std::string_view line, CdxEntry& entry) {
  if (line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '!' || line.front() == '#') {
    return false;
  }
  if (read_heading(line)) return false;
  const std::string_view rest = without_first_word(line);
  const std::string_view json = without_first_word(rest);
  if (!json.starts_with('{')) return parse_columns(line, entry);
  const std::string_view timestamp = first_word(rest);
  if (!check_timestamp(timestamp)) return false;
  entry.urlkey = first_word(line);
  entry.timestamp = timestamp;
  return parse_json(json, entry);
}

bool CdxReader::check_timestamp(std::string_view timestamp) {
  constexpr std::size_t kSeconds = 14;
  constexpr std::size_t kMilliseconds = 17;
  const bool is_number = std::all_of(timestamp.begin(), timestamp.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number && (timestamp.size() == kSeconds || timestamp.size() == kMilliseconds)) return true;
  constexpr std::size_t kQuotedBytes = 40;
  report(DefectKind::kBadDate,
         fmt::format("not a timestamp of 14 or 17 digits: {}", timestamp.substr(0, kQuotedBytes)));
  return false;
}

// Some writers state numbers as numbers, others as texts, so all fields may be either. Unknown fields are ignored.
bool CdxReader::parse_json(std::string_view json, CdxEntry& entry) {
  simdjson::dom::object object;
  const simdjson::error_code error = json_->parser.parse(json.data(), json.size(), false).get(object);
  if (error != simdjson::SUCCESS) {
    report(error == simdjson::UTF8_ERROR ? DefectKind::kBadUtf8 : DefectKind::kBadJson, simdjson::error_message(error));
    return false;
  }
  static constexpr std::pair<std::string_view, Column> kFields[] = {
      {"url", Column::kUrl},       {"digest", Column::kDigest}, {"mime", Column::kMime},
      {"status", Column::kStatus}, {"filename", Column::kFile}, {"offset", Column::kOffset},
      {"length", Column::kLength},
  };
  for (const auto& [name, column] : kFields) {
    simdjson::dom::element value;
    if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) continue;
    std::string_view text;
    std::string number;
    if (value.get(text) != simdjson::SUCCESS) {
      if (!value.is_number()) {
        report(DefectKind::kWrongFieldType, fmt::format("field \"{}\" is neither a string nor a number", name));
        return false;
      }
      number = simdjson::minify(value);
      text = number;
    }
    if (!set_column(column, text, entry)) return false;
  }
  return true;
}

// Whether the line says which columns follow; they hold from here on.
bool CdxReader::read_heading(std::string_view line) {
  constexpr std::string_view kName = "CDX";
  static constexpr std::pair<char, Column> kLetters[] = {
      {'N', Column::kKey},        // massaged
      {'A', Column::kKey},        // canonised
      {'a', Column::kUrl},        // original
      {'b', Column::kTimestamp},  // date
      {'k', Column::kDigest},     // new-style checksum
      {'m', Column::kMime},      {'s', Column::kStatus},
      {'g', Column::kFile},      {'V', Column::kOffset},  // in the stored file
      {'S', Column::kLength},                             // in the stored file
  };
  if (line.size() < 2 + kName.size() || line.substr(1, kName.size()) != kName) return false;
  const char separator = line.front();
  if (line[1 + kName.size()] != separator) return false;
  separator_ = separator;
  columns_.fill(Column::kOther);
  column_count_ = 0;
  std::string_view letters = line.substr(2 + kName.size());
  while (!letters.empty() && column_count_ < kColumnsMaximum) {
    const std::size_t end = std::min(letters.find(separator), letters.size());
    const std::string_view letter = letters.substr(0, end);
    letters.remove_prefix(std::min(end + 1, letters.size()));
    Column& column = columns_[column_count_];
    ++column_count_;
    if (letter.size() != 1) continue;
    const auto* const known = std::find_if(std::begin(kLetters), std::end(kLetters),
                                           [&](const auto& row) { return row.first == letter.front(); });
    if (known != std::end(kLetters)) column = known->second;
  }
  return true;
}

bool CdxReader::parse_columns(std::string_view line, CdxEntry& entry) {
  static constexpr auto kNine =
      std::to_array<Column>({Column::kKey, Column::kTimestamp, Column::kUrl, Column::kMime, Column::kStatus,
                             Column::kDigest, Column::kOther, Column::kOffset, Column::kFile});
  static constexpr auto kTen =
      std::to_array<Column>({Column::kKey, Column::kTimestamp, Column::kUrl, Column::kMime, Column::kStatus,
                             Column::kDigest, Column::kOther, Column::kOther, Column::kOffset, Column::kFile});
  static constexpr auto kEleven = std::to_array<Column>(
      {Column::kKey, Column::kTimestamp, Column::kUrl, Column::kMime, Column::kStatus, Column::kDigest, Column::kOther,
       Column::kOther, Column::kLength, Column::kOffset, Column::kFile});
  // Three more name the original that a revisit refers to.
  static constexpr auto kFourteen =
      std::to_array<Column>({Column::kKey, Column::kTimestamp, Column::kUrl, Column::kMime, Column::kStatus,
                             Column::kDigest, Column::kOther, Column::kOther, Column::kLength, Column::kOffset,
                             Column::kFile, Column::kOther, Column::kOther, Column::kOther});
  const char separator = column_count_ > 0 ? separator_ : ' ';
  const std::size_t fields = static_cast<std::size_t>(std::count(line.begin(), line.end(), separator)) + 1;
  std::span<const Column> columns(columns_.data(), column_count_);
  for (const std::span<const Column> usual : {std::span<const Column>(kNine), std::span<const Column>(kTen),
                                              std::span<const Column>(kEleven), std::span<const Column>(kFourteen)}) {
    if (column_count_ == 0 && usual.size() == fields) columns = usual;
  }
  if (fields != columns.size()) {
    report(DefectKind::kMissingField,
           column_count_ > 0 ? fmt::format("{} fields instead of the {} of the heading", fields, columns.size())
                             : fmt::format("no CDXJ, and {} fields without a heading", fields));
    return false;
  }
  for (const Column column : columns) {
    const std::size_t end = std::min(line.find(separator), line.size());
    const std::string_view value = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (value == "-") continue;
    const bool is_set =
        column == Column::kFile ? set_column(column, name_of_field(value), entry) : set_column(column, value, entry);
    if (!is_set) return false;
  }
  return !entry.timestamp.empty() || check_timestamp("-");
}

// False if the value is broken, which has been reported.
bool CdxReader::set_column(Column column, std::string_view value, CdxEntry& entry) {
  switch (column) {
    case Column::kKey:
      entry.urlkey = value;
      break;
    case Column::kUrl:
      entry.url = value;
      break;
    case Column::kTimestamp:
      if (!check_timestamp(value)) return false;
      entry.timestamp = value;
      break;
    case Column::kDigest:
      entry.digest = value;
      break;
    case Column::kMime:
      entry.mime = value;
      break;
    case Column::kStatus:
      entry.status = value;
      break;
    case Column::kFile:
      entry.filename = value;
      break;
    case Column::kOffset:
    case Column::kLength: {
      const std::optional<std::uint64_t> number = parse_number(value);
      if (!number) {
        report(DefectKind::kWrongFieldType,
               fmt::format("{} is not a number", column == Column::kOffset ? "the offset" : "the length"));
        return false;
      }
      (column == Column::kOffset ? entry.offset_bytes : entry.length_bytes) = number;
      break;
    }
    case Column::kOther:
      break;
  }
  return true;
}

}  // namespace paraprint::inline cdx
