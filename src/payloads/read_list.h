// Reads a list of captures of an earlier collection: its index, in CDXJ or CDX.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "archive/record.h"
#include "base/counters.h"
#include "paraprint/result.h"
#include "payloads/capture_collector.h"

namespace paraprint::inline payloads {

// Hands the entries with the digest `digest` to `collector`, as captures that copies may refer to. `progress` as for
// read_captures(). Lists are trusted: that the payload exists and has the stated digest cannot be checked.
//
// Counts entries by what became of them. Broken lines are defects. Errors: those of opening and reading the list, which
// is not passed over because all that it knows would be stored again; those of the collector, and kCancelled. Memory:
// as CdxReader, and a batch.
Result<Counters> read_list(const std::string& path, PayloadDigest digest, CaptureCollector& collector,
                           const DefectSink& sink, const std::function<void(std::uint64_t)>& progress);

}  // namespace paraprint::inline payloads
