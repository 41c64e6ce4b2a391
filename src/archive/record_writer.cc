// The input is read again with the same reader as in the first pass, so the same ordinals name the same records.
//
// Adjacent addressable records are collected into one range of stored bytes and copied when a gap or a rewritten record
// interrupts it; an input without removed pages is therefore copied in large pieces, byte for byte. Rewritten records
// are written as members of their own, which can be mixed with copied ones in any order.
#include "archive/record_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "archive/compressed_streams.h"
#include "archive/content_stream.h"
#include "archive/member_writer.h"
#include "archive/page_companions.h"
#include "archive/record_reader.h"
#include "archive/wacz_input.h"
#include "archive/warc_record.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "http/header_block.h"

namespace paraprint::inline archive {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

// Defects were reported in the first pass and must not be counted again.
void ignore_defect(const Defect&) {}

// Returns the removed page with this ordinal, or nullptr.
const RemovedPage* find_removed(std::span<const RemovedPage> removed, std::uint64_t ordinal) {
  const auto found =
      std::lower_bound(removed.begin(), removed.end(), ordinal,
                       [](const RemovedPage& page, std::uint64_t wanted) { return page.ordinal < wanted; });
  return found == removed.end() || found->ordinal != ordinal ? nullptr : &*found;
}

// Unless a revisit record takes its place.
SavingsClass class_of_removed(const RemovedPage& page) {
  return page.is_template ? SavingsClass::kTemplate : SavingsClass::kNearDuplicate;
}

// How the records of an input are read. With `ends_early`, a read error ends the input, as it did in the first pass.
// Digests are for records that are too large to be held, lines for those of JSON.
struct Reading {
  bool ends_early = false;
  bool with_digests = false;
  bool with_lines = false;
};

// Calls action(RawRecord&, RecordReader&) -> Status for every record of the input.
template <class Action>
Status for_each_record(const InputFile& input, const ReadOptions& options, Reading reading, Action action) {
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, options, ignore_defect);
  if (!reader) return pass_on(reader.error());
  if (reading.with_digests) (*reader)->digest_oversized(nullptr);
  if (reading.with_lines && (*reader)->format() == ArchiveFormat::kJsonLines) (*reader)->keep_everything();
  while (true) {
    PARAPRINT_TRY(check_stop());
    Result<std::optional<RawRecord>> record = (*reader)->next();
    if (!record && reading.ends_early) return {};
    if (!record) return pass_on(record.error());
    if (!record->has_value()) return {};
    PARAPRINT_TRY(action(**record, **reader));
  }
}

// Whether a revisit record can take the place of the page.
bool becomes_revisit(const RawRecord& record, const RemovedPage& page) {
  return !page.target.empty() && is_whole_capture(record) && has_payload_of(record, RevisitTarget::decode(page.target));
}

// A request may precede its page, so the ids are collected in a separate pass before anything is written. Records that
// belong to a revisit record stay.
Result<PageCompanions> find_companions(const InputFile& input, const ReadOptions& read_options,
                                       const WriteOptions& options, std::span<const RemovedPage> removed) {
  PageCompanions companions;
  const auto add = [&](RawRecord& record, RecordReader&) -> Status {
    if (record.kind != RecordKind::kPage) return {};
    const RemovedPage* page = find_removed(removed, record.location.ordinal);
    const bool stays = page == nullptr || (options.write_revisits && becomes_revisit(record, *page));
    stays ? companions.add_kept(record) : companions.add_removed(record);
    return {};
  };
  PARAPRINT_TRY(for_each_record(input, read_options, {options.input_ends_early, options.write_revisits}, add));
  companions.finish();
  return companions;
}

std::string repaired_record(const RawRecord& record, ArchiveFormat format) {
  return format == ArchiveFormat::kArc ? repaired_arc_record(record) : repaired_warc_record(record);
}

// Writes one output file from one archive or JSONL file.
class SurvivorFile {
 public:
  // With `is_gzip`, the output has a gzip member per record, whatever the compression of the input.
  SurvivorFile(const InputFile& input, const ReadOptions& options, ByteSink& file, WriteCounts& counts,
               bool is_gzip = false)
      : input_(input), options_(options), file_(file), counts_(counts), is_gzip_(is_gzip) {}

  // Call before anything else: format and compression are known once a reader is open.
  Status begin(const RecordReader& reader);
  Status keep(RawRecord&& record);
  Status keep_with_notes(RawRecord&& record, RecordNotes& notes);
  Status replace(const RawRecord& record, const RemovedPage& page);  // by a record about it
  Status finish();

 private:
  Status add(std::string_view record);  // as a separate member
  Status keep_waiting(bool is_before_element);
  Status copy_record(const RawRecord& record);
  Status copy_range();
  Status copy_dictionary();
  Status copy_content(const RawRecord& record);
  Status open_member();
  Status close_member();

