// Clusters are numbered by rows, not by ids as in clusters.tsv: the rows of a frame need not have ids.
#include "frame_columns.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "module.h"
#include "paraprint/engine.h"

namespace paraprint::python {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Clusters {
  std::vector<std::uint32_t> number_of;  // by the number that the run gave, from 1
  std::vector<std::uint32_t> sizes;      // by our number
};

Clusters number_by_position(const std::vector<PageDecision>& pages) {
  Clusters clusters;
  clusters.number_of.resize(pages.size() + 1, kNone);
  for (const PageDecision& page : pages) {
    if (!page.cluster) continue;
    std::uint32_t& number = clusters.number_of[*page.cluster];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(clusters.sizes.size());
      clusters.sizes.push_back(0);
    }
    ++clusters.sizes[number];
  }
  return clusters;
}

struct FrameColumns {
  OutputColumn cluster{"cluster", ColumnType::kInteger};
  OutputColumn cluster_size{"cluster_size", ColumnType::kInteger};
  OutputColumn is_kept{"is_kept", ColumnType::kBoolean};
  OutputColumn kept_row{"kept_row", ColumnType::kInteger};
  OutputColumn verdict{"verdict", ColumnType::kText};
  OutputColumn score{"score", ColumnType::kReal};

  void append_row_not_compared() {
    is_kept.append(true);
    for (OutputColumn* column : {&cluster, &cluster_size, &kept_row, &verdict, &score}) column->append_null();
  }
};

}  // namespace

OutputBatch frame_columns(const TablePages& pages, const DeduplicatePagesOutcome& outcome) {
  const Clusters clusters = number_by_position(outcome.pages);
  FrameColumns columns;
  for (std::size_t position = 0; position < outcome.pages.size(); ++position) {
    const std::int64_t row = pages.row_of(position);
    while (columns.is_kept.rows() < row) columns.append_row_not_compared();
    const PageDecision& page = outcome.pages[position];
    if (!page.cluster) {
      columns.append_row_not_compared();
      continue;
    }
    const std::uint32_t number = clusters.number_of[*page.cluster];
    columns.cluster.append(std::int64_t{number});
    columns.cluster_size.append(std::int64_t{clusters.sizes[number]});
    columns.is_kept.append(outcome.is_kept(position));
    columns.kept_row.append(pages.row_of(page.kept_page));
    if (outcome.is_kept(position)) {
      columns.verdict.append_null();
      columns.score.append_null();
    } else {
      check(columns.verdict.append(verdict_name(page.verdict)));
      columns.score.append(double{page.resemblance});
    }
  }
  while (columns.is_kept.rows() < pages.rows()) columns.append_row_not_compared();
  std::vector<OutputColumn> made;
  made.reserve(6);
  for (OutputColumn* column : {&columns.cluster, &columns.cluster_size, &columns.is_kept, &columns.kept_row,
                               &columns.verdict, &columns.score}) {
    made.push_back(std::move(*column));
  }
  return OutputBatch(std::move(made));
}

}  // namespace paraprint::python
