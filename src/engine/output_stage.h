// Last stage of a run: writes the files described in docs/output.md. Each file appears complete or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "base/counters.h"
#include "base/progress.h"
#include "engine/cluster_stage.h"
#include "engine/match_stage.h"
#include "engine/read_stage.h"
#include "engine/run.h"
#include "memory/external_sort.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "payloads/revisit_links.h"
#include "payloads/revisit_names.h"
#include "profile/page_table.h"
#include "provenance/canonical_addresses.h"
#include "report/summary.h"

namespace paraprint::inline engine {

// Larger groups of pages with equal text are reported as a star around their first page instead of as all pairs.
inline constexpr std::size_t kSameTextPagesInFull = 100;
// The same for the pairs of a page of one text and one of another.
inline constexpr std::size_t kGroupPairsInFull = 10'000;

// The pages of a group of equal text that are paired with all later ones: all of them, or the first one.
inline std::size_t same_text_centres(std::size_t group_size) {
  return group_size <= kSameTextPagesInFull ? group_size : 1;
}
// Whether a page of one text and one of another are a row, if the texts match. A star still names every page of both
// groups at least once. `is_first_*`: the page is the first one of its group.
inline bool has_pair_row(std::size_t group_size_a, std::size_t group_size_b, bool is_first_a, bool is_first_b) {
  return group_size_a * group_size_b <= kGroupPairsInFull || is_first_a || is_first_b;
}
// Whether a row of matches.tsv has a row in matches.jsonl. Equal pages have equal evidence: pairs of different texts
// are shown for the first pages alone, and each page of equal text once, with its first page.
inline bool has_evidence_row(Verdict verdict, bool is_first_a, bool is_first_b) {
  return verdict == Verdict::kSame ? is_first_a || is_first_b : is_first_a && is_first_b;
}

// What is written: the rows of the tables, as numbers of pages and clusters.
struct OutputRows {
  explicit OutputRows(MemoryBudget* budget) : matches(budget), cluster_numbers(budget) {}
  SpillArray<Match> matches;  // every pair to report, pages of equal text included; page_a's id sorts before page_b's
  SpillArray<std::uint32_t> cluster_numbers;  // by page
};

// Appends the matches that follow from the scored pairs and the clustering (OutputRows::matches). Errors: those of the
// spill.
Status list_matches(const PageTable& pages, const ScoredPairs& scored, const Clustering& clustering,
                    const ExternalSortOptions& sort_options, SpillArray<Match>& matches);

// The number of each page's cluster, as in clusters.tsv. Errors: those of the spill.
Status number_clusters(const Clustering& clustering, const PageTable& pages, SpillArray<std::uint32_t>& numbers);

// The file that is written last: output without it is not whole.
inline constexpr std::string_view kSummaryName = "summary.json";
// The same of divided runs, and their mark, which they make before anything else. Version 0.1.0 made none.
inline constexpr std::string_view kDividedMetricsName = "metrics.json";
inline constexpr std::string_view kDividedMark = ".paraprint-divided";
// What a run of `dedup` makes before any output, and the file that each run of `payloads` writes.
inline constexpr std::string_view kPageLogPlace = ".paraprint/pages.log";
inline constexpr std::string_view kRevisitsName = "revisits.jsonl";

// Whether the folder has the output of a divided run, or of one that was killed. Errors: those of examining the files.
Result<bool> has_divided_output(const std::string& folder);

// kInvalidArgument if the folder has the output of a divided run, or a file named by `signs` (places in the folder),
// which a run of another kind has written. For runs other than those of `dedup`, which replaces what both write. Other
// errors: those of examining the files.
Status refuse_output_of_others(const std::string& folder, std::span<const std::string_view> signs);

// kInvalidArgument, naming what is there, if `folder` has a crawl, or files or folders with names of a run's output and
// no sign of a run that made them. To be called before a run makes its work folder, which is such a sign. Other errors:
// those of examining the files. `more_names`: those of output that only this kind of run makes.
Status refuse_foreign_output(const std::string& folder, std::span<const std::string_view> more_names = {});

// Removes output of an earlier run or other thresholds from `folder` that this run does not necessarily overwrite: a
// page removed now must not remain among the records. summary.json and, of a divided run, metrics.json go first,
// durably, so that a folder without them is one of an unfinished run, whatever else is there. Errors: those of removing
// files.
Status remove_earlier_output(const std::string& folder);

// What the pages state as their canonical addresses, by page. Requires a log with origins (OutputOptions::provenance).
// Errors: those of reading the log; kCorruptData names the page.
Result<CanonicalAddresses> read_canonical_addresses(const PageLog& log, const PageTable& pages);

// Writes clusters.tsv, matches.tsv and removed.jsonl into `folder`. `canonical`: null if that is not known.
Status write_tables(const std::string& folder, const std::vector<InputFile>& inputs, const PageTable& pages,
                    const Decisions& decisions, const OutputRows& rows, const CanonicalAddresses* canonical);

// Writes matches.jsonl: the passages that the pages of a match have in common. `canonical`: null if that is not known.
Status write_evidence(const RunSetup& run, const PageLog& log, const PageTable& pages, const MatchOutcome& matched,
                      const OutputRows& rows, const CanonicalAddresses* canonical, ProgressReporter& progress);

// Writes provenance.jsonl: where the text of each page of a cluster comes from, in the order of clusters, then of ids.
// Requires a log with origins (OutputOptions::provenance). Memory: a few kilobytes per page of the clusters in flight,
// and 16 bytes per page of the run, on the budget.
Status write_provenance(const RunSetup& run, const PageLog& log, const PageTable& pages, const MatchOutcome& matched,
                        const Decisions& decisions, const OutputRows& rows, ProgressReporter& progress);

// The revisit records of the input: which pages they are copies of. They have no body of their own, so they are no
// pages of the run; the pages that they refer to are kept, because players show those bodies for them
// (input_revisits.cc).
struct InputRevisits {
  explicit InputRevisits(MemoryBudget* budget) : links(budget) {}
  RevisitLinks links;
  std::vector<bool> referred_to;  // by page; empty if there is no revisit record
};

// Reads the inputs once more if they have revisit records and the run writes records; otherwise the result is empty.
// Errors: those of find_revisit_links().
Result<InputRevisits> find_input_revisits(const RunSetup& run, const ReadOutcome& read, ProgressReporter& progress);

// What the run found out about a page that revisit records refer to.
struct ReferredPage {
  std::string_view id;
  std::uint32_t cluster = 0;
  bool is_kept = true;
  bool is_compared = true;
  // How the page relates to the one that is kept for it, if it was compared.
  Verdict verdict = Verdict::kSame;
  std::string_view kept_id;
  std::string_view kept_url;
};
// The page at a place of the input, if one is there. The views are used before the next call.
using FindReferredPage = std::function<std::optional<ReferredPage>(const RecordPlace& place)>;
// For a run in one process, whose pages are in the order of the input. The references must stay valid.
FindReferredPage find_referred_page(const PageTable& pages, const Decisions& decisions, const OutputRows& rows);

// How the revisit records were resolved, and how many pages stay only because of them; empty if there are none.
Counters count_input_revisits(const RevisitLinks& links, const FindReferredPage& find);

// Writes a line per revisit record, in the order of the input (docs/output.md); no file if there are none.
Status write_input_revisits(const std::string& path, const std::vector<InputFile>& inputs, const RevisitLinks& links,
                            const FindReferredPage& find);

// The content of summary.json: settings, counters, broken records. Timing is left empty. `revisits`: the counters of
// count_input_revisits(); `writing`: those of write_surviving_records().
Summary summarise(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched, const Decisions& decisions,
                  const OutputRows& rows, const Counters& revisits, const Counters& writing);

// Writes report/index.html and the pages it links to.
Status write_report(const RunSetup& run, const ReadOutcome& read, const MatchOutcome& matched,
                    const Decisions& decisions, const OutputRows& rows, const Summary& summary,
                    ProgressReporter& progress);

}  // namespace paraprint::inline engine
