// A sample of inputs that are read from their beginning: the records with the smallest hashes of their places.
#pragma once

#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "plan/record_sample.h"

namespace paraprint::inline plan {

// As sample_records(). Until the time ends, and then of what was read; files are read in an order of no meaning.
Result<RecordSample> sample_whole(const std::vector<InputFile>& inputs, const ReadOptions& reading,
                                  const RecordSampleOptions& options, const std::string& folder,
                                  ProgressReporter& progress);

}  // namespace paraprint::inline plan
