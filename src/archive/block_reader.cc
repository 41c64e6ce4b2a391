// Reading of length-prefixed records that may lie about their length.
//
// Invariant: records are adjacent in the content. Each one includes the blank lines after it, and every byte between
// two records is reported as skipped, so record_writer.cc can copy survivors by range and tests can account for every
// byte.
//
// A stated length is verified against what follows it (find_extent()), except for records too large to hold. One wrong
// length therefore affects only one record.
#include "archive/block_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/digest.h"
#include "base/propagate.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kFirstLookBytes = 4096;                // longer than nearly every header
constexpr std::size_t kScanBytes = std::size_t{1} << 20;     // searched per peek() after garbage
constexpr std::size_t kOverrunBytes = std::size_t{8} << 20;  // how far past a wrong length the record end is sought
constexpr std::size_t kTerminatorBytes = 64;                 // enough to see blank lines and the next header's start

// The number of line-end bytes at the front. Writers disagree on how many follow a record, so all of them are accepted.
std::size_t blank_prefix(std::string_view text) {
  const std::size_t end = text.find_first_not_of("\r\n");
  return end == std::string_view::npos ? text.size() : end;
}

// Removes the separator (two line ends) from content whose length is unknown. At most two line ends are removed:
// further blank lines are more likely to be the page's own.
std::string_view without_separator(std::string_view content) {
  for (int i = 0; i < 2 && content.ends_with('\n'); ++i) {
    content.remove_suffix(1);
    while (content.ends_with('\r')) content.remove_suffix(1);
  }
  return content;
}

}  // namespace

bool is_http_message(const RawRecord& record) {
  const std::string type = media_type(record.content_type);
  if (type == "application/http") return true;
  if (!record.payload.starts_with("HTTP/")) return false;
  return record.source == PageSource::kResponse || (record.source == PageSource::kResource && type.empty());
}

BlockReader::BlockReader(std::unique_ptr<ContentStream> stream, const InputFile& input, const ReadOptions& options,
                         DefectSink sink)
    : options_(options),
      sink_(std::move(sink)),
      path_(input.path),
      file_index_(input.index),
      is_nameless_(input.is_nameless),
      stream_(std::move(stream)) {
  file_name_ = path_.substr(path_.rfind('/') + 1);
  // After damage, bytes that decode are accepted as a member only if they start with a complete record header, or with
  // an incomplete one that fills the whole test prefix. Random bytes often decode; they do not contain a header.
  stream_->set_member_test([this](std::string_view prefix) {
    const Head head = read_head(prefix);
    return head.state == Head::State::kFound ||
           (head.state == Head::State::kIncomplete && prefix.size() == kMemberTestBytes);
  });
}

// Offsets of defects refer to the stored file. Inside a compressed member only the member has such an offset, so the
// position within its content is added to the message.
void BlockReader::report(DefectKind kind, std::uint64_t skipped_bytes, std::string message) {
  const bool is_plain = stream_->compression() == Compression::kNone;
  if (!is_plain && record_content_offset_ != record_start_.content_offset_bytes) {
    message +=
        fmt::format(" (byte {} of the member's content)", record_content_offset_ - record_start_.content_offset_bytes);
  }
  sink_({kind, path_, record_start_.stored_offset_bytes, skipped_bytes, 0, std::move(message)});
}

void BlockReader::name_by_place(RawRecord& record) const {
  // In a member with several records, the content offset distinguishes them.
  record.id = record_stored_offset_ ? fmt::format("{}@{}", file_name_, *record_stored_offset_)
                                    : fmt::format("{}@{}+{}", file_name_, record_start_.stored_offset_bytes,
                                                  record_content_offset_ - record_start_.content_offset_bytes);
  record.has_id_of_place = true;
  record.is_place_lasting = !is_nameless_;
}

Result<bool> BlockReader::skip_blank_lines() {
  while (true) {
    Result<std::string_view> view = stream_->peek(kTerminatorBytes);
    if (!view) return pass_on(view.error());
    if (view->empty()) return false;
    const std::size_t blank = blank_prefix(*view);
    const bool is_done = blank < view->size();
    stream_->consume(blank);
    if (is_done) return true;
  }
}

