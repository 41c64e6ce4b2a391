// Reads the items of benchmarks from files of any format that the readers know.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "base/stop.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "profile/page_profiler.h"

namespace paraprint::inline contamination {

struct BenchmarkItem {
  std::string id;          // of the record, else made from file name and line
  std::uint32_t file = 0;  // InputFile::index
  std::uint64_t line = 0;  // of JSON lines; 0 for other formats
  std::string text;        // values of fields, each followed by a line feed but the last; of pages, the main content
};

// Calls visit() for each item of `input`, in order. Of JSON lines, an item is made of `fields`, or if that is empty of
// the first field of kUsualItemFields that a line has; a line without text in them is a defect. Of other formats, each
// page is an item. Errors: those of `visit`, kCancelled. What cannot be read is a defect.
Status read_benchmark(const InputFile& input, const std::vector<std::string>& fields, const ReadOptions& options,
                      PageProfiler& profiler, const std::function<Status(BenchmarkItem&&)>& visit,
                      const DefectSink& sink);

}  // namespace paraprint::inline contamination
