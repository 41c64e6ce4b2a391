// JSON lines: one object a line, with a page in one of its fields.
#pragma once

#include <memory>

#include "archive/content_stream.h"
#include "archive/record_reader.h"

namespace paraprint {

// Lines that are no usable JSON are left out, each with a defect that names line and offset. Objects without a usable
// page field are records of kind kOther, so that writers keep them. Blank lines are nothing.
std::unique_ptr<RecordReader> make_jsonl_reader(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                                const ReadOptions& options, DefectSink sink);

}  // namespace paraprint
