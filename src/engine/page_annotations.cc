// Collects what the stages decided about a page.
#include "engine/page_annotations.h"

#include <algorithm>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "engine/pair_scorer.h"

namespace paraprint::inline engine {

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
  annotation.language = pages_->row(page).language.text();
  if (boilerplate_shares_.size() > 0) annotation.boilerplate_share = static_cast<double>(boilerplate_shares_[page]);
  const PageCluster& cluster = decisions_->clustering.pages[page];
  annotation.is_copy = !annotation.is_kept && !is_in_other_language(*decisions_, page);
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

}  // namespace paraprint::inline engine