  const InputFile& input_;
  const ReadOptions& options_;
  ByteSink& file_;
  WriteCounts& counts_;
  const bool is_gzip_;
  bool is_converted_ = false;
  ArchiveFormat format_ = ArchiveFormat::kUnknown;
  Compression compression_ = Compression::kNone;
  std::optional<InputWindow> source_;
  std::unique_ptr<ContentStream> content_;  // opened for the first record that is not addressable
  std::unique_ptr<MemberWriter> members_;
  bool is_member_open_ = false;
  bool lacks_line_end_ = false;       // what was kept last: nothing may be joined to it
  std::optional<RawRecord> waiting_;  // an element of a list: the next record decides whether its separator is kept
  std::uint64_t range_begin_ = 0;     // range of stored bytes that still has to be copied
  std::uint64_t range_end_ = 0;
};

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
  if (record.is_repaired) {
    ++counts_.records_rewritten;
    return add(repaired_record(record, format_));
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

Status SurvivorFile::add(std::string_view record) {
  PARAPRINT_TRY(close_member());
  PARAPRINT_TRY(open_member());
  PARAPRINT_TRY(members_->write(record));
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

// Decodes the input up to this record in a second stream: the reader keeps no content of records that are not pages,
// and its own stream has already moved on.
Status SurvivorFile::copy_content(const RawRecord& record) {
  if (!content_) {
    PARAPRINT_ASSIGN(StoredInput stored, open_stored(input_, options_));
    PARAPRINT_ASSIGN(content_, open_stored_content(input_, std::move(stored.window), options_, ignore_defect));
  }
  PARAPRINT_TRY(skip_content(*content_, record.content_offset_bytes - content_->content_offset_bytes()));
  PARAPRINT_TRY(open_member());
  for (std::uint64_t left = record.content_length_bytes; left > 0;) {
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
  // JSON lines share one member, which compresses better; archive records get one each, so that later readers can
  // address them.
  return format_ == ArchiveFormat::kJsonLines ? Status{} : close_member();
}

Status SurvivorFile::finish() {
  PARAPRINT_TRY(keep_waiting(false));
  PARAPRINT_TRY(close_member());
  return copy_range();
}

// Without the compression of the output. That the last element of a list loses its separator is not considered.
std::uint64_t kept_bytes(const RawRecord& record, const RecordReader& reader) {
  if (!record.is_repaired) return record.content_length_bytes;
  return repaired_record(record, reader.format()).size();
}

// The companion pass costs another read of the input, so it is skipped when it could not remove anything.
Status write_archive(const InputFile& input, const ReadOptions& read_options, const WriteOptions& options,
                     std::span<const RemovedPage> removed, AtomicFile& file, WriteCounts& counts) {
  PageCompanions companions;
  if (options.drop_companions && !removed.empty()) {
    PARAPRINT_ASSIGN(companions, find_companions(input, read_options, options, removed));
  }
  SurvivorFile output(input, read_options, file, counts);
  bool has_begun = false;
  std::map<std::uint64_t, SavingsClass> removed_segments;  // by the ordinals of those that follow
  const auto write = [&](RawRecord& record, RecordReader& reader) -> Status {
    if (!std::exchange(has_begun, true)) {
      PARAPRINT_TRY(output.begin(reader));
    }
    const RemovedPage* page = find_removed(removed, record.location.ordinal);
    if (page != nullptr && record.kind == RecordKind::kPage) {
      ++counts.pages_removed;
      tick(options.budget);
      if (record.segment) {
        for (const std::uint64_t other : record.segment->joined_ordinals) {
          removed_segments.emplace(other, class_of_removed(*page));
        }
      }
      const bool is_replaced = options.write_revisits && reader.format() == ArchiveFormat::kWarc;
      if (is_replaced) return output.replace(record, *page);
      counts.savings.add(class_of_removed(*page), record, 0);
      return {};
    }
    if (const auto segment = removed_segments.extract(record.location.ordinal); !segment.empty()) {
      ++counts.segments_removed;
      counts.savings.add(segment.mapped(), record, 0);
      return {};
    }
    if (companions.belongs(record)) {
      ++counts.companions_removed;
      counts.savings.add(SavingsClass::kCompanion, record, 0);
      return {};
    }
    counts.savings.add(SavingsClass::kKept, record, kept_bytes(record, reader));
    if (options.notes != nullptr && record.kind == RecordKind::kPage) {
      return output.keep_with_notes(std::move(record), *options.notes);
    }
    return output.keep(std::move(record));
  };
  const Reading reading{options.input_ends_early, options.write_revisits, options.notes != nullptr};
  Status status = for_each_record(input, read_options, reading, write);
  if (!status || !has_begun) return status;
  return output.finish();
}

// Copies what is left of `source` to a file of its own.
Status copy_all(InputWindow& source, const std::string& to, WriteCounts& counts) {
  if (const std::size_t slash = to.rfind('/'); slash != std::string::npos && slash > 0) {
    PARAPRINT_TRY(create_folders(to.substr(0, slash)));
  }
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(to));
  while (true) {
    PARAPRINT_TRY(source.ensure(1));
    if (source.view().empty()) break;
    PARAPRINT_TRY(file.write(source.view()));
    source.consume(source.view().size());
  }
  counts.bytes_written += file.size_bytes();
  return file.commit();
}

// Copies one page file unchanged, including its compression.
Status copy_page(Result<InputWindow>&& from, const std::string& to, WriteCounts& counts) {
  PARAPRINT_ASSIGN(InputWindow source, std::move(from));
  ++counts.records_kept;
  return copy_all(source, to, counts);
}

// The lists of pages of a WACZ file stay with its WARC files, unless they are damaged: then pages are found without
// them. In a folder of another name, they would be taken for
// archives of JSON lines.
Result<WriteCounts> write_wacz_pages(const InputFile& input, const std::string& output_path,
                                     const ReadOptions& options) {
  WriteCounts counts;
  if (!to_lower(output_path).ends_with(kWaczEnding)) return counts;
  for (const std::string_view name : kWaczPageLists) {
    PARAPRINT_ASSIGN(std::optional<InputWindow> list,
                     open_wacz_member(input.path, name, options, input.source, ignore_defect));
    if (list) PARAPRINT_TRY(copy_all(*list, fmt::format("{}/{}", output_path, name), counts));
  }
  return counts;
}

// A removed page is simply not copied. If the input is a single removed page, no output file is created.
Status write_pages(const InputFile& input, const std::string& output_path, const ReadOptions& options, bool ends_early,
                   std::span<const RemovedPage> removed, WriteCounts& counts) {
  return for_each_record(input, options, {ends_early}, [&](RawRecord& record, RecordReader&) -> Status {
    if (const RemovedPage* page = find_removed(removed, record.location.ordinal); page != nullptr) {
      ++counts.pages_removed;
      counts.savings.add(class_of_removed(*page), record, 0);
      return {};
    }
    counts.savings.add(SavingsClass::kKept, record, record.content_length_bytes);
    if (input.kind == InputKind::kPageFolder) {
      return copy_page(InputWindow::open(input.path + "/" + record.id), output_path + "/" + record.id, counts);
    }
    PARAPRINT_ASSIGN(StoredInput stored, open_stored(input, options));
    return copy_page(std::move(stored.window), output_path, counts);
  });
}

}  // namespace

Result<GzipCopy> write_gzip_records(const InputFile& input, ByteSink& sink, const ReadOptions& read_options,
                                    const std::function<Status(const RawRecord&)>& see, DefectSink defects) {
  GzipCopy copy;
  SurvivorFile output(input, read_options, sink, copy.counts, true);
  bool has_begun = false;
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, read_options, std::move(defects));
  if (!reader) return pass_on(reader.error());
  while (true) {
    PARAPRINT_TRY(check_stop());
    Result<std::optional<RawRecord>> record = (*reader)->next();
    if (!record && record.error().code == ErrorCode::kCancelled) return pass_on(record.error());
    if (!record) copy.read_error = std::move(record.error());
    if (copy.read_error || !record->has_value()) break;
    PARAPRINT_TRY(see(**record));
    if (!std::exchange(has_begun, true)) PARAPRINT_TRY(output.begin(**reader));
    PARAPRINT_TRY(output.keep(std::move(**record)));
  }
  if (has_begun) PARAPRINT_TRY(output.finish());
  return copy;
}

