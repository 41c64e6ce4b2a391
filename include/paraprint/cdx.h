// Writes indexes of web archives: a line per capture, sorted by address and date, by which players find the record.
//
// Example:
//
//   CdxOptions options;
//   options.inputs = {"crawl/"};
//   options.out = "index.cdxj";
//   Result<CdxOutcome> outcome = write_cdx(options);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

struct CdxOptions {
  std::vector<std::string> inputs;  // WARC and ARC files, folders of them, or "-" for standard input
  std::string out;                  // file that write_cdx() writes
  CdxForm form = CdxForm::kCdxj;    // not kNone
  // Names of archives in the index are their paths relative to this folder. Empty: their names without a folder; if two
  // of them have the same, paths relative to the deepest folder that contains all of them.
  std::string root;
  // Append method and body of POST and PUT requests to the keys of their responses, as players do.
  bool post_append = false;
  ResourceOptions resources;

  Status validate() const;
};

struct CdxOutcome {
  std::uint64_t records = 0;  // of all types
  std::uint64_t lines = 0;    // in the index
  // Captures without a line: they have no date, or are not the only record of their compressed member.
  std::uint64_t captures_without_date = 0;
  std::uint64_t captures_not_addressable = 0;
  std::uint64_t inputs_passed_over = 0;  // neither WARC nor ARC
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;  // files that could not be read to the end
  std::vector<std::string> unreadable_reasons;
};

// Receives the lines of an index in their order, without line ends. An error ends the call, which returns it.
using CdxLineReceiver = std::function<Status(std::string_view line)>;

// Makes the index of all inputs, sorted bytewise, equal lines once. The lines are those of cdxj-indexer (docs/cdx.md),
// those of CDX after their heading. They do not depend on the order of inputs or on threads.
//
// Errors: kInvalidArgument (options), kNotFound and kPermissionDenied for inputs, kNoSpace, kInputOutput, kCancelled.
// Broken records are not errors: they are counted and passed to `control.warning`. Cost: every input is read once.
// Memory: `options.resources.memory`, and a record of at most 64 MiB for each thread; what does not fit goes to files
// in `tmp`, by default in the system's folder for temporary files.
Result<CdxOutcome> for_each_cdx_line(const CdxOptions& options, const CdxLineReceiver& receiver,
                                     const RunControl& control = {});

// Writes them to `options.out`, which appears complete or not at all. `tmp` is by default the folder of that file.
Result<CdxOutcome> write_cdx(const CdxOptions& options, const RunControl& control = {});

}  // namespace paraprint
