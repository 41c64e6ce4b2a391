// Ids are joined by their hashes. Two ids of one hash would at worst leave a conversion uncompared, and so in its
// archive.
#include "profile/page_conversions.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/hash.h"
#include "base/propagate.h"

namespace paraprint::inline profile {
namespace {

// Places are offsets of profiles in the log, which ascend with the order of pages.
struct ConversionRow {
  std::uint64_t original = 0;  // hash of the id
  std::uint64_t place = 0;
  // In the first row of each original: the place of the first conversion in the log that has this id, or 0 if a page
  // has it that is not a conversion.
  std::uint64_t first_original = std::numeric_limits<std::uint64_t>::max();
};

Status ignore_batch(const PageBatch&) {
  return {};
}

Result<SpillArray<ConversionRow>> conversions_in(const PageLog& log, MemoryBudget* budget) {
  SpillArray<ConversionRow> rows(budget);
  PARAPRINT_TRY(log.read(
      [&](const LoggedPage& page) -> Status {
        if (page.made_from.empty()) return {};
        return rows.push_back({hash64(page.made_from), page.profile_offset_bytes});
      },
      ignore_batch));
  std::sort(rows.begin(), rows.end(), [](const ConversionRow& a, const ConversionRow& b) {
    return std::pair(a.original, a.place) < std::pair(b.original, b.place);
  });
  return rows;
}

Status find_originals(const PageLog& log, SpillArray<ConversionRow>& rows) {
  return log.read(
      [&](const LoggedPage& page) -> Status {
        const std::uint64_t id = hash64(page.id);
        ConversionRow* const row = std::lower_bound(
            rows.begin(), rows.end(), id,
            [](const ConversionRow& conversion, std::uint64_t wanted) { return conversion.original < wanted; });
        if (row == rows.end() || row->original != id) return {};
        const std::uint64_t place = page.made_from.empty() ? 0 : page.profile_offset_bytes;
        row->first_original = std::min(row->first_original, place);
        return {};
      },
      ignore_batch);
}

}  // namespace

Result<std::uint64_t> leave_out_conversions(PageLog& log, MemoryBudget* budget) {
  if (!log.has_conversions()) return 0;
  PARAPRINT_ASSIGN(SpillArray<ConversionRow> rows, conversions_in(log, budget));
  PARAPRINT_TRY(find_originals(log, rows));
  SpillArray<std::uint64_t> left_out(budget);
  ConversionRow first;
  for (const ConversionRow& row : rows) {
    if (row.original != first.original || first.place == 0) first = row;
    if (row.place > first.first_original) PARAPRINT_TRY(left_out.push_back(row.place));
  }
  std::sort(left_out.begin(), left_out.end());
  const std::uint64_t count = left_out.size();
  log.leave_out(std::move(left_out));
  return count;
}

}  // namespace paraprint::inline profile
