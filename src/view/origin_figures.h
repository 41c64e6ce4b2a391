// What the overview shows of provenance.jsonl: when first pages and copies were published, and which hosts are the
// source for which.
#pragma once

#include "view/copies/run_origins.h"
#include "view/overview_counts.h"
#include "view/run_figures.h"

namespace paraprint::inline explorer {

struct OriginFigures {
  PeriodCounts periods;  // of the pages of clusters by their stated dates; "kept" are first pages, "removed" copies
  std::vector<HostRow> hosts;     // those of the matrix; "removed" are copies
  HostMatrix matrix;              // hosts of copies, and of the pages that they were copied from
  std::uint64_t hosts_total = 0;  // that have either
};

// Empty if there is no such file. Cost: a few passes over the pages.
OriginFigures count_origins(const RunOrigins& origins, const RunFigures& figures, std::uint32_t pages);

// The member "origins".
void write_origin_figures(const OriginFigures& counted, JsonWriter& json);

}  // namespace paraprint::inline explorer
