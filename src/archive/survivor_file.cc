// Records of a compressed input that have no address of their own are decoded again, by a second stream.
#include "archive/survivor_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "archive/revisit_target.h"
#include "archive/wacz_input.h"
#include "archive/warc_record.h"
#include "base/propagate.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

// Defects were reported in the first pass and must not be counted again.
void pass_over_defect(const Defect&) {}

std::string repaired_record(const RawRecord& record, ArchiveFormat format) {
  return format == ArchiveFormat::kArc ? repaired_arc_record(record) : repaired_warc_record(record);
}

}  // namespace

SavingsClass class_of_removed(const RemovedPage& page) {
  return page.is_template ? SavingsClass::kTemplate : SavingsClass::kNearDuplicate;
}

bool becomes_revisit(const RawRecord& record, const RemovedPage& page) {
  return !page.target.empty() && is_whole_capture(record) && has_payload_of(record, RevisitTarget::decode(page.target));
}

RepairedFrame repaired_frame(const RawRecord& record, ArchiveFormat format) {
  return format == ArchiveFormat::kArc ? repaired_arc_frame(record) : repaired_warc_frame(record);
}

Status SurvivorFile::begin(const RecordReader& reader) {
  format_ = reader.format();
  compression_ = reader.compression();
  PARAPRINT_ASSIGN(StoredInput source, open_stored(input_, options_));
  source_.emplace(std::move(source.window));
  is_converted_ = is_gzip_ && compression_ != Compression::kGzip;
  members_ = make_member_writer(is_gzip_ ? Compression::kGzip : compression_, file_);
  return compression_ == Compression::kZstd && !is_converted_ ? copy_dictionary() : Status{};
}

// Frames compressed with the file's dictionary cannot be decoded without it, so it starts the output.
Status SurvivorFile::copy_dictionary() {
  PARAPRINT_TRY(source_->ensure(kSkippableHeaderBytes));
  const std::uint64_t length = dictionary_frame_bytes(source_->view());
  range_begin_ = 0;
  range_end_ = length;
  return {};
}

Status SurvivorFile::keep(RawRecord&& record) {
  PARAPRINT_TRY(keep_waiting(record.is_list_element));
  if (std::exchange(lacks_line_end_, record.lacks_line_end)) PARAPRINT_TRY(add("\n"));
  ++counts_.records_kept;
  if (record.separator_bytes == 0) return copy_record(record);
  waiting_.emplace(std::move(record));
  waiting_->payload.clear();
  return {};
}

// A line of JSON is written with its additions; a WARC record is followed by a record about it. Other formats have no
// place for notes.
Status SurvivorFile::keep_with_notes(RawRecord&& record, RecordNotes& notes) {
  if (format_ == ArchiveFormat::kJsonLines) {
    std::string_view line = record.header;
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    Result<std::optional<std::string_view>> edited = notes.edit_line(record, line);
    if (!edited) {
      return failure(edited.error().code,
                     fmt::format("{}, line {}: {}", input_.path, record.line, edited.error().message));
    }
    if (!edited->has_value()) return keep(std::move(record));
    if (std::exchange(lacks_line_end_, false)) PARAPRINT_TRY(add("\n"));
    ++counts_.records_kept;
    ++counts_.notes_written;
    PARAPRINT_TRY(open_member());  // that lines share
    PARAPRINT_TRY(members_->write(**edited));
    return members_->write(line.size() == record.header.size() ? "\n" : record.header.substr(line.size()));
  }
  const std::string fields = format_ == ArchiveFormat::kWarc ? notes.fields(record) : std::string();
  if (fields.empty()) return keep(std::move(record));
  const std::string note = make_metadata_record(record, fields);
  PARAPRINT_TRY(keep(std::move(record)));
  ++counts_.notes_written;
  return add(note);
}

Status SurvivorFile::keep_waiting(bool is_before_element) {
  if (!waiting_) return {};
  RawRecord record = std::move(*waiting_);
  waiting_.reset();
  if (!is_before_element) {
    record.content_length_bytes -= record.separator_bytes;
    // Only the stored bytes of an uncompressed file can be cut; a member is compressed again.
    const bool is_plain = compression_ == Compression::kNone;
    record.location.length_bytes = is_plain ? record.content_length_bytes : 0;
  }
  return copy_record(record);
}

// Three cases: repaired records are serialised with their actual length; records without an address of their own are
// decoded and compressed again; all others extend the current range, or start a new one if they are not adjacent to it.
Status SurvivorFile::copy_record(const RawRecord& record) {
  missing_end_ = {};
  if (record.is_repaired) {
    ++counts_.records_rewritten;
    return record.is_oversized ? add_oversized(record) : add(repaired_record(record, format_));
  }
  if (record.location.length_bytes == 0 || is_converted_) {
    ++counts_.records_rewritten;
    return copy_content(record);
  }
  PARAPRINT_TRY(close_member());
  const std::uint64_t begin = record.location.offset_bytes;
  if (begin != range_end_) {
    PARAPRINT_TRY(copy_range());
    range_begin_ = begin;
  }
  range_end_ = begin + record.location.length_bytes;
  if (format_ == ArchiveFormat::kWarc && compression_ == Compression::kNone) {
    missing_end_ = kWarcRecordEnd.substr(std::min<std::uint64_t>(record.blank_bytes, kWarcRecordEnd.size()));
  }
  return {};
}

