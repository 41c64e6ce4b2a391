// Adds to the clusters of a report who copied from whom in them.
#pragma once

#include <string>

#include "paraprint/result.h"
#include "report/html_report.h"

namespace paraprint::inline provenance {

// Sets ReportCluster::copies of the clusters that provenance.jsonl at `path` has, with the titles of their pages that
// `input` has. The file is that of the same run. Errors: kCorruptData for a damaged line, naming it; those of reading.
// Memory: some 200 bytes per page of the largest cluster shown.
Status add_listed_copies(const std::string& path, ReportInput& input);

}  // namespace paraprint::inline provenance
