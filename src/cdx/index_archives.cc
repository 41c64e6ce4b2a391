// Threads read files and hand batches of lines to one sorter.
#include "cdx/index_archives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "archive/archive_format.h"
#include "archive/record_reader.h"
#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "cdx/cdx_line.h"
#include "memory/line_sorter.h"

namespace paraprint::inline cdx {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{256} << 10;
constexpr std::size_t kReasonsKept = 20;

// What the threads share: a sorter, and the bytes that they have read.
class SharedSorter {
 public:
  SharedSorter(const ExternalSortOptions& options, ProgressReporter& progress)
      : sorter_(options), progress_(progress) {}

  // `lines` are adjacent, each with its line end.
  Status add(std::string_view lines, std::uint64_t bytes_read) {
    const std::scoped_lock lock(mutex_);
    while (!lines.empty()) {
      const std::size_t size = lines.find('\n') + 1;
      PARAPRINT_TRY(sorter_.push(lines.substr(0, size)));
      lines.remove_prefix(size);
    }
    progress_.update(bytes_done_ += bytes_read);
    return {};
  }

  // Progress and warnings are for one thread at a time.
  void warn(std::string_view line) {
    const std::scoped_lock lock(mutex_);
    progress_.warn(line);
  }

  LineSorter& sorter() { return sorter_; }

 private:
  std::mutex mutex_;
  LineSorter sorter_;
  ProgressReporter& progress_;
  std::uint64_t bytes_done_ = 0;
};

// What is known of one input after it was read.
struct InputReport {
  CdxCounts counts;
  std::vector<std::string> warnings;

  void warn(std::string line) {
    if (warnings.size() < kWarningsPerInput) warnings.push_back(std::move(line));
  }
};

class ArchiveIndexer {
 public:
  ArchiveIndexer(const InputFile& archive, const std::string& name, const CdxRules& rules, SharedSorter& sorter)
      : archive_(archive), name_(name), rules_(rules), sorter_(sorter) {}

  Result<InputReport> run() {
    const bool is_wacz = archive_.kind == InputKind::kWacz;
    const bool is_file = archive_.kind == InputKind::kFile || archive_.kind == InputKind::kStandardInput;
    if (!is_file && !is_wacz) return passed_over();
    auto opened = open_records(archive_, rules_.reading, [this](const Defect& defect) { add(defect); });
    if (!opened) {
      add_unreadable(0, opened.error());
      return std::move(report_);
    }
    if (is_wacz) return std::move(report_);  // its archives are inputs of their own
    RecordReader& reader = **opened;
    const bool is_archive = reader.format() == ArchiveFormat::kWarc || reader.format() == ArchiveFormat::kArc;
    if (!is_archive && reader.format() != ArchiveFormat::kUnknown) return passed_over();
    reader.keep_everything();
    PARAPRINT_TRY(read(reader));
    return std::move(report_);
  }

 private:
  // A request and its response are adjacent, in any order, and each record belongs to one pair.
  void take(RawRecord&& record, const RecordReader& reader) {
    if (!rules_.post_append || reader.format() != ArchiveFormat::kWarc) return add(record, reader);
    if (!waiting_ || !are_request_and_response(*waiting_, record)) {
      if (waiting_) add(*waiting_, reader);
      waiting_ = std::move(record);
      return;
    }
    const bool is_request_first = waiting_->kind == RecordKind::kRequest;
    const RawRecord& request = is_request_first ? *waiting_ : record;
    const std::optional<RequestQuery> query = request_query(request.payload);
    add(is_request_first ? record : *waiting_, reader, query ? &*query : nullptr);
    add(request, reader);
    waiting_.reset();
  }

