// The folder `.paraprint` inside the output folder, which holds the state needed to resume a killed run and to
// recluster a finished one. It is locked: one run at a time.
//
//   pages.log          every page and its profile (page_log.h)
//   scores             every scored pair (match_stage.h)
//   known              pages that an earlier crawl had (known_pages.h)
//   added              pages that runs added to an index (added_pages.h); a restart keeps it
//   options.toml       the options of a finished run, written by the program (paraprint/engine.h)
//   standard-input     a copy of standard input, which can be read only once
//   spill/             files of sorters and tables; emptied at the beginning
//   lock
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "engine/match_stage.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/page_log.h"
#include "text/word_weights.h"

namespace paraprint::inline engine {

// The name of `options.toml` of a run with this output folder.
std::string options_path_of(const std::string& out_folder);
// The name of the copy of standard input of a run with this output folder.
std::string standard_input_copy_of(const std::string& out_folder);

// For what a run reads beside its inputs. kInvalidArgument if it is a file in the output folder, which could be
// replaced or be output of an earlier run, or a folder in which the output would be.
Status check_outside_output(const std::string& path, const std::string& out_folder);

class WorkFolder {
 public:
  // Locks the folder and creates what is missing, but nothing if the inputs are unusable. With `must_exist`, for
  // commands that only use an earlier run, a missing run is kNotFound. kInvalidArgument if another run holds the lock,
  // or for inputs that cannot be read twice, overlap the output folder, or whose records would be written to one file
  // (check_record_names()), or if the output folder has files that no run has written (refuse_foreign_output()).
  // `options` must outlive the object.
  static Result<WorkFolder> open(const DedupOptions& options, bool must_exist);
  // The same for commands that resume nothing: standard input is copied again.
  static Result<WorkFolder> open_anew(const DedupOptions& options);
  // The same for a run over these inputs instead of `options.inputs`; they are not checked.
  static Result<WorkFolder> open_for(const DedupOptions& options, std::vector<InputFile> inputs);
  // For commands that only look at a finished run: nothing is created, locked or changed. Temporary files go to
  // `options.resources.tmp`, which must exist. kNotFound without a finished run, kInvalidArgument while one is writing
  // to the folder. Inputs that cannot be used are an error of inputs() only.
  static Result<WorkFolder> open_to_read(const DedupOptions& options);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();

  // The inputs of the run, sorted. Standard input is copied to a file first. If an earlier run has copied one, a
  // command that makes a run compares the two: kInvalidArgument if standard input has bytes, but others.
  Result<std::vector<InputFile>> inputs() const;

  // The weights learnt with `--idf corpus`; null if the bundled ones are used.
  Result<std::unique_ptr<WordWeights>> word_weights(const std::vector<InputFile>& inputs, const DedupOptions& options,
                                                    unsigned threads, ProgressReporter& progress) const;

  // Opens or creates the log of a run over these inputs with these profile settings. kInvalidArgument if the folder
  // holds a run with other inputs or settings.
  Result<std::unique_ptr<PageLog>> open_log(const std::vector<InputFile>& inputs, const std::string& identity) const;
  // Opens the log of a finished run over these inputs with these profile settings, and changes nothing. Errors: those
  // of PageLog::open_to_read(), kInvalidArgument as above.
  Result<std::unique_ptr<PageLog>> open_finished_log(const std::vector<InputFile>& inputs,
                                                     const std::string& identity) const;
  // What identifies the log of a run over these inputs with these profile settings. Errors: those of examining inputs.
  Result<std::string> log_identity(const std::vector<InputFile>& inputs, const std::string& identity) const;
  std::string log_path() const { return folder_ + "/pages.log"; }
  // Drops what an earlier run stored from the first input on that it could not read to its end, with everything that
  // follows from it, so that this run reads it again. Errors: those of removing and cutting files.
  Status forget_failed_reads(PageLog& log) const;

  // Before the output that they describe is replaced.
  Status remove_stored_options() const;

  SpillOptions spill_options(MemoryBudget& budget) const;
  const std::string& spill_folder() const { return spill_folder_; }
  std::string scores_path() const { return folder_ + "/scores"; }
  std::string known_pages_path() const { return folder_ + "/known"; }
  std::string added_pages_path() const { return folder_ + "/added"; }
  // Everything that stored scores depend on: the whole log, and the settings of the search.
  std::string scores_identity(const DedupOptions& options, const PageLog& log) const;

 private:
  explicit WorkFolder(const DedupOptions& options);
  // Creates and locks the folder, and empties the one for spilled data; the state of an earlier run only if asked to.
  Status create(bool removes_earlier);
  Status lock();

  const DedupOptions& options_;
  std::vector<InputFile> inputs_;    // empty for standard input
  Status inputs_status_;             // of listing them
  bool may_get_new_input_ = false;   // on standard input
  bool copies_input_again_ = false;  // from standard input
  std::string folder_;
  std::string spill_folder_;
  int lock_descriptor_ = -1;
};

}  // namespace paraprint::inline engine
