// JSON lines: one object per line, with a page in one of its fields.
#pragma once

#include <memory>

#include "archive/content_stream.h"
#include "archive/record_reader.h"

namespace paraprint {

// Lines that are not valid JSON objects are skipped, each with a defect that gives line and offset. Objects without a
// usable page field become records of kind kOther, so that writers keep them. Blank lines are ignored.
std::unique_ptr<RecordReader> make_jsonl_reader(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                                const ReadOptions& options, DefectSink sink);

}  // namespace paraprint