  Status read(RecordReader& reader) {
    std::uint64_t bytes_done = 0;
    while (true) {
      PARAPRINT_TRY(check_stop());
      Result<std::optional<RawRecord>> record = reader.next();
      if (!record) {
        if (record.error().code == ErrorCode::kCancelled) return tl::unexpected<Error>(record.error());
        add_unreadable(reader.stored_bytes_read(), record.error());
      }
      const bool is_end = !record || !record->has_value();
      if (!is_end) take(std::move(**record), reader);
      if (is_end && waiting_) add(*waiting_, reader);
      if (!is_end && lines_.size() < kBatchBytes) continue;
      const std::uint64_t bytes_before = std::exchange(bytes_done, reader.stored_bytes_read());
      PARAPRINT_TRY(sorter_.add(lines_, bytes_done - bytes_before));
      lines_.clear();
      if (is_end) return {};
    }
  }

  void add(const RawRecord& record, const RecordReader& reader, const RequestQuery* query = nullptr) {
    ++report_.counts.records;
    const CdxLine line = make_cdx_line(record, reader, rules_.form, name_, query);
    switch (line.state) {
      case CdxLineState::kMade:
        lines_ += line.text;
        break;
      case CdxLineState::kNotACapture:
        break;
      case CdxLineState::kWithoutDate:
        ++report_.counts.captures_without_date;
        warn(record, "the capture has no date, so it is not in the index");
        break;
      case CdxLineState::kNotAddressable:
        ++report_.counts.captures_not_addressable;
        warn(record, "the capture is not compressed by itself, so it is not in the index");
        break;
    }
  }

  void add(const Defect& defect) {
    // Not broken, because their digest is computed without holding them. A wrong length makes such records, too.
    if (defect.kind == DefectKind::kRecordTooLarge) {
      report_.warn(describe(defect));
      return;
    }
    report_.counts.broken_records += defect.count;
    if (defect.kind == DefectKind::kUnreadableFile) {
      ++report_.counts.unreadable_inputs;
      report_.counts.unreadable_reasons.push_back(describe(defect));
    } else {
      report_.warn(describe(defect));
    }
  }

  void add_unreadable(std::uint64_t offset_bytes, const Error& error) {
    Defect defect;
    defect.kind = DefectKind::kUnreadableFile;
    defect.file = archive_.path;
    defect.offset_bytes = offset_bytes;
    defect.message = error.message;
    add(defect);
  }

  void warn(const RawRecord& record, std::string_view message) {
    report_.warn(fmt::format("{}: at byte {}: {}", archive_.path, record.location.offset_bytes, message));
  }

  InputReport passed_over() {
    ++report_.counts.inputs_passed_over;
    report_.warn(archive_.path + ": neither WARC nor ARC, so it is not in the index");
    return std::move(report_);
  }

  const InputFile& archive_;
  const std::string& name_;
  const CdxRules& rules_;
  SharedSorter& sorter_;
  std::string lines_;
  InputReport report_;
  std::optional<RawRecord> waiting_;  // for its request or response
};

void add_counts(const CdxCounts& from, CdxCounts& into) {
  for (const auto member :
       {&CdxCounts::records, &CdxCounts::captures_without_date, &CdxCounts::captures_not_addressable,
        &CdxCounts::inputs_passed_over, &CdxCounts::broken_records, &CdxCounts::unreadable_inputs}) {
    into.*member += from.*member;
  }
  for (const std::string& reason : from.unreadable_reasons) {
    if (into.unreadable_reasons.size() < kReasonsKept) into.unreadable_reasons.push_back(reason);
  }
}

Result<CdxCounts> read_archives(const std::vector<InputFile>& archives, const std::vector<std::string>& names,
                                const CdxRules& rules, SharedSorter& sorter) {
  CdxCounts counts;
  std::size_t next = 0;
  PARAPRINT_TRY(run_in_order<std::size_t, Result<InputReport>>(
      rules.threads,
      [&]() -> Result<std::optional<std::size_t>> {
        return next == archives.size() ? std::optional<std::size_t>{} : std::optional(next++);
      },
      [&](unsigned, std::size_t&& index) { return ArchiveIndexer(archives[index], names[index], rules, sorter).run(); },
      [&](Result<InputReport>&& made) -> Status {
        PARAPRINT_ASSIGN(const InputReport report, std::move(made));
        add_counts(report.counts, counts);
        for (const std::string& line : report.warnings) {
          if (rules.warns) sorter.warn(line);
        }
        return {};
      }));
  return counts;
}

// The deepest folder that contains all paths, which are absolute.
std::filesystem::path common_folder(const std::vector<std::filesystem::path>& paths) {
  std::filesystem::path common = paths.front().parent_path();
  for (const std::filesystem::path& path : paths) {
    std::filesystem::path shared;
    auto from = common.begin();
    for (const std::filesystem::path& part : path.parent_path()) {
      if (from == common.end() || *from != part) break;
      shared /= part;
      ++from;
    }
    common = std::move(shared);
  }
  return common;
}

}  // namespace