// Copies in pieces, so memory does not depend on the length of the range.
Status SurvivorFile::copy_range() {
  if (range_begin_ == range_end_) return {};
  const std::uint64_t here = source_->offset_bytes();
  // If the range starts within the window, advance instead of seeking, which would discard the bytes already read.
  if (range_begin_ >= here && range_begin_ - here <= source_->view().size()) {
    source_->consume(static_cast<std::size_t>(range_begin_ - here));
  } else
    PARAPRINT_TRY(source_->seek(range_begin_));
  for (std::uint64_t left = range_end_ - range_begin_; left > 0;) {
    PARAPRINT_TRY(source_->ensure(static_cast<std::size_t>(std::min<std::uint64_t>(left, kCopyBytes))));
    const std::string_view piece =
        source_->view().substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left, kCopyBytes)));
    if (piece.empty())
      return failure(ErrorCode::kCorruptData,
                     input_.path + " has changed: it is now shorter than when it was first read");
    PARAPRINT_TRY(file_.write(piece));
    left -= piece.size();
    source_->consume(piece.size());
  }
  range_begin_ = range_end_;
  return {};
}

// Pending ranges precede the new member in the output, so they are copied first.
Status SurvivorFile::open_member() {
  PARAPRINT_TRY(copy_range());
  if (!is_member_open_) members_->begin();
  is_member_open_ = true;
  return {};
}

Status SurvivorFile::close_member() {
  if (!std::exchange(is_member_open_, false)) return {};
  return members_->end();
}

// Behind a copied record that lacks its line ends, readers would take the new one for content.
Status SurvivorFile::begin_added() {
  PARAPRINT_TRY(close_member());
  PARAPRINT_TRY(open_member());
  const std::string_view missing_end = std::exchange(missing_end_, {});
  return missing_end.empty() ? Status{} : members_->write(missing_end);
}

Status SurvivorFile::add(std::string_view record) {
  PARAPRINT_TRY(begin_added());
  PARAPRINT_TRY(members_->write(record));
  return close_member();
}

// A record that was cut off, and whose content is too large to be held.
Status SurvivorFile::add_oversized(const RawRecord& record) {
  const RepairedFrame frame = repaired_frame(record, format_);
  PARAPRINT_TRY(begin_added());
  PARAPRINT_TRY(members_->write(frame.head));
  PARAPRINT_TRY(write_content(record.content_offset_bytes + record.header.size(), frame.content_bytes));
  PARAPRINT_TRY(members_->write(frame.end));
  return close_member();
}

Status SurvivorFile::replace(const RawRecord& record, const RemovedPage& page) {
  if (becomes_revisit(record, page)) {
    ++counts_.revisits_written;
    const std::string revisit = make_revisit_record(record, RevisitTarget::decode(page.target), page.relation.kept_url);
    counts_.savings.add(SavingsClass::kEqualPayload, record, revisit.size());
    return add(revisit);
  }
  if (page.only_as_revisit) {
    return failure(ErrorCode::kCorruptData,
                   fmt::format("{} has changed: the record at byte {} had another payload when it was first read",
                               input_.path, record.location.offset_bytes));
  }
  ++counts_.relations_written;
  const std::string relation = make_relation_record(record, page.relation);
  counts_.savings.add(class_of_removed(page), record, relation.size());
  return add(relation);
}

// Decodes the input up to these bytes in a second stream: the reader keeps no content of records that are not pages,
// and its own stream has already moved on.
Status SurvivorFile::write_content(std::uint64_t offset_bytes, std::uint64_t length_bytes) {
  if (!content_) {
    PARAPRINT_ASSIGN(StoredInput stored, open_stored(input_, options_));
    PARAPRINT_ASSIGN(content_, open_stored_content(input_, std::move(stored.window), options_, pass_over_defect));
  }
  PARAPRINT_TRY(skip_content(*content_, offset_bytes - content_->content_offset_bytes()));
  for (std::uint64_t left = length_bytes; left > 0;) {
    PARAPRINT_ASSIGN(const std::string_view view, content_->peek(1));
    if (view.empty()) {
      if (!content_->at_break())
        return failure(ErrorCode::kCorruptData,
                       input_.path + " has changed: it is now shorter than when it was first read");
      content_->pass_break();
      continue;
    }
    const std::string_view piece = view.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left, kCopyBytes)));
    PARAPRINT_TRY(members_->write(piece));
    left -= piece.size();
    content_->consume(piece.size());
  }
  return {};
}

Status SurvivorFile::copy_content(const RawRecord& record) {
  PARAPRINT_TRY(open_member());
  PARAPRINT_TRY(write_content(record.content_offset_bytes, record.content_length_bytes));
  // JSON lines share one member, which compresses better; archive records get one each, so that later readers can
  // address them.
  return format_ == ArchiveFormat::kJsonLines ? Status{} : close_member();
}

Status SurvivorFile::finish() {
  PARAPRINT_TRY(keep_waiting(false));
  PARAPRINT_TRY(close_member());
  return copy_range();
}

}  // namespace paraprint::inline archive
