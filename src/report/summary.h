// What a run read, did and found, as summary.json (docs/output.md). It is reproducible byte
// for byte; what may differ between two runs over the same input (times, threads, memory) stands in timing.json.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "paraprint/result.h"
#include "report/json_writer.h"

namespace paraprint {

// A setting or a counter. Reals are written with four digits after the point.
struct NamedValue {
  std::string name;  // lower-case with underscores, unit last: "near_resemblance", "limit_bytes"
  std::variant<bool, std::int64_t, std::uint64_t, double, std::string> value;
  std::string note;  // what it counts or does, for the HTML report; empty leaves it out; not in summary.json
};

struct NamedGroup {
  std::string name;  // "input", "pages", "extraction", "candidates", "verification", "clusters", "output"
  std::vector<NamedValue> values;
};

// Records of one kind that could not be read. `examples` holds the first ones by (file, offset).
struct BrokenRecord {
  std::string file;
  std::uint64_t offset_bytes = 0;
  std::string message;
};

struct BrokenKind {
  std::string kind;  // stable lower-case name: "truncated-member", "bad-length", "not-html"
  std::uint64_t count = 0;
  std::vector<BrokenRecord> examples;  // at most kBrokenExamplesMaximum are written
};

// Examples of broken records written out for each kind: enough to find the cause, small enough for a broken archive.
inline constexpr std::size_t kBrokenExamplesMaximum = 100;

struct StageTime {
  std::string name;
  double seconds = 0;                   // wall clock
  double cpu_seconds = 0;               // of all threads, 0 if not measured
  std::uint64_t items = 0;              // what the stage handled, 0 if that means nothing
  std::string unit;                     // of `items`: "pages", "pairs"
  std::uint64_t size_bytes = 0;         // input of the stage, 0 if that means nothing
  std::uint64_t peak_memory_bytes = 0;  // resident, at the end of the stage; 0 if not measured
};

struct Timing {
  double seconds = 0;  // wall clock of the run
  std::uint64_t peak_memory_bytes = 0;
  std::vector<StageTime> stages;
  std::vector<NamedValue> resources;  // settings that must not change the output: threads, memory, tmp, progress
};

struct Summary {
  std::string version;               // of paraprint
  std::string command;               // "dedup"
  std::vector<std::string> inputs;   // paths as given, in the order of reading
  std::vector<NamedValue> settings;  // every setting that may change the output
  std::vector<NamedGroup> counters;  // every counter of every stage
  std::vector<BrokenKind> broken;
};

// The text of summary.json, indented, ending in a line end. Groups and values keep their order; the engine gives them
// in a fixed one.
std::string summary_json(const Summary& summary);

// `path` is usually OUT/summary.json. Errors: as AtomicFile.
Status write_summary(const std::string& path, const Summary& summary);

// The value as the reports show it: "0.8000", "12,345", "yes", text as it is.
std::string value_text(const NamedValue& value);

// Times, memory and whatever else may differ between runs over the same input, in a file of its own: everything else
// that a run writes is the same byte for byte.
std::string timing_json(const Timing& timing);

// timing.json. Errors: as AtomicFile.
Status write_timing(const std::string& path, const Timing& timing);

}  // namespace paraprint