// The position is taken before the header is read, so that defects and ids refer to the record's start. Whatever is not
// a readable record is skipped up to the next start, and the loop tries again.
Result<std::optional<RawRecord>> BlockReader::next() {
  while (true) {
    Result<bool> is_content = skip_blank_lines();
    if (!is_content) return pass_on(is_content.error());
    if (!*is_content) {
      if (!stream_->at_break()) return std::nullopt;
      stream_->pass_break();
      continue;
    }
    record_content_offset_ = stream_->content_offset_bytes();
    record_start_ = stream_->last_start();
    record_stored_offset_ = stream_->stored_offset_bytes();
    Result<Head> head = read_whole_head();
    if (!head) return pass_on(head.error());
    if (head->state == Head::State::kFound) {
      bad_date_ = std::move(head->bad_date);
      Result<std::optional<RawRecord>> record = head->content_bytes > options_.max_record_bytes
                                                    ? read_oversized(std::move(*head))
                                                    : read_content(std::move(*head));
      if (!record || record->has_value()) return record;
      continue;
    }
    Status status = {};
    switch (head->state) {
      case Head::State::kNoRecord:
        status = skip_to_start(DefectKind::kGarbage, "no record starts here");
        break;
      case Head::State::kIncomplete:
        status = skip_to_start(DefectKind::kTruncatedRecord, "the content ends inside a record's header");
        break;
      default:
        status = skip_to_start(head->defect, head->message);
    }
    if (!status) return pass_on(status.error());
  }
}

// Asks for more bytes, four times as many each time, until the header is complete, exceeds the limit, or is cut off by
// the end of the content. Nearly every header needs only the first look.
Result<BlockReader::Head> BlockReader::read_whole_head() {
  std::size_t wanted = kFirstLookBytes;
  while (true) {
    Result<std::string_view> view = stream_->peek(wanted);
    if (!view) return pass_on(view.error());
    Head head = read_head(view->substr(0, options_.max_record_header_bytes));
    if (head.state != Head::State::kIncomplete) return head;
    if (view->size() >= options_.max_record_header_bytes) {
      head.state = Head::State::kBroken;
      head.defect = DefectKind::kRecordHeaderTooLarge;
      head.message = fmt::format("the header is larger than {} bytes", options_.max_record_header_bytes);
      return head;
    }
    if (view->size() < wanted) return head;
    wanted = std::min<std::size_t>(wanted * 4, options_.max_record_header_bytes);
  }
}

// Skips at least one byte, then everything up to the next record start or break. The first byte is never a candidate,
// because a record that starts there has just failed to parse; this also guarantees progress.
Status BlockReader::skip_to_start(DefectKind kind, std::string message) {
  std::uint64_t skipped = 0;
  std::size_t from = 1;
  while (true) {
    Result<std::string_view> view = stream_->peek(kScanBytes);
    if (!view) return pass_on(view.error());
    const std::size_t at = find_start(*view, from);
    const bool is_end = view->size() < kScanBytes;
    // A start within kStartBytes of the view's end may not be recognisable yet: keep those bytes for the next round.
    std::size_t count = at;
    if (at == std::string_view::npos) count = is_end ? view->size() : view->size() - kStartBytes;
    stream_->consume(count);
    skipped += count;
    from = 0;
    if (at != std::string_view::npos || is_end) break;
  }
  report(kind, skipped, std::move(message));
  return {};
}

Result<std::optional<RawRecord>> BlockReader::read_content(Head head) {
  RawRecord& record = head.record;
  const std::size_t header_bytes = head.header_bytes;
  // The terminator is included so that a correct record needs no second peek(), which might move the buffer.
  Result<std::string_view> view =
      stream_->peek(header_bytes + static_cast<std::size_t>(head.content_bytes) + kTerminatorBytes);
  if (!view) return pass_on(view.error());
  Result<Extent> extent = find_extent(*view, head);
  if (!extent) return pass_on(extent.error());
  view = extent->view;
  record.is_repaired = extent->is_repaired;
  // Other records are copied by range when survivors are written, so their payload is not needed. That of a
  // continuation record belongs to a page.
  const bool is_continuation = record.segment && record.segment->is_continuation;
  if (record.kind == RecordKind::kPage || is_continuation || record.is_repaired || keeps_everything_) {
    record.payload.assign(view->substr(header_bytes, extent->content_bytes));
  }
  if (record.is_repaired || keeps_everything_) record.header.assign(view->substr(0, header_bytes));
  stream_->consume(header_bytes + extent->used_bytes);
  if (Status status = close_record(record); !status) return pass_on(status.error());
  if (extent->is_cut) record.is_truncated = true;
  return std::move(record);
}

