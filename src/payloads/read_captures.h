// Reads the captures of one input.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "base/counters.h"
#include "base/progress.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "payloads/capture_collector.h"

namespace paraprint::inline payloads {

struct CaptureRules {
  PayloadDigest digest = PayloadDigest::kSha1;
  std::uint64_t min_payload_bytes = 0;  // smaller payloads are not worth a revisit record
  // Whether the record of an input with this number has to go: then it may become a revisit record, whatever its size,
  // but nothing may refer to it. Called from several threads. None: all may stay.
  std::function<bool(std::uint32_t file, std::uint64_t ordinal)> is_removed = nullptr;
};

// Hands the captures of `input` to `collector` in batches. Thread-safe for different inputs. `progress` is called with
// the stored bytes read since it was called last, from this thread.
//
// Counts records by kind, captures and payload bytes, and what cannot be replaced, by reason (docs/archives.md). A file
// that cannot be read, or not to its end, is a defect of the kind kUnreadableFile; what was read of it counts. Errors:
// those of the collector, and kCancelled. Memory: one record, and a batch of 256 KiB.
Result<Counters> read_captures(const InputFile& input, const ReadOptions& reading, const CaptureRules& rules,
                               CaptureCollector& collector, const DefectSink& sink,
                               const std::function<void(std::uint64_t)>& progress);

// The same for all inputs, in parallel by input. `sink_of` is called once for each, on any thread, for the sink of its
// defects. The result does not depend on the number of threads. Progress: stage "payloads".
Result<Counters> read_all_captures(const std::vector<InputFile>& inputs, const ReadOptions& reading,
                                   const CaptureRules& rules, unsigned threads, CaptureCollector& collector,
                                   const std::function<DefectSink(const InputFile&)>& sink_of,
                                   ProgressReporter& progress);

}  // namespace paraprint::inline payloads
