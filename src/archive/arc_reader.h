// ARC 1 (Internet Archive, 1996). A record is a line "URL IP date type length", the content and a line end.
#pragma once

#include <memory>

#include "archive/block_reader.h"

namespace paraprint {

std::unique_ptr<RecordReader> make_arc_reader(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                              const ReadOptions& options, DefectSink sink);

// True if `bytes` starts with a complete ARC header line, either of the version block or of a document.
bool is_arc_start(std::string_view bytes);

}  // namespace paraprint
