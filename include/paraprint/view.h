// The explorer: a finished run as a local web page, to look at clusters, compare pairs, try thresholds and judge; or an
// index of known pages, to look at pages and what matches them. docs/view.md describes it.
//
// Example:
//
//   std::atomic<bool> stop = false;  // set by a signal handler or another thread
//   DedupOptions stored;             // as the run stored them (stored_options_path())
//   ViewOptions options;
//   RunControl control;
//   control.stop = &stop;
//   Status ended = view(stored, options, control);  // returns after `stop` has been set
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

struct ViewOptions {
  std::string address = "127.0.0.1";  // an IP address of this machine
  std::uint16_t port = 8720;          // 0: any free port
  // Requests without this bearer token are rejected. Required for an address that is not of loopback.
  std::string token;
  std::uint64_t memory = std::uint64_t{1} << 30;  // target; tables beyond it move to files
  std::string tmp;                                // folder for these files; empty: that of the system
  unsigned threads = 0;                           // 0: number of processors
  std::string judgements;  // file for judgements of pairs; empty: judgements.jsonl in the folder of the run

  Status validate() const;
};

struct ViewEvents {
  // Called with the port once the page can be opened; the run is still being read then.
  std::function<void(std::uint16_t)> ready;
  // Called once when everything is loaded.
  std::function<void()> loaded;
};

// Serves the run in `run.output.out`, whose options are those that it stored, until `control.stop` is set, which is a
// success. Nothing in the folder is changed except the files that its user asks for: judgements, and pairs that are
// never or always copies. Progress: of loading. Errors: those of validate(); kNotFound for a folder without a finished
// run; kInvalidArgument while a run is writing to it; kCorruptData and kUnsupported for files that are damaged or of
// another version; kInputOutput if it cannot listen on the address.
Status view(const DedupOptions& run, const ViewOptions& options, const RunControl& control,
            const ViewEvents& events = {});

// Serves the index in `folder`, which is opened for reading only (IndexOptions::read_only in index.h), until
// `control.stop` is set. Nothing in the folder changes. Verdicts are those of the default MatchOptions. Progress: of
// loading. Errors: those of validate() and of PageIndex::open(); kInputOutput if it cannot listen on the address.
Status view_index(const std::string& folder, const ViewOptions& options, const RunControl& control,
                  const ViewEvents& events = {});

}  // namespace paraprint
