// Pages that the caller provides, from memory or from wherever it reads them, as an input of a run.
#pragma once

#include <memory>
#include <string>

#include "archive/record_reader.h"
#include "paraprint/page_collection.h"

namespace paraprint::inline archive {

// The input that open_records() reads `pages` from; they must outlive it. `digest` identifies the pages in the log of a
// run.
InputFile memory_input(const PageSequence& pages, std::string digest = {});

// Each page is a record, numbered by its position, and can be read alone. A page without an id gets its position as id.
// Dates are brought to the form of all records; an invalid one is a defect, and the page is used without it. Errors:
// those of the sequence; kLimitExceeded for more pages than a run can number.
std::unique_ptr<RecordReader> make_memory_reader(const InputFile& input, DefectSink sink);

}  // namespace paraprint::inline archive
