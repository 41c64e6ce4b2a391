// WARC 0.17 to 1.1 (ISO 28500), and WET, which is WARC with conversion records. A record start is recognised by a
// version line; when searching after damage, a header field must follow it, because pages about web archives contain
// version lines as text. Lengths and resynchronisation are handled in block_reader.cc.
#include <array>
#include <utility>

#include "archive/archive_format.h"
#include "archive/block_reader.h"
#include "http/date.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::string_view kMagic = "WARC/";

bool is_version_digit(char c) {
  return c >= '0' && c <= '9';
}

// The length of the version line at the front of `bytes` including its line end; 0 if there is none. Version numbers
// have at most two digits, and trailing spaces are tolerated.
std::size_t version_line_bytes(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return 0;
  std::size_t at = kMagic.size();
  const std::size_t major = at;
  while (at < bytes.size() && is_version_digit(bytes[at]) && at - major < 2) ++at;
  if (at == major || at >= bytes.size() || bytes[at] != '.') return 0;
  const std::size_t minor = ++at;
  while (at < bytes.size() && is_version_digit(bytes[at]) && at - minor < 2) ++at;
  if (at == minor) return 0;
  while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\r')) ++at;
  return at < bytes.size() && bytes[at] == '\n' ? at + 1 : 0;
}

// Whether `bytes` starts with "Name:", like every header line.
bool starts_with_field(std::string_view bytes) {
  constexpr std::size_t kMaxNameBytes = 64;
  std::size_t at = 0;
  for (; at < bytes.size() && at < kMaxNameBytes; ++at) {
    const char c = bytes[at];
    const bool is_name =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || is_version_digit(c);
    if (!is_name) break;
  }
  return at > 0 && at < bytes.size() && bytes[at] == ':';
}

// Whether a record starts at the front of `bytes`: a version line and a field.
bool starts_record(std::string_view bytes) {
  const std::size_t line = version_line_bytes(bytes);
  return line > 0 && starts_with_field(bytes.substr(line));
}

struct HeaderEnd {
  std::size_t at = std::string_view::npos;  // behind the blank line; npos: not in `view`
  bool is_next_record = false;              // a record starts before the blank line: the header has none of its own
};

// Searches a header whose version line has `from` bytes; a start is recognised within `start_bytes`. A header without
// its blank line extends into the next record's header, which must not be lost with it. It is noticed there, rather
// than at the blank line that ends all of them, so that a file of such headers costs no more than its size.
HeaderEnd find_header_end(std::string_view view, std::size_t from, std::size_t start_bytes) {
  while (true) {
    const std::size_t end = view.find('\n', from);
    if (end == std::string_view::npos) return {};
    const std::string_view line = view.substr(from, end - from);
    if (line.find_first_not_of('\r') == std::string_view::npos) return {end + 1, false};
    for (std::size_t at = 0; (at = line.find(kMagic, at)) != std::string_view::npos; ++at) {
      if (starts_record(view.substr(from + at, start_bytes))) return {from + at, true};
    }
    from = end + 1;
  }
}

// Ids are URIs in angle brackets. Old writers also put target URIs in them.
std::string_view without_brackets(std::string_view value) {
  value = trim(value);
  if (value.size() >= 2 && value.front() == '<' && value.back() == '>') value = value.substr(1, value.size() - 2);
  return trim(value);
}

// `name` is what follows "urn:". Crawlers name their logs ("urn:X-wpull:log") and what they made of a page
// ("urn:text:https://example.org/") with URNs. Other documents have them, too: they are taken for pages if they are
// HTML.
bool may_be_page_urn(std::string_view name, std::string_view content_type) {
  const std::string of = to_lower(name.substr(name.find(':') + 1, 8));  // npos + 1 is 0
  if (of.starts_with("http:") || of.starts_with("https:")) return false;
  return media_type(content_type).find("html") != std::string::npos;
}

