// The tab-separated outputs clusters.tsv and matches.tsv (docs/output.md). Rows are streamed; none are kept.
//
// Both are sorted by id as bytes (memcmp), whatever the order of input files and threads. The writers do not sort: they
// check, and return kInvalidArgument for a row out of order, because the file would be invalid.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "memory/spill_array.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline report {

// clusters.tsv: `id<TAB>cluster`, one row per page of the run, including pages alone in their cluster. Call add() in
// ascending order of id (equal ids are an error), then finish(). Errors: as AtomicFile.
class ClusterTableWriter {
 public:
  static Result<ClusterTableWriter> create(std::string path);
  Status add(std::string_view id, std::uint64_t cluster);
  Status finish();
  std::uint64_t rows() const { return rows_; }

 private:
  explicit ClusterTableWriter(AtomicFile file) : file_(std::move(file)) {}
  AtomicFile file_;
  std::string last_id_;
  std::string line_;
  std::uint64_t rows_ = 0;
};

// matches.tsv: `id_a<TAB>id_b<TAB>score<TAB>verdict` with id_a < id_b; reads "a is <verdict> b"; score is the
// resemblance with four decimals. Call add() in ascending order of (id_a, id_b), then finish(). Errors: as AtomicFile.
class MatchTableWriter {
 public:
  static Result<MatchTableWriter> create(std::string path);
  Status add(std::string_view id_a, std::string_view id_b, double resemblance, Verdict verdict);
  Status finish();
  std::uint64_t rows() const { return rows_; }

 private:
  explicit MatchTableWriter(AtomicFile file) : file_(std::move(file)) {}
  AtomicFile file_;
  std::string last_id_a_;
  std::string last_id_b_;
  std::string line_;
  std::uint64_t rows_ = 0;
};

// Append a row, with its line feed.
void append_cluster_row(std::string& out, std::string_view id, std::uint64_t cluster);
void append_match_row(std::string& out, std::string_view id_a, std::string_view id_b, double resemblance,
                      Verdict verdict);

// Numbers clusters from 1 in the order of their smallest id, so that the numbers depend on ids alone.
// `cluster_of_page[p]` is any label below `cluster_of_page.size()`, such as a union-find root; `pages_by_id` lists
// every page once in ascending order of id. Writes the number of each page's cluster to `numbers`. Linear. Uses 4 bytes
// per page in addition to `numbers`, on its budget; errors are those of the budget's disk.
Status number_clusters(std::span<const std::uint32_t> cluster_of_page, std::span<const std::uint32_t> pages_by_id,
                       SpillArray<std::uint32_t>& numbers);

}  // namespace paraprint::inline report
