// A sample of inputs whose records can be read alone: those that start in windows drawn at random.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "plan/record_sample.h"
#include "plan/stored_records.h"

namespace paraprint::inline plan {

// How records are stored, and the bytes from one page to the next, of files with one ending.
struct StoredForm {
  RecordForm form = RecordForm::kWarc;
  double window_bytes = 0;  // a good width of windows
};

// By the ending of the files' names; nullopt unless every file seems to have records that can be read alone. Reads the
// first records of a few files with each ending.
std::optional<std::map<std::string, StoredForm>> stored_forms(const std::vector<InputFile>& inputs,
                                                              const ReadOptions& reading);

// As sample_records(); `forms` are those of the inputs. Until there are enough pages, or the time ends.
Result<RecordSample> sample_places(const std::vector<InputFile>& inputs, std::map<std::string, StoredForm> forms,
                                   const ReadOptions& reading, const RecordSampleOptions& options,
                                   const std::string& folder, ProgressReporter& progress);

}  // namespace paraprint::inline plan