// Crawlers store logs and settings as resource records under schemes such as "metadata:", and answers of name servers
// under "dns:"; those are not pages.
bool may_be_page_url(std::string_view url, std::string_view content_type) {
  static constexpr std::array<std::string_view, 6> kSchemes = {"http", "https", "ftp", "ftps", "file", "gopher"};
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos) return true;
  if (equals_ignoring_case(url.substr(0, colon), "urn")) return may_be_page_urn(url.substr(colon + 1), content_type);
  for (const std::string_view scheme : kSchemes) {
    if (equals_ignoring_case(url.substr(0, colon), scheme)) return true;
  }
  return false;
}

std::optional<PageSource> source_of(std::string_view type) {
  if (equals_ignoring_case(type, "response")) return PageSource::kResponse;
  if (equals_ignoring_case(type, "resource")) return PageSource::kResource;
  if (equals_ignoring_case(type, "conversion")) return PageSource::kConversion;
  return std::nullopt;
}

// Types that the standard does not know are kOther, as are continuation records.
RecordKind kind_of(std::string_view type, std::string_view url, std::string_view content_type) {
  if (source_of(type)) {
    const bool may_be_page = may_be_page_url(url, content_type) && media_type(content_type) != "text/dns";
    return may_be_page ? RecordKind::kPage : RecordKind::kOther;
  }
  if (equals_ignoring_case(type, "revisit")) return RecordKind::kRevisit;
  if (equals_ignoring_case(type, "request")) return RecordKind::kRequest;
  if (equals_ignoring_case(type, "metadata")) return RecordKind::kMetadata;
  return RecordKind::kOther;
}

// The texts of WET files are UTF-8, and most do not say so. Conversions of other media types are read as their type
// says.
void set_format_of_conversion(RawRecord& record) {
  const std::string type = media_type(record.content_type);
  if (!type.empty() && type != "text/plain") return;
  record.format_is_known = true;
  record.format = PageFormat::kPlainText;
  const std::string stated = to_lower(record.content_type);
  record.body_is_utf8 = stated.find("charset") == std::string::npos || stated.find("utf-8") != std::string::npos;
}

// True if `bytes` starts with a version line such as "WARC/1.0", including its line end.
bool is_warc_start(std::string_view bytes) {
  return version_line_bytes(bytes) > 0;
}

class WarcReader final : public BlockReader {
 public:
  using BlockReader::BlockReader;
  ArchiveFormat format() const override { return ArchiveFormat::kWarc; }

 private:
  Head read_head(std::string_view view) const override;
  std::size_t find_start(std::string_view view, std::size_t from) const override;
  bool is_start(std::string_view view) const override { return is_warc_start(view); }
  void finish(RawRecord& record) override;
  static void fill(Head& head, const HeaderBlock& block);
};

WarcReader::Head WarcReader::read_head(std::string_view view) const {
  Head head;
  // A version line cut off by the end of the view is incomplete rather than garbage.
  if (!view.starts_with(kMagic)) {
    if (view.size() < kMagic.size() && kMagic.starts_with(view)) head.state = Head::State::kIncomplete;
    return head;
  }
  const std::size_t first_line = version_line_bytes(view);
  if (first_line == 0) {
    if (view.find('\n') == std::string_view::npos) head.state = Head::State::kIncomplete;
    return head;
  }
  const HeaderEnd end = find_header_end(view, first_line, kStartBytes);
  if (end.at == std::string_view::npos) {
    head.state = Head::State::kIncomplete;
    return head;
  }
  const std::size_t length = end.at;
  head.state = Head::State::kBroken;
  if (end.is_next_record) {
    head.message = "the record's header is not terminated";
    return head;
  }
  const HeaderBlock block = parse_header_block(view.substr(0, length));
  const std::string* stated = block.find("Content-Length");
  const std::optional<std::uint64_t> content_bytes = stated ? parse_number(*stated) : std::nullopt;
  if (!content_bytes) {
    head.message = stated ? "the record's Content-Length is not a number" : "the record has no Content-Length";
    return head;
  }
  // Larger values could overflow sums of offsets, and no disk can hold such a record.
  constexpr std::uint64_t kLargestLength = std::uint64_t{1} << 60;
  if (*content_bytes > kLargestLength) {
    head.message = "the record's Content-Length is impossibly large";
    return head;
  }
  head.state = Head::State::kFound;
  head.header_bytes = length;
  head.content_bytes = *content_bytes;
  fill(head, block);
  return head;
}