// Finds the real end of the content. In order:
// 1. the stated length, if the next record or the end of the content follows it;
// 2. a record that starts earlier (the length is too large);
// 3. the end of the content, if it comes first (the record is truncated);
// 4. the stated length, if a line end follows it: garbage between records does not make the length wrong;
// 5. the next record within kOverrunBytes (the length is too small); if there is none, the stated length.
Result<BlockReader::Extent> BlockReader::find_extent(std::string_view view, const Head& head) {
  const std::size_t stated = static_cast<std::size_t>(head.content_bytes);
  std::string_view rest = view.substr(head.header_bytes);
  if (rest.size() >= stated) {
    const std::string_view after = rest.substr(stated);
    const std::string_view following = after.substr(blank_prefix(after));
    if (following.empty() || is_start(following)) return Extent{view, stated, stated, false, false};
  }
  const std::size_t inner = find_start(rest.substr(0, std::min(rest.size(), stated + kStartBytes)), 0);
  if (inner < stated) {
    report(DefectKind::kWrongContentLength, 0,
           fmt::format("the declared length is {} bytes but the next record starts after {}", stated, inner));
    return Extent{view, without_separator(rest.substr(0, inner)).size(), inner, true, false};
  }
  if (rest.size() < stated) {
    report(DefectKind::kTruncatedRecord, 0,
           fmt::format("record truncated: {} of {} bytes present; they are used", rest.size(), stated));
    return Extent{view, rest.size(), rest.size(), true, true};
  }
  // The separator is in place, so the length is right and garbage follows.
  const std::string_view after = rest.substr(stated);
  if (after.starts_with('\n') || after.starts_with("\r\n")) return Extent{view, stated, stated, false, false};
  const std::size_t searched = stated + kOverrunBytes;
  Result<std::string_view> more = stream_->peek(head.header_bytes + searched);
  if (!more) return pass_on(more.error());
  rest = more->substr(head.header_bytes);
  std::size_t end = find_start(rest, stated);
  if (end == std::string_view::npos && rest.size() < searched) end = rest.size();
  if (end == std::string_view::npos) {
    report(DefectKind::kWrongContentLength, 0,
           fmt::format("record content continues past its declared length of {} bytes", stated));
    return Extent{*more, stated, stated, false, true};
  }
  report(DefectKind::kWrongContentLength, 0,
         fmt::format("the declared length is {} bytes but the next record or the end follows after {}", stated, end));
  return Extent{*more, without_separator(rest.substr(0, end)).size(), end, true, false};
}

// Streams past a record that is too large for memory. Its length is not verified, which would need the content in
// memory; the next record is found as usual. A page keeps its first bytes so that the filters can still read its HTTP
// header. Its digest stands for it only if the length is probably right. A record that the content ends in has the
// length of what is there.
Result<std::optional<RawRecord>> BlockReader::read_oversized(Head head) {
  RawRecord& record = head.record;
  const std::uint64_t limit = head.header_bytes + options_.max_record_bytes;
  Result<std::string_view> view = stream_->peek(static_cast<std::size_t>(limit));
  if (!view) return pass_on(view.error());
  // The content ends before the limit: the record is not large, its length is wrong.
  if (view->size() < limit) return read_content(std::move(head));
  if (record.kind == RecordKind::kPage || keeps_everything_) {
    record.payload.assign(view->substr(head.header_bytes, options_.max_http_header_bytes));
    record.is_oversized = true;
  }
  if (record.segment && record.segment->is_continuation) record.is_oversized = true;
  record.header.assign(view->substr(0, head.header_bytes));
  stream_->consume(head.header_bytes);
  Result<std::uint64_t> left = pass_oversized(head.content_bytes, record);
  if (!left) return pass_on(left.error());
  const std::uint64_t passed_bytes = head.content_bytes - *left;
  if (*left > 0) return close_cut_off(std::move(head), passed_bytes);
  if (!keeps_everything_) record.header.clear();
  if (Status status = close_record(record); !status) return pass_on(status.error());
  Result<bool> is_followed = is_followed_by_record();
  if (!is_followed) return pass_on(is_followed.error());
  const bool has_digest = digests_oversized_ && !record.payload_sha1.empty();
  if (!has_digest || !*is_followed) report_oversized(head.content_bytes);
  if (has_digest && !*is_followed) record.payload_sha1.clear();
  // With a line end in place, the length is right and garbage follows, as in find_extent().
  if (!*is_followed && record.blank_bytes == 0 && !stream_->at_break()) {
    report(DefectKind::kWrongContentLength, 0,
           fmt::format("neither a record nor the end follows after the declared {} bytes; records in them are not read",
                       head.content_bytes));
  }
  return std::move(record);
}

Result<std::optional<RawRecord>> BlockReader::close_cut_off(Head head, std::uint64_t present_bytes) {
  RawRecord& record = head.record;
  record.is_truncated = true;
  record.is_oversized = true;
  record.is_repaired = true;
  if (Status status = close_record(record); !status) return pass_on(status.error());
  report(DefectKind::kTruncatedRecord, 0,
         fmt::format("record truncated: {} of {} bytes present; they are more than the limit of {} (max_record_bytes)",
                     present_bytes, head.content_bytes, options_.max_record_bytes));
  return std::move(record);
}

