// First stage of a run: input records -> pages -> profiles -> work log. Parallel, resumable, in input order.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "base/counters.h"
#include "base/progress.h"
#include "memory/memory_budget.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "profile/page_table.h"
#include "report/summary.h"
#include "text/word_weights.h"

namespace paraprint::inline engine {

// Broken records by kind, with the first examples of each in the order of the input.
struct DefectTally {
  std::vector<BrokenKind> kinds;  // sorted by name
  std::uint64_t total = 0;
  std::uint64_t unreadable_inputs = 0;
  void add(const Defect& defect);
  void add(const DefectTally& later);  // of inputs that follow
  // As the kind "repeated-id". Call at most once, after all add().
  void add_repeated_ids(std::uint64_t count, std::vector<BrokenRecord> examples);
  // A line for each of the first unreadable inputs.
  std::vector<std::string> unreadable_reasons() const;

 private:
  BrokenKind& kind_named(std::string_view name);
};

// What was read: the profiles, in the log, and the facts about their pages.
struct ReadOutcome {
  std::unique_ptr<PageLog> log;
  PageTable pages;
  Counters counters;
  DefectTally defects;
  std::set<std::uint32_t> inputs_ended_early;  // by an error of reading, which will meet the writer too
  std::set<std::uint32_t> inputs_with_revisits;
};

// How the run reads its records: with the score that the survivor policy asks for.
ReadOptions reading_of(const DedupOptions& options);

// Whether the policy asks for the ranks of what each page states, which are then its score.
bool ranks_statements(const DedupOptions& options);

// Reads what `log` does not contain yet. Broken records and unreadable inputs are counted and logged as defects and do
// not end the stage. Without languages, all pages are in an unknown one: of short texts, to identify it takes a quarter
// of the time. Errors: those of the log, invalid options, and kCancelled.
Status read_and_profile(const std::vector<InputFile>& inputs, const DedupOptions& options, unsigned threads,
                        const WordWeights& weights, bool with_languages, PageLog& log, ProgressReporter& progress);

// Tabulates what the log contains after read_and_profile(), or after an earlier run. Conversions of other pages in it
// are left out, pages in other languages than `languages` marked. Pages with a repeated id are counted with the
// defects. Errors: those of reading the log and of the budget's disk.
Result<ReadOutcome> load_pages(std::unique_ptr<PageLog> log, const std::vector<InputFile>& inputs,
                               LanguageSet languages, MemoryBudget& budget);

}  // namespace paraprint::inline engine
