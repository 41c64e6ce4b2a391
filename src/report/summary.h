// What a run read, did and found, as summary.json (docs/output.md), which is reproducible byte for byte. Values that
// may differ between two runs over the same input (times, threads, memory) are in timing.json.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/counters.h"
#include "paraprint/result.h"
#include "report/json_writer.h"

namespace paraprint::inline report {

// A setting or a counter. Real numbers are written with four decimals.
// Move it rather than copy it: in libstdc++ 12, a variant whose text cannot be copied for want of memory is destroyed
// as if it had a value.
struct NamedValue {
  std::string name;  // lower-case with underscores, unit last: "near", "limit_bytes"
  std::variant<bool, std::int64_t, std::uint64_t, double, std::string> value;
  std::string note;  // tooltip in the HTML report; may be empty; not in summary.json
};

struct NamedGroup {
  std::string name;  // "input", "pages", "extraction", "candidates", "verification", "clusters", "output"
  std::vector<NamedValue> values;
};
NamedGroup group_of(std::string name, const Counters& counters);

// Records that could not be read for one kind of reason. `examples` holds the first ones by (file, offset).
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

// Maximum number of examples written per kind: enough to find the cause, few enough for a badly damaged archive.
inline constexpr std::size_t kBrokenExamplesMaximum = 100;

struct StageTime {
  std::string name;
  double seconds = 0;                   // wall clock
  double cpu_seconds = 0;               // of all threads; 0 if not measured
  std::uint64_t items = 0;              // items processed; 0 if not applicable
  std::string unit;                     // unit of `items`: "pages", "pairs"
  std::uint64_t size_bytes = 0;         // size of the stage's input; 0 if not applicable
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

// The text of summary.json, indented, with a final line feed. Groups and values
// keep their order, which the engine must fix.
std::string summary_json(const Summary& summary);

// `path` is usually OUT/summary.json. Errors: as AtomicFile.
Status write_summary(const std::string& path, const Summary& summary);

// The value as shown in reports: "0.8000", "12,345", "yes", strings unchanged.
std::string value_text(const NamedValue& value);

// The text of timing.json: times, memory and other values that may differ between runs over the same input, separate
// from the reproducible outputs.
std::string timing_json(const Timing& timing);

// Writes timing.json. Errors: as AtomicFile.
Status write_timing(const std::string& path, const Timing& timing);

}  // namespace paraprint::inline report
