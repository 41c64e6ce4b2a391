// Two pages of a run side by side, from their texts read again: what the report shows and word alignment judges.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/pair_scorer.h"
#include "engine/run.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "profile/synonyms.h"
#include "report/comparison.h"
#include "text/normalise.h"

namespace paraprint {

// Holds scratch memory: one instance a thread. The run must outlive it and stay unchanged.
class PairView {
 public:
  // Errors: those of load_shown_synonyms().
  static Result<std::unique_ptr<PairView>> create(const DedupRun& run);

  // `contents` has the texts, by page. Paragraphs that are template of their site are marked. The verdict is what the
  // run decided. kNotFound if a text is missing; the errors of reading the log. Valid as long as the view.
  Result<Comparison> compare(std::uint32_t page_a, std::uint32_t page_b,
                             const std::map<std::uint32_t, MainContent>& contents);

 private:
  PairView(const DedupRun& run, std::shared_ptr<const Synonyms> synonyms);

  const DedupRun& run_;
  std::shared_ptr<const Synonyms> synonyms_;
  Normaliser normaliser_;
  PairScorer scorer_;
};

}  // namespace paraprint
