// From the names on a command line to the list of inputs of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

enum class InputKind : std::uint8_t {
  kFile,           // an archive, a JSONL file or a page: open_records looks into it
  kPageFolder,     // a folder whose HTML files are the records
  kStandardInput,  // "-"
};

struct InputFile {
  InputKind kind = InputKind::kFile;
  std::string path;                // to open it; for a page folder the folder
  std::uint32_t index = 0;         // in the run's list: RecordLocation::file_index
  std::uint64_t size_bytes = 0;    // of all files of the input, 0 if unknown (standard input)
  std::vector<std::string> pages;  // page folder: paths below `path`, sorted by bytes
};

// Files stay as they are; folders are searched recursively for archives, JSONL and HTML files by name (the list is in
// input_files.cc). All HTML files below one named folder are one input. The result is sorted by the bytes of the paths,
// without files named twice (also through links), and indexed in that order: it does not depend on the order of
// `paths`. "-" is standard input and must stand alone.
//
// Errors: kNotFound, kPermissionDenied or kInputOutput naming the file, for what was named and for what a folder holds;
// kInvalidArgument for an empty list or a folder without any input; kLimitExceeded for more than max_files files.
Result<std::vector<InputFile>> expand_inputs(const std::vector<std::string>& paths, const ReadOptions& options = {});

}  // namespace paraprint
