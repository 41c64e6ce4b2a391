// Second stage of a run: profiles -> site boilerplate -> candidate pairs -> verified, scored pairs.
#pragma once

#include <string>
#include <string_view>

#include "base/counters.h"
#include "base/progress.h"
#include "engine/page_table.h"
#include "index/site_boilerplate.h"
#include "memory/spill_array.h"
#include "memory/spill_options.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"

namespace paraprint {

struct CandidateOptions;
struct CandidatePair;

// Every pair worth keeping, with its scores: verdicts follow from them and from thresholds that may change later.
struct ScoredPairs {
  explicit ScoredPairs(MemoryBudget* budget = nullptr) : matches(budget), representatives(budget) {}
  SpillArray<Match> matches;                  // between representatives, sorted by (page_a, page_b)
  SpillArray<std::uint32_t> representatives;  // for each page the first page of equal text, itself if it is the first
  Counters counters;
  double verify_seconds = 0;  // processor time of the scoring; not stored
};

// How candidates are searched in a run.
CandidateOptions candidate_options(const DedupOptions& options, const SpillOptions& spill);

// Whether a candidate can reach the share from which pages overlap: below, it is not compared.
bool is_worth_verifying(const CandidatePair& pair, std::uint32_t characters_a, std::uint32_t characters_b,
                        const MatchOptions& options);

Result<SiteBoilerplate> find_boilerplate(const PageLog& log, const CandidateSearchOptions& options,
                                         const SpillOptions& spill, Counters& counters);

Result<ScoredPairs> find_and_score_pairs(const PageLog& log, const PageTable& pages, const SiteBoilerplate& boilerplate,
                                         const DedupOptions& options, const SpillOptions& spill, unsigned threads,
                                         ProgressReporter& progress);

// The stored form, for resuming and for recluster: docs/formats/scored-pairs.md. `identity` is that of the page log
// plus the settings of the search. read gives kNotFound if there is none and kInvalidArgument for another identity.
Status write_scored_pairs(const std::string& path, std::string_view identity, const ScoredPairs& pairs);
Result<ScoredPairs> read_scored_pairs(const std::string& path, std::string_view identity, MemoryBudget* budget);

// Verdicts of the paragraph method's stored scores under other thresholds.
void apply_thresholds(const MatchOptions& options, SpillArray<Match>& matches);

}  // namespace paraprint
