// Readers for inputs whose files are themselves pages: one HTML or text file (possibly standard input; rows
// kHtmlPageFormat and kTextPageFormat of archive_format.h), whose id is its path, or a folder of HTML and XML files.
#pragma once

#include <memory>

#include "archive/record_reader.h"

namespace paraprint::inline archive {

// Each file of input.pages is one record. Its id is the path relative to the folder. An unreadable file is a defect.
std::unique_ptr<RecordReader> make_folder_reader(const InputFile& input, const ReadOptions& options, DefectSink sink);

}  // namespace paraprint::inline archive
