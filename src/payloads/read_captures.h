// Reads the captures of one input.
#pragma once

#include <cstdint>
#include <functional>

#include "archive/input_files.h"
#include "archive/record.h"
#include "base/counters.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "payloads/capture_collector.h"

namespace paraprint::inline payloads {

struct CaptureRules {
  PayloadDigest digest = PayloadDigest::kSha1;
  std::uint64_t min_payload_bytes = 0;  // smaller payloads are not worth a revisit record
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

}  // namespace paraprint::inline payloads
