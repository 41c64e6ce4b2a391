// Inputs whose files are pages themselves: one HTML or text file (also on standard input), or a folder of HTML files.
#pragma once

#include <memory>

#include "archive/content_stream.h"
#include "archive/record_reader.h"

namespace paraprint {

// The whole content is one page; its id is the path, its format HTML unless `is_text`.
std::unique_ptr<RecordReader> make_page_reader(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                               bool is_text, const ReadOptions& options, DefectSink sink);

// Each file of input.pages is a record; its id is the path below the folder. A file that can't be read is a defect.
std::unique_ptr<RecordReader> make_folder_reader(const InputFile& input, const ReadOptions& options, DefectSink sink);

}  // namespace paraprint