void BlockReader::report_oversized(std::uint64_t content_bytes) {
  report(DefectKind::kRecordTooLarge, 0,
         fmt::format("a record of {} bytes exceeds the limit of {} (max_record_bytes)", content_bytes,
                     options_.max_record_bytes));
}

// Or by the end of the content. Requires that the blank lines after the record have been passed.
Result<bool> BlockReader::is_followed_by_record() {
  Result<std::string_view> view = stream_->peek(kStartBytes);
  if (!view) return pass_on(view.error());
  return view->empty() ? !stream_->at_break() : is_start(*view);
}

// Returns how many of the bytes are missing.
Result<std::uint64_t> BlockReader::pass_oversized(std::uint64_t content_bytes, RawRecord& record) {
  std::optional<Sha1Stream> digest;
  std::uint64_t header_left = 0;  // of the HTTP header, which has no part in the digest
  const bool is_digested = digests_oversized_ && record.kind == RecordKind::kPage;
  if (is_digested || (keeps_everything_ && record.payload_digest.empty())) {
    digest.emplace();
    const bool is_http = is_http_message(record);
    header_left = is_http ? std::min<std::uint64_t>(header_block_bytes(record.payload), content_bytes) : 0;
  }
  PayloadObserver* const observer = is_digested ? observer_ : nullptr;
  if (observer != nullptr) observer->begin();
  std::uint64_t left = content_bytes;
  while (left > 0) {
    Result<std::string_view> view = stream_->peek(1);
    if (!view) return pass_on(view.error());
    if (view->empty()) break;
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left, view->size()));
    const std::size_t of_header = static_cast<std::size_t>(std::min<std::uint64_t>(header_left, count));
    const std::string_view piece = view->substr(of_header, count - of_header);
    if (digest) digest->update(piece);
    if (observer != nullptr) observer->add(piece);
    header_left -= of_header;
    stream_->consume(count);
    left -= count;
  }
  if (digest) {
    const std::array<std::uint8_t, 20> bytes = digest->finish();
    record.payload_sha1.assign(bytes.begin(), bytes.end());
  }
  return left;
}

// Adds the blank lines after the content to the record, so that records are adjacent, and fills in its location. A
// stored length is given only if the record starts and ends at member boundaries (every offset is one in an
// uncompressed file): only then can it be copied byte for byte. Repaired records never can, as their stored length is
// wrong.
Status BlockReader::close_record(RawRecord& record) {
  const std::uint64_t content_end = stream_->content_offset_bytes();
  Result<bool> more = skip_blank_lines();
  if (!more) return pass_on(more.error());
  record.blank_bytes = stream_->content_offset_bytes() - content_end;
  record.content_offset_bytes = record_content_offset_;
  record.content_length_bytes = stream_->content_offset_bytes() - record_content_offset_;
  record.location.file_index = file_index_;
  record.location.ordinal = ordinal_++;
  record.location.offset_bytes = record_start_.stored_offset_bytes;
  const std::optional<std::uint64_t> end = stream_->stored_offset_bytes();
  if (record_stored_offset_ && end) record.stored_length_bytes = *end - *record_stored_offset_;
  if (!record.is_repaired) record.location.length_bytes = record.stored_length_bytes;
  if (record.kind == RecordKind::kPage) {
    constexpr std::size_t kQuotedBytes = 40;
    if (!bad_date_.empty()) report(DefectKind::kBadDate, 0, "invalid date: " + bad_date_.substr(0, kQuotedBytes));
    finish(record);
  }
  if (record.id.empty()) name_by_place(record);
  return {};
}

// A position inside a member is expressed relative to the member's start, where decoding can begin.
ResumePoint BlockReader::position() const {
  const ContentStream::Start start = stream_->last_start();
  return {ordinal_,
          start.stored_offset_bytes,
          start.content_offset_bytes,
          stream_->content_offset_bytes() - start.content_offset_bytes,
          0,
          start.defects_end_bytes,
          start.searched_bytes};
}

// Decoding can only start at a member, so the content between its start and the record is decoded again and skipped.
Status BlockReader::resume(const ResumePoint& point) {
  const ContentStream::Start start{point.stored_offset_bytes, point.content_offset_bytes, point.defects_end_bytes,
                                   point.searched_bytes};
  PARAPRINT_TRY(stream_->restart(start));
  ordinal_ = point.ordinal;
  return skip_content(*stream_, point.skip_bytes);
}

}  // namespace paraprint::inline archive
