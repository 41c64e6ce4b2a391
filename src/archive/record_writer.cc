// The input is read again with the same reader as in the first pass, so the same ordinals name the same records.
#include "archive/record_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "archive/record_reader.h"
#include "archive/survivor_file.h"
#include "archive/wacz_input.h"
#include "archive/warc_record.h"
#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "http/header_block.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline archive {
namespace {

// Defects were reported in the first pass and must not be counted again.
void ignore_defect(const Defect&) {}

// Returns the removed page with this ordinal, or nullptr.
const RemovedPage* find_removed(std::span<const RemovedPage> removed, std::uint64_t ordinal) {
  const auto found =
      std::lower_bound(removed.begin(), removed.end(), ordinal,
                       [](const RemovedPage& page, std::uint64_t wanted) { return page.ordinal < wanted; });
  return found == removed.end() || found->ordinal != ordinal ? nullptr : &*found;
}

// How the records of an input are read. With `ends_early`, a read error ends the input, as it did in the first pass.
// Digests are for records that are too large to be held, lines for those of JSON.
struct Reading {
  bool ends_early = false;
  bool with_digests = false;
  bool with_lines = false;
  DefectSink defects = ignore_defect;
};

// Calls action(RawRecord&, RecordReader&) -> Status for every record of the input.
template <class Action>
Status for_each_record(const InputFile& input, const ReadOptions& options, Reading reading, Action action) {
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, options, std::move(reading.defects));
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

// The request and metadata records that belong to pages of a file: the ids of removed pages, and the ids they declare
// as captured together with them (WARC-Concurrent-To points either way). Several records may have one id: what refers
// to it stays while one of its pages does. Memory: the ids of removed pages, and 8 bytes per kept page.
class PageCompanions {
 public:
  void add_removed(const RawRecord& page) {
    removed_.insert(page.id);
    for_each_id(page.concurrent_to, [this](const std::string& id) { named_.insert(id); });
  }
  void add_kept(const RawRecord& page) {
    kept_.push_back(hash64(page.id));
    for_each_id(page.concurrent_to, [this](const std::string& id) { kept_.push_back(hash64(id)); });
  }
  // Call once, after all pages were added.
  void finish() {
    std::sort(kept_.begin(), kept_.end());
    const auto is_kept = [this](const std::string& id) {
      return std::binary_search(kept_.begin(), kept_.end(), hash64(id));
    };
    std::erase_if(removed_, is_kept);
    std::erase_if(named_, is_kept);
    kept_ = {};
  }

  // Whether the record belongs to removed pages only. One that is shared with a surviving page stays: all pages it
  // refers to must be removed.
  bool belongs(const RawRecord& record) const {
    if (record.kind != RecordKind::kRequest && record.kind != RecordKind::kMetadata) return false;
    if (named_.contains(record.id)) return true;
    const bool by_concurrent = all_removed(record.concurrent_to);
    return by_concurrent || (record.concurrent_to.empty() && all_removed(record.refers_to));
  }

 private:
  template <class Action>
  static void for_each_id(std::string_view ids, Action action) {
    while (!ids.empty()) {
      const std::size_t end = std::min(ids.find(' '), ids.size());
      if (end > 0) action(std::string(ids.substr(0, end)));
      ids.remove_prefix(std::min(end + 1, ids.size()));
    }
  }

  bool all_removed(std::string_view ids) const {
    bool any = false;
    bool all = true;
    for_each_id(ids, [&](const std::string& id) {
      any = true;
      all = all && removed_.contains(id);
    });
    return any && all;
  }

  std::unordered_set<std::string, SeededHash> removed_;
  std::unordered_set<std::string, SeededHash> named_;
  std::vector<std::uint64_t> kept_;  // hashes of ids
};

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

// Without the compression of the output. That the last element of a list loses its separator is not considered.
std::uint64_t kept_bytes(const RawRecord& record, const RecordReader& reader) {
  if (!record.is_repaired) return record.content_length_bytes;
  const RepairedFrame frame = repaired_frame(record, reader.format());
  return frame.head.size() + frame.content_bytes + frame.end.size();
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

// A removed page is simply not copied. If the input is a single removed page, no output file is created. A page of a
// folder that cannot be read is missing in the output, which is right only if some of them could not be read before.
Status write_pages(const InputFile& input, const std::string& output_path, const ReadOptions& options, bool ends_early,
                   std::span<const RemovedPage> removed, WriteCounts& counts) {
  Status all_read;
  const auto note = [&](const Defect& defect) {
    if (ends_early || defect.kind != DefectKind::kUnreadableFile || !all_read) return;
    all_read = failure(ErrorCode::kCorruptData,
                       fmt::format("{} has changed since it was read: {}", defect.file, defect.message));
  };
  const Reading reading{.ends_early = ends_early, .defects = note};
  PARAPRINT_TRY(for_each_record(input, options, reading, [&](RawRecord& record, RecordReader&) -> Status {
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
  }));
  PARAPRINT_TRY(check_stop());  // which makes a page unreadable, too
  return all_read;
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
  if (input.kind == InputKind::kWacz) {
    PARAPRINT_ASSIGN(WriteCounts counts, write_wacz_pages(input, output_path, read_options));
    PARAPRINT_TRY(check_unchanged(input));
    return counts;
  }
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, read_options, ignore_defect);
  if (!reader && options.input_ends_early && removed.empty()) return WriteCounts{};
  if (!reader) return pass_on(reader.error());
  // The format decides between copying whole files and rewriting one file; this reader is not used any further.
  const ArchiveFormat format = (*reader)->format();
  reader->reset();
  WriteCounts counts;
  if (format == ArchiveFormat::kPage || format == ArchiveFormat::kPageFolder) {
    PARAPRINT_TRY(write_pages(input, output_path, read_options, options.input_ends_early, removed, counts));
    PARAPRINT_TRY(check_unchanged(input));
  } else {
    PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(output_path));
    PARAPRINT_TRY(write_archive(input, read_options, options, removed, file, counts));
    counts.bytes_written = file.size_bytes();
    PARAPRINT_TRY(check_unchanged(input));
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
