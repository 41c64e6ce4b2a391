// Decides which captures become revisit records, and which one each of them refers to.
#pragma once

#include <cstdint>
#include <optional>

#include "base/counters.h"
#include "memory/external_sort.h"
#include "paraprint/result.h"
#include "payloads/capture_collector.h"

namespace paraprint::inline payloads {

// A capture that becomes a revisit record. Ordered by place in the input.
struct Replacement {
  std::uint64_t file = 0;
  std::uint64_t ordinal = 0;
  std::uint64_t copy_text = 0;  // in the collector
  std::uint64_t original_text = 0;
  std::uint64_t payload_bytes = 0;

  friend auto operator<=>(const Replacement&, const Replacement&) = default;
};
struct ReplacementTraits {
  static std::uint64_t key(const Replacement& row) { return row.file; }
  static bool combine(Replacement&, const Replacement&) { return false; }
};
using ReplacementSorter = ExternalSorter<Replacement, ReplacementTraits>;

// Of the captures with one payload, the earliest is stored and the others refer to it. A capture that is more than
// `max_age_seconds` younger than the one that is stored is stored as well, and the younger ones refer to it. Where the
// input has no earlier capture, one of a list is referred to: the earliest that is not too old, where the first entry
// of a day stands for all of that day.
//
// A capture stays if it has the address and second of the one it would refer to, or if a revisit record of the input
// may refer to it. Nothing refers to a place where several payloads were found.
//
// Records that have to go (CaptureRow::is_removed) only refer to others, whatever the dates.
//
// Requires collector.finish(). The result is finished. Counts what is replaced and what stays, by reason. Errors: those
// of sorting and of the collector. Memory: that of the sorter, and a row for each day with a listed capture of one
// payload.
Result<ReplacementSorter> choose_originals(CaptureCollector& collector, std::optional<std::int64_t> max_age_seconds,
                                           const ExternalSortOptions& sorting, Counters& counters);

}  // namespace paraprint::inline payloads
