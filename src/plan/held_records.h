// What both ways of sampling share: the records that are kept, and how they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "archive/record_reader.h"
#include "paraprint/result.h"
#include "plan/record_sample.h"
#include "plan/stored_records.h"

namespace paraprint::inline plan {

// Counts the defect, and names it if it is one of the first.
void note_defect(const Defect& defect, RecordSample& sample);

// How the records of a file are stored if they can be read alone.
std::optional<RecordForm> form_of(ArchiveFormat format, Compression compression, const RawRecord& record);

// A record of the sample: its place, or its bytes if it cannot be read alone.
struct HeldRecord {
  std::uint64_t priority = 0;
  std::uint32_t input = 0;
  std::uint64_t ordinal = 0;
  bool has_page = false;
  RecordForm form = RecordForm::kWarc;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::string bytes;
};

// Writes them to `folder` in the order of the inputs, whatever the order in which they were met, and completes
// `sample`. Errors: those of reading inputs and writing.
Status write_sample(const std::vector<InputFile>& inputs, std::vector<HeldRecord>& held, const std::string& folder,
                    RecordSample& sample);

}  // namespace paraprint::inline plan
