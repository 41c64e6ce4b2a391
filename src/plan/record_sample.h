// A sample of the records of a run's inputs, each as likely as any other, written to files that a run can read.
//
// Small inputs are read once, and each record is kept by a hash of its place. Of large ones, places are drawn and the
// records found there: drawing a place and taking the record around it would prefer long records, and the next one
// would prefer those after long ones, so a place is a window of a few KB, and what starts in it is taken, most often
// nothing. Neighbours, which are copies of each other more often than other pages, are hardly ever drawn together.
// Inputs whose records cannot be read alone are read as far as the time allows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline plan {

struct RecordSampleOptions {
  std::uint64_t pages = 0;  // 0: one in a hundred, but 2,000 to 20,000
  double seconds = 30;      // for reading
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = std::uint64_t{256} << 20;  // of records that are held while others are read
  std::uint64_t whole_bytes = std::uint64_t{96} << 20;    // inputs up to this size are read once instead of at places
};

struct RecordSample {
  std::vector<std::string> files;  // in `folder`, for a run over the sample
  std::uint64_t page_records = 0;  // of the sample: records that may have a page
  double page_records_total = 0;   // of the inputs: counted, or estimated
  double relative_error = 0;       // standard error of that estimate; 0 if they were counted
  std::uint64_t stored_bytes = 0;  // of the records of the sample, as they are stored
  std::uint64_t input_bytes = 0;   // of all inputs
  std::uint64_t read_bytes = 0;    // of them, looked at
  bool is_whole = false;           // the sample is everything
  bool has_all_been_read = false;  // every record was met, so that broken ones were counted
  std::uint64_t broken_records = 0;
  std::vector<std::string> broken_examples;  // the first few
  std::uint64_t unreadable_inputs = 0;
  std::vector<std::string> unreadable_reasons;
  std::vector<std::string> notes;  // what the reader must know of the sample, one sentence each
};

// `folder` must exist and be empty. Depends on inputs, options and seed only, unless the time ends it.
//
// Errors: kInvalidArgument for standard input, which cannot be read at places or twice; kInputOutput, kNoSpace of the
// folder; kCancelled. Inputs that cannot be read are counted.
Result<RecordSample> sample_records(const std::vector<InputFile>& inputs, const ReadOptions& reading,
                                    const RecordSampleOptions& options, const std::string& folder,
                                    ProgressReporter& progress);

// How many of `pages` a sample has if nothing is asked for.
std::uint64_t usual_sample(double pages);

}  // namespace paraprint::inline plan