// Missing fields are left empty: finish() reports them, but only for pages.
void WarcReader::fill(Head& head, const HeaderBlock& block) {
  RawRecord& record = head.record;
  const auto value = [&](std::string_view name) -> std::string_view {
    const std::string* found = block.find(name);
    return found ? std::string_view(*found) : std::string_view();
  };
  record.url = without_brackets(value("WARC-Target-URI"));
  record.content_type = value("Content-Type");
  record.kind = kind_of(value("WARC-Type"), record.url, record.content_type);
  record.source = source_of(value("WARC-Type")).value_or(PageSource::kResponse);
  record.id = without_brackets(value("WARC-Record-ID"));
  record.refers_to = without_brackets(value("WARC-Refers-To"));
  if (record.kind == RecordKind::kRevisit) {
    record.refers_to_url = without_brackets(value("WARC-Refers-To-Target-URI"));
    record.refers_to_date = normalise_date(value("WARC-Refers-To-Date")).value_or("");
    record.profile = without_brackets(value("WARC-Profile"));
  }
  record.payload_digest = value("WARC-Payload-Digest");
  record.is_warc_1_0 = block.first_line.starts_with("WARC/0.") || block.first_line.starts_with("WARC/1.0");
  record.is_truncated = !value("WARC-Truncated").empty();
  const bool is_continuation = equals_ignoring_case(value("WARC-Type"), "continuation");
  if (is_continuation || !value("WARC-Segment-Number").empty()) {
    RecordSegment& segment = record.segment.emplace();
    segment.is_continuation = is_continuation;
    segment.number = parse_number(value("WARC-Segment-Number")).value_or(0);
    segment.origin = without_brackets(value("WARC-Segment-Origin-ID"));
    segment.total_bytes = parse_number(value("WARC-Segment-Total-Length"));
  }
  if (record.source == PageSource::kConversion) set_format_of_conversion(record);
  // The only field that may occur several times.
  for (const auto& [name, text] : block.fields) {
    if (!equals_ignoring_case(name, "WARC-Concurrent-To")) continue;
    if (!record.concurrent_to.empty()) record.concurrent_to += ' ';
    record.concurrent_to += without_brackets(text);
  }
  const std::string_view date = value("WARC-Date");
  if (std::optional<std::string> normal = normalise_date(date)) {
    record.date = std::move(*normal);
    // Players look up the date as it is stored; other forms of the same time are left to `date`.
    const bool is_finer = date.size() > record.date.size() && date.starts_with(record.date.substr(0, 19));
    if (is_finer) record.stated_date = date;
  } else {
    head.bad_date = date;
  }
}

void WarcReader::finish(RawRecord& record) {
  if (record.url.empty()) report(DefectKind::kMissingUrl, 0, "the record has no WARC-Target-URI");
  if (record.id.empty()) report(DefectKind::kMissingRecordId, 0, "the record has no WARC-Record-ID");
  drop_long_names(record, [this](DefectKind kind, std::string message) { report(kind, 0, std::move(message)); });
  if (record.id.empty()) name_by_place(record);
  record.is_http = is_http_message(record);
  if (record.is_http) record.content_type.clear();
}

std::size_t WarcReader::find_start(std::string_view view, std::size_t from) const {
  for (std::size_t at = from; (at = view.find(kMagic, at)) != std::string_view::npos; ++at) {
    if (starts_record(view.substr(at, kStartBytes))) return at;
  }
  return std::string_view::npos;
}

std::unique_ptr<RecordReader> open_warc(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                        const ReadOptions& options, DefectSink sink) {
  return std::make_unique<WarcReader>(std::move(stream), input, options, std::move(sink));
}

constexpr std::string_view kWarcNames[] = {".warc", ".wet", ".warc.txt"};

}  // namespace

constexpr ArchiveFormatRow kWarcFormat = {.format = ArchiveFormat::kWarc,
                                          .is_start = is_warc_start,
                                          .names = kWarcNames,
                                          .likely_start = kMagic,
                                          .open = open_warc};

}  // namespace paraprint::inline archive
