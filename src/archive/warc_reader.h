// Reads WARC 0.17 to 1.1 (ISO 28500), and WET, which is WARC with conversion records.
#pragma once

#include <memory>

#include "archive/block_reader.h"

namespace paraprint {

std::unique_ptr<RecordReader> make_warc_reader(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                               const ReadOptions& options, DefectSink sink);

// True if `bytes` starts with a version line such as "WARC/1.0", including its line end.
bool is_warc_start(std::string_view bytes);

}  // namespace paraprint
