// A finished run, read in place: its pages, scored pairs and decisions, as `recluster` would take them over. Nothing in
// the folder is created, locked or changed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "engine/cluster_stage.h"
#include "engine/match_stage.h"
#include "engine/read_stage.h"
#include "engine/run.h"
#include "engine/work_folder.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint::inline explorer {

// What summary.json says of the run, known before anything else is loaded.
struct RunTotals {
  std::string command;  // "dedup" or "recluster": what wrote the output
  std::uint64_t pages = 0;
  std::uint64_t kept = 0;
  std::uint64_t removed = 0;
  std::uint64_t clusters = 0;
  std::uint64_t broken = 0;
  // Flags that give a recluster the options of the last one, except near, never and always: it starts from those that
  // dedup stored.
  std::vector<std::string> recluster_flags;
};

// Not movable, because its parts refer to each other. After load(), any number of threads may read.
class RunStore {
 public:
  // `stored`: the options that the run stored, with `output.out` set to its folder. Options that a later recluster
  // changed are taken from summary.json. Temporary files go to `stored.resources.tmp`, or to the folder of the system.
  // Errors: kNotFound for a folder without a finished run, naming what is missing; kInvalidArgument while a run is
  // writing to it; kCorruptData and kUnsupported for files that are damaged or of another version.
  static Result<std::unique_ptr<RunStore>> open(const DedupOptions& stored);

  // Reads pages and pairs and decides what is kept. Takes about as long as `recluster` without its output. Errors:
  // those of reading; kCancelled.
  Status load(ProgressReporter& progress);

  const DedupOptions& options() const { return options_; }
  const RunTotals& totals() const { return totals_; }
  // Why texts cannot be read again; empty if they can.
  const std::string& no_texts() const { return no_texts_; }
  // Why other thresholds cannot be shown; empty if they can.
  const std::string& no_thresholds() const { return no_thresholds_; }
  // What differs between the tables in the folder and what its scores give; empty if nothing does.
  const std::vector<std::string>& warnings() const { return warnings_; }

  const RunSetup& setup() const { return *setup_; }
  const ReadOutcome& read() const { return *read_; }
  const PageTable& pages() const { return read_->pages; }
  const MatchOutcome& matched() const { return *matched_; }
  const Decisions& decisions() const { return *decisions_; }
  // By page, as in clusters.tsv.
  const SpillArray<std::uint32_t>& cluster_numbers() const { return cluster_numbers_; }
  MemoryBudget& budget() { return budget_; }

 private:
  explicit RunStore(const DedupOptions& options);
  Status open_parts();
  void name_inputs();
  Status compare_with_tables();

  DedupOptions options_;
  MemoryBudget budget_;
  RunTotals totals_;
  std::string no_texts_;
  std::string no_thresholds_;
  std::vector<std::string> warnings_;
  std::optional<WorkFolder> work_;
  std::vector<std::string> input_names_;  // as the run had them
  std::vector<InputFile> inputs_;         // these, as they are now; only named if they are others
  std::unique_ptr<PageLog> log_;
  std::optional<RunSetup> setup_;
  std::optional<ReadOutcome> read_;
  std::optional<MatchOutcome> matched_;
  std::optional<Decisions> decisions_;
  SpillArray<std::uint32_t> cluster_numbers_;
};

// Replaces options of `options` by those in force according to the settings of summary.json, and fills `totals` and the
// paths of the input files. `text` is the content of the file `path`. kCorruptData if it is not such a file.
Status read_run_summary(const std::string& path, const std::string& text, DedupOptions& options, RunTotals& totals,
                        std::vector<std::string>& inputs);

}  // namespace paraprint::inline explorer
