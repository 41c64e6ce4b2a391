// Compares two pages of a run for display, from their texts read again: the input of the report and of word alignment.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/pair_scorer.h"
#include "engine/run.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "profile/synonym_choice.h"
#include "report/comparison.h"
#include "text/normalise.h"

namespace paraprint {

// Holds scratch memory: one instance per thread. The run must outlive it and stay unchanged.
class PairView {
 public:
  // Errors: those of load_shown_synonyms().
  static Result<std::unique_ptr<PairView>> create(const DedupRun& run);

  // `contents` holds the texts by page. Blocks that are boilerplate of their site are marked, and the verdict is the
  // one that the run decided. Errors: kNotFound if a text is missing; those of reading the log. The result is valid as
  // long as the view and `contents`.
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
