// Compares two pages of a run for display, from their texts read again: the input of the report and of word alignment.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "engine/match_stage.h"
#include "engine/pair_scorer.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/page_table.h"
#include "profile/synonym_choice.h"
#include "report/comparison.h"
#include "text/normalise.h"

namespace paraprint::inline engine {

// Holds scratch memory: one instance per thread. What it is created from must outlive it and stay unchanged.
class PairView {
 public:
  // Errors: those of load_shown_synonyms().
  static Result<std::unique_ptr<PairView>> create(const DedupOptions& options, const PageLog& log,
                                                  const PageTable& pages, const ComparisonBasis& basis);

  // `contents` holds the texts by page. Blocks that are boilerplate of their site are marked. Scores and verdict are
  // those of the run's algorithm before words are aligned (AlignedPairs). Errors: kNotFound if a text is missing; those
  // of reading the log. The result is valid as long as the view and `contents`.
  Result<Comparison> compare(std::uint32_t page_a, std::uint32_t page_b,
                             const std::map<std::uint32_t, MainContent>& contents);

 private:
  PairView(const DedupOptions& options, const PageLog& log, const PageTable& pages, const ComparisonBasis& basis,
           std::shared_ptr<const Synonyms> synonyms);

  const MatchOptions& options_;
  const PageTable& pages_;
  const std::optional<FingerprintSet>& fingerprints_;
  std::shared_ptr<const Synonyms> synonyms_;
  Normaliser normaliser_;
  PairScorer scorer_;
};

}  // namespace paraprint::inline engine
