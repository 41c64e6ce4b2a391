// Makes the index of a list of archives: reads each once, in parallel, and passes on sorted lines.
//
//   std::vector<InputFile> archives = ...;                            // expand_inputs(), or paths of files just
//   written CdxRules rules; rules.sorting.temporary_directory = folder; PARAPRINT_ASSIGN(const CdxCounts counts,
//   index_archives(
//       archives, names_in_index(archives, ""), rules, progress,
//       [&](std::string_view line) { return file.write(line); }));    // "org,example)/ 2024... {...}\n"
//
// or, for an index that becomes a file, write_index_file().
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "base/progress.h"
#include "memory/external_sort.h"
#include "paraprint/options.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline cdx {

struct CdxRules {
  CdxForm form = CdxForm::kCdxj;
  ReadOptions reading;  // larger records than max_record_bytes are indexed, too, but not held in memory
  unsigned threads = 1;
  ExternalSortOptions sorting;
  bool warns = true;
  bool post_append = false;  // append what requests send to the keys of their responses (request_query.h)
};

struct CdxCounts {
  std::uint64_t records = 0;  // of all types
  std::uint64_t lines = 0;    // given to the sink, headings included
  std::uint64_t captures_without_date = 0;
  std::uint64_t captures_not_addressable = 0;  // not the only record of their compressed member
  std::uint64_t inputs_passed_over = 0;        // neither WARC nor ARC
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
  std::vector<std::string> unreadable_reasons;  // of the first ones
};

// Gets the lines in bytewise order with their line ends, each once, the heading of the form before them.
using CdxLineSink = std::function<Status(std::string_view line)>;

// The name of each archive in an index: its path relative to `root`; if that is empty, its name without a folder, or if
// two archives have one name, the path relative to the deepest folder that contains all of them.
std::vector<std::string> names_in_index(const std::vector<InputFile>& archives, const std::string& root);

// `names` has a name for each of `archives`. The result does not depend on the order of archives or on threads.
// If `rules.warns`, captures without a line, inputs that are passed over and the first broken records of each input are
// warnings to `progress`, in the order of the inputs. A file that cannot be read, or not to its end, is counted; what
// was read of it is in the index. Progress: stage "index".
//
// Errors: those of the sink and of sorting (kNoSpace names the folder), and kCancelled. Memory: `rules.sorting`, and
// for each thread one record, or two with `rules.post_append`, and 256 KiB of lines.
Result<CdxCounts> index_archives(const std::vector<InputFile>& archives, const std::vector<std::string>& names,
                                 const CdxRules& rules, ProgressReporter& progress, const CdxLineSink& sink);

// The same into the file `path`, which appears complete or not at all. For writers of archives: `archives` are paths of
// files, `root` as in names_in_index(). Errors: those of reading the size of an archive and of writing, too.
Result<CdxCounts> write_index_file(const std::vector<std::string>& archives, const std::string& root,
                                   const CdxRules& rules, ProgressReporter& progress, const std::string& path);

// "index.cdxj" or "index.cdx". Requires a form other than kNone.
std::string_view index_file_name(CdxForm form);

}  // namespace paraprint::inline cdx
