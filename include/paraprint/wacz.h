// Writes WACZ files: web archives packed with an index and a list of pages, for players such as replayweb.page.
//
// Example:
//
//   WaczOptions options;
//   options.inputs = {"clean"};   // what deduplicate() wrote, or WARC files
//   options.out = "clean.wacz";
//   options.title = "The crawl without its copies";
//   Result<WaczOutcome> outcome = write_wacz(options);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

struct WaczOptions {
  // WARC files, WACZ files, folders of these, or one output folder of deduplicate() or deduplicate_payloads().
  std::vector<std::string> inputs;
  std::string out;          // the file
  std::string title;        // of the collection; empty: none
  std::string description;  // likewise
  std::string main_page;    // address of the page that players open first; empty: their list of pages
  std::string created;      // date in datapackage.json, in ISO 8601; empty: that of the newest record
  bool text = false;        // add the main content of pages to their list, for full-text search
  ResourceOptions resources;

  Status validate() const;
};

struct WaczOutcome {
  std::uint64_t archives = 0;           // WARC files written
  std::uint64_t records = 0;            // in them
  std::uint64_t records_rewritten = 0;  // of them, compressed again, or with another stated length
  std::uint64_t pages = 0;              // in the list of pages
  std::uint64_t duplicates = 0;         // of them, marked: another page stands for them
  std::uint64_t pages_left_out = 0;     // without address or date, and broken lines of lists of pages
  std::uint64_t index_lines = 0;
  std::uint64_t captures_not_indexed = 0;  // without a date
  std::uint64_t inputs_passed_over = 0;    // not WARC files
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;  // files that could not be read to their end
  std::vector<std::string> unreadable_reasons;
  std::uint64_t bytes_written = 0;
};

// Writes `options.out`, complete or not at all; docs/wacz.md has its contents. The bytes depend on inputs and options
// only, not on the order of inputs, on threads or on the time.
//
// Errors: kInvalidArgument (options, an output that is an input, an ARC file, inputs without any archive), kNotFound
// and kPermissionDenied for inputs, kNoSpace, kInputOutput, kCancelled. Broken records are not errors: they are counted
// and passed to `control.warning`. Cost: inputs are read once, the file that was written twice. Memory:
// `options.resources.memory`, and a record for each thread; what does not fit goes to files in `tmp`, by default in the
// folder of `out`.
Result<WaczOutcome> write_wacz(const WaczOptions& options, const RunControl& control = {});

}  // namespace paraprint
