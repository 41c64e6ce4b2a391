// Page numbers follow the order of files and records, so sorted pages are read in one pass over the inputs. A page that
// is gone is left out silently: reports and alignment can do without its text.
#include "engine/stored_page_reader.h"

#include <algorithm>
#include <optional>
#include <string>

#include "archive/http_payload.h"
#include "archive/record_reader.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "profile/page_profiler.h"

namespace paraprint::inline engine {
namespace {

// A jump costs a seek and a new decompressor; up to this many records, reading on is cheaper.
constexpr std::uint64_t kJumpOverRecords = 8;

// Keeps one reader open and decides for each page whether to read on, jump, or open the next file.
class ContentReader {
 public:
  ContentReader(const RunSetup& run, const ReadOutcome& read, PageProfiler& profiler)
      : inputs_(run.inputs), options_(run.options.reading), read_(read), profiler_(profiler) {}

  // Adds the content of `page` to `contents`, or nothing if it is gone. Requires ascending pages.
  Status read(std::uint32_t page, std::map<std::uint32_t, MainContent>& contents) {
    const RecordLocation& location = read_.pages.row(page).location;
    unreadable_.reset();
    Status done = find(page, location, contents);
    if (done && unreadable_ && !contents.contains(page)) done = failure(ErrorCode::kInputOutput, *unreadable_);
    if (!done) reader_.reset();  // where it stopped is unknown
    if (done || done.error().code == ErrorCode::kCancelled) return done;
    if (is_gone(done.error().code) || read_.inputs_ended_early.contains(location.file_index)) return {};
    return done;
  }

 private:
  // The input was moved, or has other content now.
  static bool is_gone(ErrorCode code) { return code == ErrorCode::kNotFound || code == ErrorCode::kCorruptData; }

  Status find(std::uint32_t page, const RecordLocation& wanted, std::map<std::uint32_t, MainContent>& contents) {
    PARAPRINT_TRY(open(wanted));
    for (;;) {
      PARAPRINT_ASSIGN(std::optional<RawRecord> record, reader_->next());
      // Past the ordinal without meeting it: the input is not the one that the run read.
      if (!record || record->location.ordinal > wanted.ordinal) return {};
      next_ordinal_ = record->location.ordinal + 1;
      if (record->location.ordinal < wanted.ordinal) continue;
      DecodedRecord decoded = decode_page(std::move(*record), options_, inputs_[wanted.file_index].path);
      if (decoded.outcome != PageOutcome::kAccepted) return {};
      PARAPRINT_ASSIGN(const MainContent* const content, profiler_.extract(decoded.page, stop_));
      contents[page] = *content;
      return {};
    }
  }

  // Leaves the reader at or before the record `wanted`. Length 0 marks records that cannot be addressed alone (parts of
  // one compressed stream); for these the file is read from its beginning, or from where the reader is.
  Status open(const RecordLocation& wanted) {
    const bool is_open = reader_ != nullptr && file_index_ == wanted.file_index;
    const bool is_ahead = is_open && next_ordinal_ <= wanted.ordinal;
    const bool can_jump = wanted.length_bytes > 0 && inputs_[wanted.file_index].is_seekable();
    if (is_ahead && (!can_jump || wanted.ordinal - next_ordinal_ <= kJumpOverRecords)) return {};
    // Of a folder, files that cannot be read are defects.
    PARAPRINT_ASSIGN(reader_, open_records(inputs_[wanted.file_index], options_, [this](const Defect& defect) {
                       if (defect.kind == DefectKind::kUnreadableFile) unreadable_ = describe(defect);
                     }));
    file_index_ = wanted.file_index;
    next_ordinal_ = 0;
    if (!can_jump) return {};
    ResumePoint point;
    point.ordinal = wanted.ordinal;
    point.stored_offset_bytes = wanted.offset_bytes;
    point.content_offset_bytes = wanted.offset_bytes;
    return reader_->resume(point);
  }

  const std::vector<InputFile>& inputs_;
  const ReadOptions& options_;
  const ReadOutcome& read_;
  PageProfiler& profiler_;
  StopCheck stop_{StopScope::current()};
  std::unique_ptr<RecordReader> reader_;
  std::uint32_t file_index_ = 0;
  std::uint64_t next_ordinal_ = 0;
  std::optional<std::string> unreadable_;  // a file of a folder that was met on the way to the page
};

}  // namespace

Result<std::map<std::uint32_t, MainContent>> read_contents(const RunSetup& run, const ReadOutcome& read,
                                                           std::vector<std::uint32_t> wanted) {
  PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler,
                   PageProfiler::create(run.options.profile, WordWeights::bundled()));
  std::sort(wanted.begin(), wanted.end());  // page numbers follow files and records
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::map<std::uint32_t, MainContent> contents;
  ContentReader reader(run, read, *profiler);
  for (const std::uint32_t page : wanted) PARAPRINT_TRY(reader.read(page, contents));
  return contents;
}

}  // namespace paraprint::inline engine
