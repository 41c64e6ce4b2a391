// Writes what was decided into the records of one input. Pages are in the order of the input, and so are the records
// that a writer meets: the pages of an input are a range, in which the next one is searched for by its ordinal.
#include <algorithm>
#include <optional>

#include "archive/http_payload.h"
#include "archive/warc_record.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/surviving_records.h"
#include "profile/page_profiler.h"
#include "report/json_line_editor.h"
#include "trim/trimmed_text.h"

namespace paraprint::inline engine {
namespace {

// The first page of this input or, if it has none, of those after it.
std::uint32_t first_page_of(const PageTable& pages, std::uint32_t file_index) {
  std::uint32_t begin = 0;
  for (std::uint32_t size = pages.size(); size > 0;) {
    const std::uint32_t half = size / 2;
    if (pages.row(begin + half).location.file_index < file_index) {
      begin += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return begin;
}

class NotesOfInput final : public RecordNotes {
 public:
  NotesOfInput(const RunSetup& run, const PageTable& pages, RecordAdditions& additions, std::uint32_t file_index)
      : run_(run),
        pages_(pages),
        additions_(additions),
        file_index_(file_index),
        page_(first_page_of(pages, file_index)) {
    if (additions.annotations) lines_.emplace(additions.annotations->fields());
  }

  // Taken out first, so that what is added stays.
  Result<std::optional<std::string_view>> edit_line(const RawRecord& record, std::string_view line) override {
    const std::optional<std::uint32_t> page = page_of(record);
    std::optional<std::string_view> edited;
    if (!page) return edited;
    if (additions_.trims && record.format == PageFormat::kPlainText && !additions_.trims->of(*page).empty()) {
      PARAPRINT_ASSIGN(const std::string text, trimmed_text_of(record, *page));
      PARAPRINT_ASSIGN(edited, editor_.with_text(line, run_.options.reading.text_field, text));
      additions_.trims->mark_record_trimmed(*page);
    }
    if (!lines_) return edited;
    PARAPRINT_ASSIGN(edited, lines_->annotated(edited.value_or(line), additions_.annotations->of(*page)));
    return edited;
  }

  std::string fields(const RawRecord& record) override {
    const std::optional<std::uint32_t> page = page_of(record);
    if (!page || !additions_.annotations) return {};
    return warc_fields(annotation_lines(additions_.annotations->of(*page), additions_.annotations->fields()));
  }

 private:
  // Records that are no pages of the run are between those that are.
  std::optional<std::uint32_t> page_of(const RawRecord& record) {
    while (page_ < pages_.size() && pages_.row(page_).location.file_index == file_index_ &&
           pages_.row(page_).location.ordinal < record.location.ordinal) {
      ++page_;
    }
    if (page_ == pages_.size()) return std::nullopt;
    const RecordLocation& location = pages_.row(page_).location;
    const bool is_page = location.file_index == file_index_ && location.ordinal == record.location.ordinal;
    return is_page ? std::optional(page_) : std::nullopt;
  }

  // Extraction changes only white space, so that all that stays can be taken from the record as it is.
  Result<std::string> trimmed_text_of(const RawRecord& record, std::uint32_t page) {
    if (profiler_ == nullptr) {
      PARAPRINT_ASSIGN(profiler_, PageProfiler::create(run_.options.profile, WordWeights::bundled()));
    }
    DecodedRecord decoded = decode_page(RawRecord(record), run_.options.reading, run_.inputs[file_index_].path);
    const std::vector<TextSpan> spans = additions_.trims->spans_of(page);
    StopCheck stop(StopScope::current());
    PARAPRINT_ASSIGN(const MainContent* const content, profiler_->extract(decoded.page, stop));
    if (decoded.outcome != PageOutcome::kAccepted || content->text.size() < spans.back().end_bytes) {
      return failure(ErrorCode::kCorruptData, "the text has changed since it was read");
    }
    const std::optional<std::vector<TextSpan>> in_record = spans_in_source(record.payload, content->text, spans);
    return in_record ? text_without(record.payload, *in_record) : text_without(content->text, spans);
  }

  const RunSetup& run_;
  const PageTable& pages_;
  RecordAdditions& additions_;
  std::uint32_t file_index_ = 0;
  std::uint32_t page_ = 0;  // the next one
  std::optional<AnnotatedLines> lines_;
  JsonLineEditor editor_;
  std::unique_ptr<PageProfiler> profiler_;  // made for the first page that needs it
};

}  // namespace

std::unique_ptr<RecordNotes> notes_of_input(const RunSetup& run, const PageTable& pages, RecordAdditions& additions,
                                            std::uint32_t file_index) {
  return std::make_unique<NotesOfInput>(run, pages, additions, file_index);
}

}  // namespace paraprint::inline engine