Result<WriteCounts> write_survivors(const InputFile& input, const std::string& output_path,
                                    std::span<const RemovedPage> removed, const ReadOptions& read_options,
                                    const WriteOptions& options) {
  if (input.kind == InputKind::kStandardInput) {
    return failure(
        ErrorCode::kUnsupported,
        "standard input cannot be read twice, so its surviving records cannot be written; pass a file instead");
  }
  if (input.kind == InputKind::kWacz) return write_wacz_pages(input, output_path, read_options);
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, read_options, ignore_defect);
  if (!reader && options.input_ends_early && removed.empty()) return WriteCounts{};
  if (!reader) return pass_on(reader.error());
  // The format decides between copying whole files and rewriting one file; this reader is not used any further.
  const ArchiveFormat format = (*reader)->format();
  reader->reset();
  WriteCounts counts;
  if (format == ArchiveFormat::kPage || format == ArchiveFormat::kPageFolder) {
    PARAPRINT_TRY(write_pages(input, output_path, read_options, options.input_ends_early, removed, counts));
  } else {
    PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(output_path));
    PARAPRINT_TRY(write_archive(input, read_options, options, removed, file, counts));
    counts.bytes_written = file.size_bytes();
    // A mismatch means that the input has changed: leave the file uncommitted, which removes it.
    if (counts.pages_removed == removed.size()) PARAPRINT_TRY(file.commit());
  }
  if (counts.pages_removed != removed.size()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} of the {} pages to remove are not in {}: the file has changed since it was read",
                               removed.size() - counts.pages_removed, removed.size(), input.path));
  }
  return counts;
}

}  // namespace paraprint::inline archive
