// Dates of publication as evidence: which of two pages was there first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "provenance/traced_page.h"

namespace paraprint::inline provenance {

// The dates of one page that can be relied upon.
struct UsableDates {
  std::optional<std::int64_t> published_seconds;  // since 1970
  bool has_time = false;                          // of day
  double weight = 0;                              // of the date, in log odds: the place where it was read decides
  // If the page states no usable date of publication: it was there before this one.
  std::optional<std::int64_t> modified_seconds;

  std::optional<std::int64_t> published_day() const;  // since 1970
};

// Appends to `problems` what cannot be relied upon. Pure.
UsableDates usable_dates(const TracedPage& page, std::vector<StatementProblem>& problems);

// Log odds that `source` was published before `copy`, by their dates alone; 0 if these do not tell. Antisymmetric.
double date_lean(const UsableDates& source, const UsableDates& copy);

}  // namespace paraprint::inline provenance
