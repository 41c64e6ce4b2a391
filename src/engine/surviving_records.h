// Writes the surviving records, one output per input, below records/ in the output folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "archive/record_writer.h"
#include "base/counters.h"
#include "base/progress.h"
#include "engine/cluster_stage.h"
#include "engine/page_annotations.h"
#include "engine/page_trims.h"
#include "engine/read_stage.h"
#include "engine/run.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "payloads/capture_collector.h"
#include "payloads/choose_originals.h"
#include "profile/page_table.h"

namespace paraprint::inline engine {

// The removed pages in input order, grouped by file.
struct RemovedPages {
  explicit RemovedPages(MemoryBudget* budget) : pages(budget) {}
  SpillArray<RemovedPage> pages;
  std::vector<std::size_t> begin;  // in `pages`, by file, and one past the last file

  std::span<const RemovedPage> of_file(std::size_t file) const {
    return std::span<const RemovedPage>(pages).subspan(begin[file], begin[file + 1] - begin[file]);
  }
};

// What revisit records need to know of the pages that they refer to (RevisitTarget::encode()), by page number. Memory,
// on the budget: about 150 bytes per page.
class RevisitTargets {
 public:
  explicit RevisitTargets(MemoryBudget* budget = nullptr) : rows_(budget), bytes_(budget) {}

  // Requires ascending page numbers. Errors: those of the budget's disk.
  Status add(std::uint32_t page, std::string_view target);
  // Empty if no revisit record may refer to the page. Valid until the next page is added.
  std::string_view find(std::uint32_t page) const;

 private:
  struct TargetRow {
    std::uint64_t begin = 0;
    std::uint32_t page = 0;
    std::uint32_t size = 0;
  };
  SpillArray<TargetRow> rows_;
  SpillArray<char> bytes_;
};

// Of the address and second of a page, which players cannot tell from those of another page that has both.
std::uint64_t hash_of_address(std::string_view url, std::string_view date);

// kLimitExceeded if more than `share_maximum` of the compared pages would be removed
// (OutputOptions::max_removed_share).
Status check_removed_share(std::uint64_t removed, std::uint64_t compared, double share_maximum);

// The pages whose payloads may stand for those of removed pages, ascending: kept pages of the run with copies. Pages
// with the address and second of another kept page are left out, because players could not tell the two apart.
Result<SpillArray<std::uint32_t>> pages_to_refer_to(const PageTable& pages, const Decisions& decisions);

// The front part of `wanted` (ascending, not empty) that is in one file, and the ordinals of pages in their file.
std::span<const std::uint32_t> first_of_one_file(const PageTable& pages, std::span<const std::uint32_t> wanted);
std::vector<std::uint64_t> ordinals_of(const PageTable& pages, std::span<const std::uint32_t> wanted);

// `input_count`: of the run, since the last inputs may have no pages. The views in the result point into `pages`,
// `decisions` and `targets`. Errors: kLimitExceeded if there are more than `share_maximum` of the pages
// (OutputOptions::max_removed_share); those of the budget's disk.
Result<RemovedPages> list_removed_pages(std::size_t input_count, const PageTable& pages, const Decisions& decisions,
                                        const RevisitTargets& targets, double share_maximum);

// The path of each input below records/: its path relative to the deepest folder that contains all inputs. Paths are
// taken as they are spelled, so that links to folders keep their names, but where ".." behind such a link leads
// elsewhere than its spelling says, the folder that it leads to counts.
std::vector<std::string> surviving_record_names(const std::vector<InputFile>& inputs);

// kInvalidArgument, naming both inputs, if two of them could not be written next to each other: to one file, or to the
// unfinished file (partial_path()) of the other one, or below it. Cost: a look-up for each input, and for each page of
// a folder that has other inputs below it.
Status check_record_names(const std::vector<InputFile>& inputs);

// `removed` with the records that become revisit records because of their payload, which are listed in `list_path`. A
// removed page that is among them becomes one as well. The result has views into `collector`.
Result<RemovedPages> add_payload_revisits(const std::vector<InputFile>& inputs, const RemovedPages& removed,
                                          const CaptureCollector& collector, ReplacementSorter replacements,
                                          const std::string& list_path);

// For the collector and the choice of originals: a quarter of the memory together.
inline ExternalSortOptions payload_sorting(const MemoryBudget& budget) {
  return {budget.target_bytes() / 8, budget.spill_folder()};
}

// Reads the inputs once more into `collector`, and adds what repeats a payload that a run keeps. Counts as
// choose_originals() does.
Result<RemovedPages> replace_equal_payloads(const RunSetup& run, const RemovedPages& removed,
                                            CaptureCollector& collector, Counters& counters,
                                            ProgressReporter& progress);

void add_write_counts(const WriteCounts& written, Counters& counters);

// Sizes of the files that records were read from and written to, as they are stored.
struct RecordFiles {
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

// The report of a run, as savings.html links to it.
inline constexpr std::string_view kReportHref = "report/index.html";

// Writes what was saved (report/savings_report.h) into `folder`. `report_href`: kReportHref; empty without a report.
// Errors: as AtomicFile.
Status write_savings_of(const std::string& folder, const RecordSavings& savings, const RecordFiles& files,
                        std::string_view report_href);

// What is written into records, or taken out of them.
struct RecordAdditions {
  std::optional<PageAnnotations> annotations;  // nothing is removed, then
  std::optional<PageTrims> trims;
  explicit operator bool() const { return annotations || trims; }
};

// For the writer of the records of one input. For one thread; `additions` may be shared by several.
std::unique_ptr<RecordNotes> notes_of_input(const RunSetup& run, const PageTable& pages, RecordAdditions& additions,
                                            std::uint32_t file_index);

// Where records are written, and how. References must stay valid.
struct RecordOutput {
  const std::vector<InputFile>& inputs;
  const ReadOptions& reading;
  std::string folder;
  WriteOptions options;                               // but for input_ends_early
  const std::set<std::uint32_t>& inputs_ended_early;  // when they were read before
  unsigned threads = 1;
  MemoryBudget& budget;
  // An index of the written records, in the folder that has `folder`.
  CdxForm cdx = CdxForm::kNone;
  std::string_view report_href = {};  // as in write_savings_of()
  // The notes for an input; empty: none.
  std::function<std::unique_ptr<RecordNotes>(std::uint32_t file_index)> notes_of_input = {};
};

// Writes the records of all inputs but the removed ones, one input per thread at a time, their index, and what was
// saved into the folder that has `folder`. Returns its counters.
Result<Counters> write_records(const RecordOutput& output, const RemovedPages& removed, ProgressReporter& progress);

// The same for a run that has decided which pages survive; with annotations, all of them do.
Result<Counters> write_surviving_records(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions,
                                         RecordAdditions& additions, ProgressReporter& progress);

}  // namespace paraprint::inline engine
