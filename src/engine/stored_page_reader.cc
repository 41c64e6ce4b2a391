// Page numbers follow the order of files and records, so sorted pages are read in one pass over the inputs. A page that
// cannot be read again is left out silently: reports and alignment can do without its text, but not without the run.
#include "engine/stored_page_reader.h"

#include <algorithm>

#include "archive/http_payload.h"
#include "archive/record_reader.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "profile/page_profiler.h"

namespace paraprint {
namespace {

// A jump costs a seek and a new decompressor; up to this many records, reading on is cheaper.
constexpr std::uint64_t kJumpOverRecords = 8;

// Keeps one reader open and decides for each page whether to read on, jump, or open the next file. Errors of reading
// are treated like a missing page.
class ContentReader {
 public:
  ContentReader(const std::vector<InputFile>& inputs, const ReadOptions& options, const PageTable& pages,
                PageProfiler& profiler)
      : inputs_(inputs), options_(options), pages_(pages), profiler_(profiler) {}

  // Adds the content of `page` to `contents`, or nothing if it cannot be read. Requires ascending pages. The only error
  // is kCancelled.
  Status read(std::uint32_t page, std::map<std::uint32_t, MainContent>& contents) {
    const PageRow& row = pages_.row(page);
    if (!open(row)) return {};
    for (;;) {
      Result<std::optional<RawRecord>> record = reader_->next();
      // Past the ordinal without meeting it: the input is not the one that the run read.
      if (!record || !record->has_value() || (*record)->location.ordinal > row.location.ordinal) return {};
      next_ordinal_ = (*record)->location.ordinal + 1;
      if ((*record)->location.ordinal < row.location.ordinal) continue;
      DecodedRecord decoded = decode_page(std::move(**record), options_, inputs_[row.location.file_index].path);
      if (decoded.outcome == PageOutcome::kAccepted) {
        PARAPRINT_ASSIGN(const MainContent* const content, profiler_.extract(decoded.page, stop_));
        contents[page] = *content;
      }
      return {};
    }
  }

 private:
  // Leaves the reader at or before the record of `row`. Length 0 marks records that cannot be addressed alone (parts of
  // one compressed stream); for these the file is read from its beginning, or from where the reader is.
  bool open(const PageRow& row) {
    const RecordLocation& wanted = row.location;
    const bool is_open = reader_ != nullptr && file_index_ == wanted.file_index;
    const bool is_ahead = is_open && next_ordinal_ <= wanted.ordinal;
    const bool can_jump = wanted.length_bytes > 0;
    if (is_ahead && (!can_jump || wanted.ordinal - next_ordinal_ <= kJumpOverRecords)) return true;
    Result<std::unique_ptr<RecordReader>> reader =
        open_records(inputs_[wanted.file_index], options_, [](const Defect&) {});
    if (!reader) return false;
    reader_ = std::move(*reader);
    file_index_ = wanted.file_index;
    next_ordinal_ = 0;
    if (!can_jump) return true;
    ResumePoint point;
    point.ordinal = wanted.ordinal;
    point.stored_offset_bytes = wanted.offset_bytes;
    point.content_offset_bytes = wanted.offset_bytes;
    return reader_->resume(point).has_value();
  }

  const std::vector<InputFile>& inputs_;
  const ReadOptions& options_;
  const PageTable& pages_;
  PageProfiler& profiler_;
  StopCheck stop_{StopScope::current()};
  std::unique_ptr<RecordReader> reader_;
  std::uint32_t file_index_ = 0;
  std::uint64_t next_ordinal_ = 0;
};

}  // namespace

Result<std::map<std::uint32_t, MainContent>> read_contents(const std::vector<InputFile>& inputs,
                                                           const DedupOptions& options, const PageTable& pages,
                                                           std::vector<std::uint32_t> wanted) {
  PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler,
                   PageProfiler::create(options.profile, WordWeights::bundled()));
  std::sort(wanted.begin(), wanted.end());  // page numbers follow files and records
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::map<std::uint32_t, MainContent> contents;
  ContentReader reader(inputs, options.reading, pages, *profiler);
  for (const std::uint32_t page : wanted) {
    PARAPRINT_TRY(reader.read(page, contents));
  }
  return contents;
}

}  // namespace paraprint
