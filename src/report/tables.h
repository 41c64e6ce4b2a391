// The tab-separated outputs: clusters.tsv and matches.tsv (docs/output.md). Rows stream through; nothing is kept.
//
// Both are sorted by id as bytes (memcmp), whatever the order of input files and threads. The writers do not sort: they
// check, and a row out of order is kInvalidArgument, because it would be a wrong file.
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

namespace paraprint {

// clusters.tsv: `id<TAB>cluster`, every page of the run, also those alone in their cluster. Call add in ascending order
// of id (equal ids are an error), then finish. Errors: as AtomicFile.
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

// matches.tsv: `id_a<TAB>id_b<TAB>score<TAB>verdict`; id_a < id_b; "a is <verdict> b"; score = resemblance with four
// digits after the point. Call add in ascending order of (id_a, id_b), then finish. Errors: as AtomicFile.
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

// Cluster numbers that depend on ids alone: clusters are numbered from 1 in the order of their smallest id.
// `cluster_of_page[p]` is any label below `cluster_of_page.size()` (a union-find root, say); `pages_by_id` lists every
// page once in ascending order of id. Fills the number of each page's cluster into `numbers`. Linear. Memory: 4 bytes a
// page beside it, on its budget, whose disk is what errors come from.
Status number_clusters(std::span<const std::uint32_t> cluster_of_page, std::span<const std::uint32_t> pages_by_id,
                       SpillArray<std::uint32_t>& numbers);

}  // namespace paraprint