std::vector<std::string> names_in_index(const std::vector<InputFile>& archives, const std::string& root) {
  std::vector<std::string> names;
  std::vector<std::filesystem::path> paths;
  for (const InputFile& archive : archives) {
    names.push_back(archive.path.substr(archive.path.rfind('/') + 1));  // npos + 1 is 0
    paths.emplace_back(absolute_path(archive.path));
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const bool is_unique = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  if (names.empty() || (root.empty() && is_unique)) return names;
  std::filesystem::path folder = root.empty() ? common_folder(paths) : std::filesystem::path(absolute_path(root));
  if (folder.filename().empty() && folder.has_parent_path() && folder != folder.root_path())
    folder = folder.parent_path();
  for (std::size_t i = 0; i < paths.size(); ++i) names[i] = paths[i].lexically_relative(folder).string();
  return names;
}

Result<CdxCounts> index_archives(const std::vector<InputFile>& archives, const std::vector<std::string>& names,
                                 const CdxRules& rules, ProgressReporter& progress, const CdxLineSink& sink) {
  PARAPRINT_ASSERT(names.size() == archives.size());
  std::uint64_t bytes_total = 0;
  for (const InputFile& archive : archives) bytes_total += archive.size_bytes;
  progress.begin("index", bytes_total, "bytes");
  SharedSorter shared(rules.sorting, progress);
  PARAPRINT_ASSIGN(CdxCounts counts, read_archives(archives, names, rules, shared));
  PARAPRINT_TRY(shared.sorter().finish());
  if (const std::string_view heading = cdx_heading(rules.form); !heading.empty()) {
    PARAPRINT_TRY(sink(heading));
    ++counts.lines;
  }
  std::string_view line;
  while (true) {
    PARAPRINT_ASSIGN(const bool has_line, shared.sorter().next(line));
    if (!has_line) break;
    PARAPRINT_TRY(sink(line));
    ++counts.lines;
  }
  progress.end();
  return counts;
}

Result<CdxCounts> write_index_file(const std::vector<std::string>& archives, const std::string& root,
                                   const CdxRules& rules, ProgressReporter& progress, const std::string& path) {
  std::vector<InputFile> files;
  for (const std::string& archive : archives) {
    InputFile file;
    file.path = archive;
    file.index = static_cast<std::uint32_t>(files.size());
    std::error_code ignored;  // the size is for progress only; reading the file will say what is wrong
    const std::uintmax_t size = std::filesystem::file_size(archive, ignored);
    if (!ignored) file.size_bytes = size;
    files.push_back(std::move(file));
  }
  PARAPRINT_ASSIGN(AtomicFile out, AtomicFile::create(path));
  PARAPRINT_ASSIGN(CdxCounts counts, index_archives(files, names_in_index(files, root), rules, progress,
                                                    [&](std::string_view line) { return out.write(line); }));
  PARAPRINT_TRY(out.commit());
  return counts;
}

std::string_view index_file_name(CdxForm form) {
  PARAPRINT_ASSERT(form != CdxForm::kNone);
  return form == CdxForm::kCdxj ? "index.cdxj" : "index.cdx";
}

}  // namespace paraprint::inline cdx
