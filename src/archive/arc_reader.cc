// ARC 1 (Internet Archive, 1996): a record is a line "URL IP date type length", the content and a line end. Such lines
// have no magic number, so a line is recognised by its shape: a URL scheme at the start, and a date that follows an IP
// address. That is strict enough for searching after damage, and loose enough for the spaces in URLs and media types
// that real crawlers wrote. Lengths, damage and resynchronisation are handled in block_reader.cc.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive_format.h"
#include "archive/block_reader.h"
#include "http/date.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kMaxLineBytes = 8192;  // URLs of real ARC files reach a few kilobytes
constexpr std::size_t kMinDateDigits = 12;   // early ARC files have no seconds
constexpr std::size_t kMaxDateDigits = 18;

struct ArcLine {
  std::string_view url;
  std::string_view date;
  std::string_view content_type;
  std::string_view length;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// An IPv4 or IPv6 address, judged by its characters only: crawlers also wrote addresses such as 0.0.0.0 for unknown
// ones.
bool is_address(std::string_view word) {
  const auto belongs = [](char c) {
    return is_digit(c) || c == '.' || c == ':' || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  return !word.empty() && std::all_of(word.begin(), word.end(), belongs) &&
         word.find_first_of(".:") != std::string_view::npos;
}

bool is_date(std::string_view word) {
  return word.size() >= kMinDateDigits && word.size() <= kMaxDateDigits &&
         std::all_of(word.begin(), word.end(), is_digit);
}

// A URL scheme and a colon, as in every ARC header line. Checking this first rejects nearly every line of page text
// before it is split into words.
bool starts_with_scheme(std::string_view line) {
  constexpr std::size_t kMaxSchemeBytes = 16;
  const std::size_t colon = line.substr(0, kMaxSchemeBytes + 1).find(':');
  if (colon == std::string_view::npos || colon < 2) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

// URLs and media types may contain spaces, so fields cannot simply be counted. The last word is the length; the last
// pair of an address and a date before it ends the URL, and everything between date and length is the media type. A URL
// that itself contains such a pair is therefore still read correctly.
std::optional<ArcLine> parse_line(std::string_view line) {
  if (line.size() > kMaxLineBytes || !starts_with_scheme(line)) return std::nullopt;
  std::vector<std::pair<std::size_t, std::size_t>> words;  // begin, end
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    if (end > at) words.emplace_back(at, end);
    at = end + 1;
  }
  constexpr std::size_t kFewestWords = 5;  // URL, address, date, type, length
  if (words.size() < kFewestWords) return std::nullopt;
  const auto word = [&](std::size_t i) { return line.substr(words[i].first, words[i].second - words[i].first); };
  for (std::size_t date = words.size() - 3; date >= 2; --date) {
    if (!is_date(word(date)) || !is_address(word(date - 1))) continue;
    ArcLine result;
    result.url = trim(line.substr(0, words[date - 1].first));
    result.date = word(date);
    result.content_type = line.substr(words[date + 1].first, words[words.size() - 2].second - words[date + 1].first);
    result.length = word(words.size() - 1);
    return result;
  }
  return std::nullopt;
}

// True if `bytes` starts with a complete ARC header line, either of the version block or of a document.
bool is_arc_start(std::string_view bytes) {
  const std::size_t end = bytes.substr(0, kMaxLineBytes).find('\n');
  return end != std::string_view::npos && parse_line(trim(bytes.substr(0, end))).has_value();
}

class ArcReader final : public BlockReader {
 public:
  using BlockReader::BlockReader;
  ArchiveFormat format() const override { return ArchiveFormat::kArc; }

 private:
  Head read_head(std::string_view view) const override;
  std::size_t find_start(std::string_view view, std::size_t from) const override;
  bool is_start(std::string_view view) const override { return is_arc_start(view); }
  void finish(RawRecord& record) override;
};

ArcReader::Head ArcReader::read_head(std::string_view view) const {
  Head head;
  const std::size_t end = view.find('\n');
  if (end == std::string_view::npos) {
    // Ask for more bytes only while the line can still become a header; otherwise a file without line ends would be
    // read into memory up to the header limit for every candidate.
    if (view.size() < kMaxLineBytes && starts_with_scheme(view)) head.state = Head::State::kIncomplete;
    return head;
  }
  const std::optional<ArcLine> line = parse_line(trim(view.substr(0, end)));
  if (!line) return head;
  const std::optional<std::uint64_t> length = parse_number(line->length);
  if (!length || *length > std::uint64_t{1} << 60) {  // larger lengths could overflow sums of offsets
    head.state = Head::State::kBroken;
    head.message = "the record's length is not a number";
    return head;
  }
  head.state = Head::State::kFound;
  head.header_bytes = end + 1;
  head.content_bytes = *length;
  RawRecord& record = head.record;
  record.url = line->url;
  record.content_type = line->content_type;
  // The version block and DNS answers are records too, but never pages.
  const std::string scheme = to_lower(record.url.substr(0, record.url.find(':')));
  record.kind = scheme == "filedesc" || scheme == "dns" ? RecordKind::kOther : RecordKind::kPage;
  if (std::optional<std::string> date = normalise_date(line->date)) {
    record.date = std::move(*date);
  } else {
    head.bad_date = line->date;
  }
  return head;
}

// ARC has no record ids and does not say whether the content is an HTTP message: both are derived here.
void ArcReader::finish(RawRecord& record) {
  name_by_place(record);
  record.is_http = record.payload.starts_with("HTTP/");
  if (record.is_http) record.content_type.clear();
}

// Tries only the starts of lines: without a magic number every offset would have to be parsed. The search begins at
// `from` if a line starts there, otherwise at the next line.
std::size_t ArcReader::find_start(std::string_view view, std::size_t from) const {
  std::size_t at = from;
  if (at > 0) {
    at = view.find('\n', at - 1);
    if (at == std::string_view::npos) return at;
    ++at;
  }
  while (at < view.size()) {
    if (is_arc_start(view.substr(at, kStartBytes))) return at;
    at = view.find('\n', at);
    if (at == std::string_view::npos) return at;
    ++at;
  }
  return std::string_view::npos;
}

std::unique_ptr<RecordReader> open(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                   const ReadOptions& options, DefectSink sink) {
  return std::make_unique<ArcReader>(std::move(stream), input, options, std::move(sink));
}

constexpr std::string_view kNames[] = {".arc"};

}  // namespace

constexpr ArchiveFormatRow kArcFormat = {
    .format = ArchiveFormat::kArc, .is_start = is_arc_start, .names = kNames, .open = open};

}  // namespace paraprint::inline archive
