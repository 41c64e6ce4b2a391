// Last stage of a run: what docs/output.md describes, file by file. Each file appears complete or not at all.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "engine/run.h"
#include "memory/external_sort.h"
#include "paraprint/result.h"

namespace paraprint {

// Groups of more pages of equal text are reported as a star around their first page, not as all pairs.
inline constexpr std::size_t kSameTextPagesInFull = 100;

// Fills run.matches and run.cluster_numbers from the scored pairs and the clustering. Errors: those of the spill.
Status prepare_output(DedupRun& run, const ExternalSortOptions& sort_options);

// What an earlier run or other thresholds left in the output folder and this run may not overwrite: a removed page must
// not stay among the records.
Status remove_earlier_output(const DedupRun& run);

// Whether a pair of run.matches has a row in matches.jsonl: pages of equal text have that of the first one.
bool has_evidence(const DedupRun& run, const Match& match);

// clusters.tsv, matches.tsv, matches.jsonl, removed.jsonl.
Status write_tables(const DedupRun& run, ProgressReporter& progress);

// The summary's content: settings, counters, broken records. Timing is left empty.
Summary summarise(const DedupRun& run, const Counters& writing);

// report/index.html and what it links to.
Status write_report(const DedupRun& run, const Summary& summary, ProgressReporter& progress);

}  // namespace paraprint
