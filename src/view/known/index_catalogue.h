// All pages of an index in one table, so that they can be searched: what each is called, its text and its cluster. Also
// the counts that the overview shows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "cluster/page_groups.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/index.h"
#include "paraprint/result.h"
#include "view/overview_counts.h"

namespace paraprint::inline explorer::inline known {

// Pages are numbered in the order of their ids.
struct CatalogueRow {
  std::uint64_t names_begin = 0;  // id, URL, date, one after the other
  std::uint64_t text = 0;         // equal texts have equal numbers
  std::uint64_t first_seen_seconds = 0;
  std::uint64_t last_seen_seconds = 0;
  std::uint32_t id_bytes = 0;
  std::uint32_t url_bytes = 0;
  std::uint32_t date_bytes = 0;
  std::uint32_t characters = 0;
  std::uint32_t host = 0;
  std::uint32_t cluster = 0;  // the page that began its cluster; if that left it, the first one by id
  bool url_is_id = false;     // and not stored again
};

// Threads: any number, after create().
class IndexCatalogue {
 public:
  // Reads every page of `index` once, about a microsecond each. Memory, on the budget: 76 bytes per page, its id, its
  // URL and its date. Errors: those of reading; kLimitExceeded beyond 2^32 - 1 pages; kCancelled.
  static Result<std::unique_ptr<IndexCatalogue>> create(const PageIndex& index, MemoryBudget& budget,
                                                        ProgressReporter& progress);

  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  const CatalogueRow& row(std::uint32_t page) const { return rows_[page]; }
  std::string_view id(std::uint32_t page) const;
  std::string_view url(std::uint32_t page) const;
  std::string_view date(std::uint32_t page) const;
  // The page with this id.
  std::optional<std::uint32_t> find(std::string_view id) const;

  bool is_copy(std::uint32_t page) const { return rows_[page].cluster != page; }
  // The pages of the cluster whose first page this is, by number; empty for a page that is not the first.
  std::span<const std::uint32_t> cluster_pages(std::uint32_t first_page) const { return clusters_.of(first_page); }
  // The pages with the text of this page, itself included, by number.
  std::span<const std::uint32_t> text_pages(std::uint32_t page) const;

  const std::vector<HostRow>& hosts() const { return hosts_; }  // `removed`: copies
  const ClusterSizeCounts& cluster_sizes() const { return cluster_sizes_; }
  std::uint64_t clusters() const { return cluster_count_; }  // of two or more pages
  std::uint64_t copies() const { return copies_; }
  const HostMatrix& matrix() const { return matrix_; }
  // First pages and copies (as kept and removed) by the pages' dates, and by when the index first saw them.
  const PeriodCounts& dates() const { return dates_; }
  const PeriodCounts& first_seen() const { return first_seen_; }
  // By first page.
  const std::vector<std::uint32_t>& largest_clusters() const { return largest_clusters_; }

 private:
  struct ClusterName;
  class Reader;
  explicit IndexCatalogue(MemoryBudget& budget);
  std::string_view names(std::uint64_t begin, std::uint64_t size) const { return {names_.data() + begin, size}; }
  Status find_clusters(const SpillArray<char>& cluster_names, SpillArray<ClusterName>& named);
  Status group();
  void count();

  SpillArray<CatalogueRow> rows_;
  SpillArray<char> names_;
  SpillArray<std::uint32_t> by_text_;  // pages by text, then by number
  PageGroups clusters_;
  std::vector<HostRow> hosts_;
  ClusterSizeCounts cluster_sizes_{};
  std::uint64_t cluster_count_ = 0;
  std::uint64_t copies_ = 0;
  HostMatrix matrix_;
  PeriodCounts dates_;
  PeriodCounts first_seen_;
  std::vector<std::uint32_t> largest_clusters_;
};

// Unix time as in "2025-08-01T06:00:16Z".
std::string utc_time(std::uint64_t seconds);

}  // namespace paraprint::inline explorer::inline known
