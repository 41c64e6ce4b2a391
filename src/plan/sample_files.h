// The files of a sample: records as they were stored, by form, so that a run reads them as it reads the inputs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/record.h"
#include "base/atomic_file.h"
#include "paraprint/result.h"
#include "plan/stored_records.h"

namespace paraprint::inline plan {

// Files appear with their first record.
class SampleFiles {
 public:
  explicit SampleFiles(std::string folder) : folder_(std::move(folder)) {}

  // Errors: those of writing.
  Status add(RecordForm form, std::string_view stored);
  // Completes the files and returns their paths.
  Result<std::vector<std::string>> finish();

 private:
  std::string folder_;
  std::array<std::optional<AtomicFile>, kRecordForms> files_;
};

// A record of a page in another form, such as a file of HTML or an entry of a HAR file, as one of a WARC file.
std::string warc_record_of(const RawRecord& record);

}  // namespace paraprint::inline plan
