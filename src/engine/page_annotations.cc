// Collects what the stages decided about a page. Pages are in the order of the input, and so are the records that a
// writer meets: the pages of an input are a range, in which the next one is searched for by its ordinal.
#include "engine/page_annotations.h"

#include <algorithm>
#include <utility>

#include "archive/warc_record.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/pair_scorer.h"

namespace paraprint::inline engine {
namespace {

// The first page whose record is not before this place.
std::uint32_t first_page_from(const PageTable& pages, std::uint32_t file_index, std::uint64_t ordinal) {
  std::uint32_t begin = 0;
  for (std::uint32_t size = pages.size(); size > 0;) {
    const std::uint32_t half = size / 2;
    const RecordLocation& middle = pages.row(begin + half).location;
    if (std::pair(middle.file_index, middle.ordinal) < std::pair(file_index, ordinal)) {
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
  NotesOfInput(const PageAnnotations& annotations, const PageTable& pages, std::uint32_t file_index)
      : annotations_(annotations),
        pages_(pages),
        file_index_(file_index),
        page_(first_page_from(pages, file_index, 0)),
        lines_(annotations.fields()) {}

  Result<std::optional<std::string_view>> edit_line(const RawRecord& record, std::string_view line) override {
    const std::optional<std::uint32_t> page = page_of(record);
    if (!page) return std::optional<std::string_view>();
    PARAPRINT_ASSIGN(const std::string_view edited, lines_.annotated(line, annotations_.of(*page)));
    return std::optional(edited);
  }

  std::string fields(const RawRecord& record) override {
    const std::optional<std::uint32_t> page = page_of(record);
    return page ? warc_fields(annotation_lines(annotations_.of(*page), annotations_.fields())) : std::string();
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

  const PageAnnotations& annotations_;
  const PageTable& pages_;
  std::uint32_t file_index_ = 0;
  std::uint32_t page_ = 0;  // the next one
  AnnotatedLines lines_;
};

}  // namespace

Result<PageAnnotations> PageAnnotations::make(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                              const SiteBoilerplate& boilerplate, const Decisions& decisions,
                                              const OutputRows& rows, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(std::vector<AnnotationField> fields, parse_annotation_fields(run.options.output.annotation_fields));
  PageAnnotations annotations(std::move(fields), pages, decisions, rows);
  SpillArray<std::uint32_t>& sizes = annotations.cluster_sizes_;
  const std::uint32_t clusters =
      pages.size() == 0 ? 0 : *std::max_element(rows.cluster_numbers.begin(), rows.cluster_numbers.end());
  PARAPRINT_TRY(sizes.assign(clusters + std::size_t{1}, 0));  // they are numbered from 1
  for (const std::uint32_t cluster : rows.cluster_numbers) ++sizes[cluster];
  const bool has_share = std::any_of(
      annotations.fields_.begin(), annotations.fields_.end(),
      [](const AnnotationField& field) { return annotation_field_names()[field.index] == kBoilerplateShareField; });
  if (!has_share || boilerplate.size() == 0) return annotations;
  PairScorer scorer(log, pages, boilerplate, run.options.match);
  progress.begin("annotate", pages.size(), "pages");
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    PARAPRINT_TRY(check_stop());
    PARAPRINT_ASSIGN(const double share, scorer.boilerplate_share(page));
    PARAPRINT_TRY(annotations.boilerplate_shares_.push_back(static_cast<float>(share)));
    progress.update(page + 1);
  }
  progress.end();
  return annotations;
}

PageAnnotation PageAnnotations::of(std::uint32_t page) const {
  PageAnnotation annotation;
  annotation.id = pages_->id(page);
  annotation.cluster = rows_->cluster_numbers[page];
  annotation.cluster_size = cluster_sizes_[annotation.cluster];
  annotation.is_kept = is_kept(*decisions_, page);
  annotation.content_characters = pages_->row(page).content_characters;
  if (boilerplate_shares_.size() > 0) annotation.boilerplate_share = static_cast<double>(boilerplate_shares_[page]);
  const PageCluster& cluster = decisions_->clustering.pages[page];
  annotation.kept_id = pages_->id(cluster.kept_page);
  annotation.verdict = cluster.verdict;
  annotation.score = static_cast<double>(cluster.resemblance);
  if (const std::optional<KnownPage> known = decisions_->known.find(page)) {
    annotation.kept_id = known->id;
    annotation.verdict = known->verdict;
    annotation.score = static_cast<double>(known->resemblance);
  }
  return annotation;
}

Status PageAnnotations::write(const std::string& path) const {
  PARAPRINT_ASSIGN(AnnotationWriter writer, AnnotationWriter::create(path, fields_));
  for (std::uint32_t page = 0; page < pages_->size(); ++page) PARAPRINT_TRY(writer.add(of(page)));
  return writer.finish();
}

std::unique_ptr<RecordNotes> PageAnnotations::notes_of_input(std::uint32_t file_index) const {
  return std::make_unique<NotesOfInput>(*this, *pages_, file_index);
}

}  // namespace paraprint::inline engine
