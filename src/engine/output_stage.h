// Last stage of a run: writes the files described in docs/output.md. Each file appears complete or not at all.
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "engine/run.h"
#include "memory/external_sort.h"
#include "paraprint/result.h"

namespace paraprint {

// Larger groups of pages with equal text are reported as a star around their first page instead of as all pairs.
inline constexpr std::size_t kSameTextPagesInFull = 100;

// Fills run.matches and run.cluster_numbers from the scored pairs and the clustering. Errors: those of the spill.
Status prepare_output(DedupRun& run, const ExternalSortOptions& sort_options);

// Removes output of an earlier run or other thresholds that this run does not necessarily overwrite: a page removed now
// must not remain among the records.
Status remove_earlier_output(const DedupRun& run);

// Whether a pair of run.matches has a row in matches.jsonl. Of pages with equal text, only the first one has.
bool has_evidence(const DedupRun& run, const Match& match);

// Writes clusters.tsv, matches.tsv, removed.jsonl and, if asked for, matches.jsonl.
Status write_tables(const DedupRun& run, ProgressReporter& progress);

// The content of summary.json: settings, counters, broken records. Timing is left empty.
Summary summarise(const DedupRun& run, const Counters& writing);

// Writes report/index.html and the pages it links to.
Status write_report(const DedupRun& run, const Summary& summary, ProgressReporter& progress);

}  // namespace paraprint
