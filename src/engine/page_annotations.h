// What a run says of its pages instead of removing them (OutputOptions::annotate).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/cluster_stage.h"
#include "engine/output_stage.h"
#include "engine/run.h"
#include "memory/spill_array.h"
#include "profile/page_table.h"
#include "report/annotation.h"

namespace paraprint::inline engine {

// Any number of threads may read it. Memory, on the budget: 8 bytes per page.
class PageAnnotations {
 public:
  // Reads all profiles for the shares of boilerplate, if these are among the fields. The references must outlive the
  // result. Errors: those of reading the log and of the budget's disk.
  static Result<PageAnnotations> make(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                      const SiteBoilerplate& boilerplate, const Decisions& decisions,
                                      const OutputRows& rows, ProgressReporter& progress);

  // Valid while nothing is added to the tables it was made from.
  PageAnnotation of(std::uint32_t page) const;
  std::span<const AnnotationField> fields() const { return fields_; }

  // annotations.jsonl, with a row for each page.
  Status write(const std::string& path) const;

 private:
  PageAnnotations(std::vector<AnnotationField> fields, const PageTable& pages, const Decisions& decisions,
                  const OutputRows& rows)
      : fields_(std::move(fields)),
        pages_(&pages),
        decisions_(&decisions),
        rows_(&rows),
        cluster_sizes_(pages.budget()),
        boilerplate_shares_(pages.budget()) {}

  std::vector<AnnotationField> fields_;
  const PageTable* pages_;
  const Decisions* decisions_;
  const OutputRows* rows_;
  SpillArray<std::uint32_t> cluster_sizes_;  // by cluster number
  SpillArray<float> boilerplate_shares_;     // by page; empty if they are not written
};

}  // namespace paraprint::inline engine
