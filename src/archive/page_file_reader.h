// Readers for inputs whose files are themselves pages: one HTML or text file (possibly standard input), or a folder of
// HTML files.
#pragma once

#include <memory>

#include "archive/content_stream.h"
#include "archive/record_reader.h"

namespace paraprint {

// The whole content is one page. Its id is the path; its format is HTML unless `is_text`.
std::unique_ptr<RecordReader> make_page_file_reader(std::unique_ptr<ContentStream> stream, const InputFile& input,
                                                    bool is_text, const ReadOptions& options, DefectSink sink);

// Each file of input.pages is one record. Its id is the path relative to the folder. An unreadable file is a defect.
std::unique_ptr<RecordReader> make_folder_reader(const InputFile& input, const ReadOptions& options, DefectSink sink);

}  // namespace paraprint
