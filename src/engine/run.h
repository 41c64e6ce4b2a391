// Everything a finished comparison knows, handed from stage to stage of one run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "cluster/clustering.h"
#include "cluster/survivor.h"
#include "engine/counters.h"
#include "engine/fingerprint_set.h"
#include "engine/match_stage.h"
#include "engine/page_log.h"
#include "engine/page_table.h"
#include "engine/progress.h"
#include "index/site_boilerplate.h"
#include "paraprint/options.h"
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
  const DedupOptions& options;
  RunMode mode = RunMode::kResume;
  const std::vector<InputFile>& inputs;
  const PageLog& log;
  PageTable pages;
  SiteBoilerplate boilerplate;
  ScoredPairs scored;
  SurvivorPolicy policy;
  Clustering clustering;
  std::vector<Match> matches;  // every pair to report, pages of equal text included; page_a's id sorts before page_b's
  std::vector<std::uint32_t> cluster_numbers;  // by page
  std::string identity;                        // of profiles
  Counters reading;                            // counters by stage
  Counters boilerplate_counters;
  DefectTally defects;
  unsigned threads = 1;
  std::set<std::uint32_t> inputs_ended_early;  // by an error of reading, which will meet the writer too
  std::optional<FingerprintSet> fingerprints;  // of a page-level algorithm; none under the paragraph method
};

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
