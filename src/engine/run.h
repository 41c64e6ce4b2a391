// Everything a finished comparison knows, handed from stage to stage of one run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "base/counters.h"
#include "base/progress.h"
#include "cluster/clustering.h"
#include "cluster/survivor.h"
#include "engine/fingerprint_set.h"
#include "engine/known_pages.h"
#include "engine/match_stage.h"
#include "engine/page_table.h"
#include "engine/word_alignment.h"
#include "index/site_boilerplate.h"
#include "paraprint/options.h"
#include "profile/page_log.h"
#include "report/summary.h"

namespace paraprint {

// Broken records by kind, with the first examples of each in the order of the input.
struct DefectTally {
  std::vector<BrokenKind> kinds;  // sorted by name
  std::uint64_t total = 0;
  std::uint64_t unreadable_inputs = 0;
  void add(const Defect& defect);
};

// How much of a run is taken over from what is stored in the output folder.
enum class RunMode {
  kResume,     // everything that is there and fits; the rest is done
  kRecluster,  // pages and scores must be there
};

struct DedupRun {
  DedupRun(const DedupOptions& run_options, RunMode run_mode, const std::vector<InputFile>& run_inputs,
           const PageLog& page_log, MemoryBudget& memory_budget)
      : options(run_options),
        mode(run_mode),
        inputs(run_inputs),
        log(page_log),
        budget(memory_budget),
        pages(&memory_budget),
        scored(&memory_budget),
        alignments(&memory_budget),
        clustering(&memory_budget),
        matches(&memory_budget),
        cluster_numbers(&memory_budget),
        known(&memory_budget) {}

  const DedupOptions& options;
  RunMode mode = RunMode::kResume;
  const std::vector<InputFile>& inputs;
  const PageLog& log;
  MemoryBudget& budget;  // of everything below that there is one of for every page or pair
  PageTable pages;
  SiteBoilerplate boilerplate;
  ScoredPairs scored;
  WordAlignments alignments;  // of the pairs of `scored` near the decision; empty unless asked for
  SurvivorPolicy policy;
  Clustering clustering;
  SpillArray<Match> matches;  // every pair to report, pages of equal text included; page_a's id sorts before page_b's
  SpillArray<std::uint32_t> cluster_numbers;  // by page
  std::string identity;                       // of profiles
  Counters reading;                           // counters by stage
  Counters boilerplate_counters;
  Counters aligning;
  DefectTally defects;
  unsigned threads = 1;
  std::set<std::uint32_t> inputs_ended_early;  // by an error of reading, which will meet the writer too
  std::optional<FingerprintSet> fingerprints;  // of a page-level algorithm; none under the paragraph method
  KnownPages known;                            // that an earlier crawl had; empty without an index
};

// Whether the page survives: nothing in the run and nothing known stands in its place.
inline bool is_kept(const DedupRun& run, std::uint32_t page) {
  return run.clustering.pages[page].kept_page == page && !run.known.contains(page);
}

// Pages as the survivor policy looks at them.
inline PageFacts page_facts(const PageTable& pages, std::uint32_t page) {
  return {pages.url(page), pages.date(page), pages.row(page).content_characters, page};
}

// What made the page kept in place of `page` the better one: docs/output.md, removed.jsonl.
inline std::string_view reason_of_removal(const DedupRun& run, std::uint32_t page) {
  return run.policy.reason(page_facts(run.pages, run.clustering.pages[page].kept_page), page_facts(run.pages, page));
}

// What the page-level algorithm of the run says of a pair. Requires `run.fingerprints`.
inline Match match_by_fingerprint(const DedupRun& run, std::uint32_t page_a, std::uint32_t page_b) {
  return run.fingerprints->match(page_a, page_b, run.pages.row(page_a).content_characters,
                                 run.pages.row(page_b).content_characters, run.options.match);
}

}  // namespace paraprint
