// Runs over pages in memory: the pipeline of deduplicate() with another input, and for deduplicate_pages() with another
// output. That call's log of profiles and spilled data go to a temporary folder, so that comparing takes little memory
// in addition to the pages.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "api/collection_run.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/cluster_stage.h"
#include "engine/output_stage.h"
#include "engine/pipeline.h"
#include "memory/scratch_folder.h"
#include "paraprint/memory_pages.h"
#include "profile/page_table.h"
#include "report/verdict_text.h"

namespace paraprint {
namespace {

// Translates page numbers, which count accepted pages only, into positions, of which there are `positions`.
void take_decisions(std::size_t positions, const PageTable& pages, const Decisions& decisions, const OutputRows& rows,
                    DeduplicatePagesOutcome& outcome) {
  outcome.pages.resize(positions);
  for (std::size_t at = 0; at < positions; ++at) outcome.pages[at].kept_page = at;
  const auto position = [&](std::uint32_t page) { return pages.row(page).location.ordinal; };
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    const PageCluster& decided = decisions.clustering.pages[page];
    outcome.pages[position(page)] = {rows.cluster_numbers[page], position(decided.kept_page), decided.verdict,
                                     decided.resemblance,        decided.containment,         decided.containment_kept};
  }
  outcome.matches.reserve(rows.matches.size());
  for (std::size_t i = 0; i < rows.matches.size(); ++i) {
    // By id, page_a comes first; by position, page_b may.
    Match match = rows.matches[i];
    match.page_a = static_cast<std::uint32_t>(position(match.page_a));
    match.page_b = static_cast<std::uint32_t>(position(match.page_b));
    outcome.matches.push_back(match.page_a < match.page_b ? match : reversed(match));
  }
  std::sort(outcome.matches.begin(), outcome.matches.end(),
            [](const Match& x, const Match& y) { return std::tie(x.page_a, x.page_b) < std::tie(y.page_a, y.page_b); });
}

}  // namespace

Result<DeduplicatePagesOutcome> deduplicate_pages(std::span<const Page> pages, const DedupOptions& options,
                                                  const RunControl& control) {
  return deduplicate_pages(PageSpan(pages), options, control);
}

Result<DeduplicatePagesOutcome> deduplicate_pages(const PageCollection& pages, const DedupOptions& options,
                                                  const RunControl& control, MatchList matches) {
  constexpr std::size_t kPagesMaximum = std::numeric_limits<std::uint32_t>::max();
  if (pages.size() > kPagesMaximum) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("{} pages; at most {} are supported", pages.size(), kPagesMaximum));
  }
  DedupOptions chosen = options;
  chosen.inputs = {"memory"};  // not read, but validate() wants one
  chosen.output = {};
  chosen.output.out = "memory";
  chosen.output.evidence = false;
  chosen.output.report = false;
  PARAPRINT_TRY(chosen.validate());
  if (!options.survivors.languages.empty()) {
    return failure(ErrorCode::kUnsupported,
                   "languages is set, but this call answers for every page; pass only pages in these languages");
  }
  PARAPRINT_ASSIGN(const ScratchFolder folder, ScratchFolder::create(options.resources.tmp, "paraprint-"));
  chosen.output.out = folder.path();
  chosen.resources.tmp.clear();

  DeduplicatePagesOutcome outcome;
  // The folder is new: there is nothing to resume, and the pages need no digest.
  const MemoryRun memory{pages,
                         {},
                         [&](const PageTable& read, const Decisions& decisions, const OutputRows& rows) {
                           take_decisions(pages.size(), read, decisions, rows, outcome);
                         },
                         matches == MatchList::kAll};
  const StopScope scope(control.stop);
  ProgressReporter progress(control);
  PARAPRINT_ASSIGN(outcome.counts, run_pipeline(chosen, RunMode::kOnce, progress, nullptr, &memory));
  return outcome;
}

Result<DedupOutcome> deduplicate(const PageSequence& pages, const DedupOptions& options, const RunControl& control) {
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const CollectionRun run, CollectionRun::create(pages, options));
  ProgressReporter progress(control);
  return run_pipeline(run.options, RunMode::kResume, progress, nullptr, &run.memory);
}

}  // namespace paraprint
