// Second stage of a run: profiles -> site boilerplate -> candidate pairs -> verified, scored pairs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/counters.h"
#include "base/progress.h"
#include "cluster/pair_rulings.h"
#include "engine/known_pages.h"
#include "engine/run.h"
#include "engine/word_alignment.h"
#include "index/site_boilerplate.h"
#include "memory/spill_array.h"
#include "memory/spill_options.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/fingerprint_set.h"
#include "profile/page_log.h"
#include "profile/page_table.h"

namespace paraprint::inline index {

struct CandidateOptions;
struct CandidatePair;

}  // namespace paraprint::inline index

namespace paraprint::inline engine {

class WorkFolder;

// What pages are compared by, in addition to their profiles.
struct ComparisonBasis {
  SiteBoilerplate boilerplate;  // empty without paragraphs
  Counters boilerplate_counters;
  std::optional<FingerprintSet> fingerprints;  // of a page-level algorithm; none under the paragraph method
};

// Every pair worth keeping, with its scores. Verdicts follow from scores and thresholds, and the latter may change
// later.
struct ScoredPairs {
  explicit ScoredPairs(MemoryBudget* budget = nullptr) : matches(budget), representatives(budget) {}
  SpillArray<Match> matches;                  // between representatives, sorted by (page_a, page_b)
  SpillArray<std::uint32_t> representatives;  // for each page, the first page of equal text (possibly itself)
  Counters counters;
  double verify_seconds = 0;  // processor time of the scoring; not stored
};

// What was matched: the pairs with the verdicts that clusters are made of, and what these follow from.
struct MatchOutcome {
  ComparisonBasis basis;
  ScoredPairs scored;
  AlignedPairs aligned;  // empty unless words are aligned (MatchOptions::align_words)
  PairRulings rulings;   // between representatives; empty without SurvivorOptions::never and always
  Counters ruling_counters;
  std::vector<std::string> ignored_pairs;  // DedupOutcome::ignored_pairs
};

// The stage as a whole, but for the alignment of words (profile/semantics.h), which comes after it. Takes scores over
// from the work folder if they fit, and stores them there otherwise; reclustering requires them. Known pages are out of
// the comparison: no match of the result has one. Errors: those of the log, of the work folder and of the budget's
// disk.
Result<MatchOutcome> match_pages(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                 const KnownPages& known, const WorkFolder& work, ProgressReporter& progress);

// Gives pairs that people judged (SurvivorOptions::never, always) the verdicts that they asked for, after all others.
// Those that were not compared are scored and added. A ruling is about texts: it holds for all pages of equal text, and
// between these there is none. Pairs of pages that are not in the run, or not compared in it, are counted. Errors:
// those of read_pair_file(); kInvalidArgument for a pair in both files; those of the log and of the budget's disk.
Status apply_rulings(const RunSetup& run, const PageLog& log, const PageTable& pages, const KnownPages& known,
                     MatchOutcome& matched);

// The options of the candidate search in a run.
CandidateOptions candidate_options(const DedupOptions& options, const SpillOptions& spill);

// Whether the keys shared by a candidate pair make up enough of the shorter page to reach the overlap share. Other
// pairs are not compared.
bool is_worth_verifying(const CandidatePair& pair, std::uint32_t characters_a, std::uint32_t characters_b,
                        const MatchOptions& options);

Result<SiteBoilerplate> find_boilerplate(const PageLog& log, const PageTable& pages,
                                         const CandidateSearchOptions& options, const SpillOptions& spill,
                                         Counters& counters);

Result<ScoredPairs> find_and_score_pairs(const PageLog& log, const PageTable& pages, const SiteBoilerplate& boilerplate,
                                         const DedupOptions& options, const SpillOptions& spill, unsigned threads,
                                         ProgressReporter& progress);

// The stored form (docs/formats/scored-pairs.md), used when resuming and by recluster. `identity` is that of the page
// log plus the search settings. Reading fails with kNotFound if there is no file, kInvalidArgument for another
// identity, kUnsupported for another version, and kCorruptData.
Status write_scored_pairs(const std::string& path, std::string_view identity, const ScoredPairs& pairs);
Result<ScoredPairs> read_scored_pairs(const std::string& path, std::string_view identity, MemoryBudget* budget);

// Decides the verdicts of the paragraph method's stored scores again, under the thresholds in `options`.
void apply_thresholds(const MatchOptions& options, SpillArray<Match>& matches);

}  // namespace paraprint::inline engine
