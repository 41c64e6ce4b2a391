// Which range a row goes to.
#include "distribute/tables/row_boxes.h"

#include <algorithm>

#include "report/verdict_text.h"

namespace paraprint::distribute::tables {

std::uint32_t range_of_id(std::span<const std::string> first_ids, std::string_view id) {
  return static_cast<std::uint32_t>(std::upper_bound(first_ids.begin(), first_ids.end(), id) - first_ids.begin());
}

void MatchRowBox::give(const PairedPage& a, const PairedPage& b, const Match& scores) {
  MatchRow row{a.id, b.id, scores, a.is_first, b.is_first};
  row.match.page_a = a.page;
  row.match.page_b = b.page;
  if (b.id < a.id) row = {b.id, a.id, reversed(row.match), b.is_first, a.is_first};
  ByteWriter out(box_.record_for(range_of_id(first_ids_, row.id_a)));
  write_match_row(row, out);
}

void PageRowBox::give(const TablePage& row, std::string_view first_id) {
  const std::uint32_t range = range_of_id(first_ids_, first_id);
  if (row.is_first) ++clusters_[range];
  ByteWriter out(rows_.record_for(range));
  write_table_page(row, out);
}

void PageRowBox::give_sums() {
  std::uint64_t before = 0;
  for (std::uint32_t range = 0; range < clusters_.size(); ++range) {
    if (before > 0) ByteWriter(sums_.record_for(range)).variable(before);
    before += clusters_[range];
  }
}

}  // namespace paraprint::distribute::tables
