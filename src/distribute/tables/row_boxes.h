// Rows of the tables on their way to the tasks of ranges of ids.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "distribute/records.h"
#include "distribute/tables/table_records.h"

namespace paraprint::distribute::tables {

// The range of an id, as StageSettings::first_ids divides them.
std::uint32_t range_of_id(std::span<const std::string> first_ids, std::string_view id);

// A page in a pair that has a row.
struct PairedPage {
  std::string_view id;
  std::uint32_t page = 0;
  bool is_first = false;  // with its text
};

// Rows of matches.tsv ("match-rows").
class MatchRowBox {
 public:
  MatchRowBox(ParcelBox& box, std::span<const std::string> first_ids) : box_(box), first_ids_(first_ids) {}

  // `scores`: those of a in relation to b; the row is turned if b has the smaller id.
  void give(const PairedPage& a, const PairedPage& b, const Match& scores);

 private:
  ParcelBox& box_;
  std::span<const std::string> first_ids_;
};

// Pages with their clusters ("page-rows"). A task gives each range how many clusters it has given to the ranges before
// it ("cluster-sums"), so that the sum over all tasks is the number of clusters before the range.
class PageRowBox {
 public:
  PageRowBox(ParcelBox& rows, ParcelBox& sums, std::span<const std::string> first_ids)
      : rows_(rows), sums_(sums), first_ids_(first_ids), clusters_(first_ids.size() + 1) {}

  // `first_id`: the smallest of the cluster.
  void give(const TablePage& row, std::string_view first_id);
  // After the last row.
  void give_sums();

 private:
  ParcelBox& rows_;
  ParcelBox& sums_;
  std::span<const std::string> first_ids_;
  std::vector<std::uint64_t> clusters_;  // by range
};

}  // namespace paraprint::distribute::tables
