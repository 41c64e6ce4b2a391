// The index lists pages by id, so the table is sorted as it is filled. A cluster is named by the id of a page that may
// have been removed since: its first page is then the first of those that are left. If the page began another cluster
// before, the name has a number, too.
#include "view/known/index_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <string>
#include <unordered_map>

#include "base/propagate.h"
#include "base/stop.h"
#include "http/url_host.h"
#include "memory/seeded_hash.h"
#include "online/cluster_name.h"
#include "view/threshold_sweep.h"

namespace paraprint::inline explorer::inline known {
namespace {

// A cluster whose first page is not known yet.
constexpr std::uint32_t kNotFound = UINT32_MAX;

}  // namespace

// Of a page that is not the first of its cluster.
struct IndexCatalogue::ClusterName {
  std::uint64_t begin = 0;
  std::uint32_t size = 0;
  std::uint32_t page = 0;
};

class IndexCatalogue::Reader {
 public:
  Reader(IndexCatalogue& catalogue, MemoryBudget& budget)
      : catalogue_(catalogue), cluster_names_(&budget), named_(&budget) {}

  Status add(const IndexedPage& page) {
    const std::size_t number = catalogue_.rows_.size();
    if (number == UINT32_MAX) return failure(ErrorCode::kLimitExceeded, "the index has too many pages to be shown");
    CatalogueRow row;
    row.names_begin = catalogue_.names_.size();
    row.text = page.text;
    row.first_seen_seconds = page.first_seen_seconds;
    row.last_seen_seconds = page.last_seen_seconds;
    row.characters = page.content_characters;
    row.cluster = page.cluster == page.id ? static_cast<std::uint32_t>(number) : kNotFound;
    row.url_is_id = page.url == page.id;
    row.id_bytes = static_cast<std::uint32_t>(page.id.size());
    row.url_bytes = row.url_is_id ? 0 : static_cast<std::uint32_t>(page.url.size());
    row.date_bytes = static_cast<std::uint32_t>(page.date.size());
    row.host = host_number(url_host(page.url));
    PARAPRINT_TRY(catalogue_.names_.append(page.id));
    if (!row.url_is_id) PARAPRINT_TRY(catalogue_.names_.append(page.url));
    PARAPRINT_TRY(catalogue_.names_.append(page.date));
    PARAPRINT_TRY(catalogue_.rows_.push_back(row));
    if (page.cluster == page.id) return {};
    PARAPRINT_TRY(named_.push_back(
        {cluster_names_.size(), static_cast<std::uint32_t>(page.cluster.size()), static_cast<std::uint32_t>(number)}));
    return cluster_names_.append(page.cluster);
  }

  Status finish() { return catalogue_.find_clusters(cluster_names_, named_); }

 private:
  std::uint32_t host_number(const std::string& host) {
    const auto [found, is_new] = numbers_.try_emplace(host, static_cast<std::uint32_t>(catalogue_.hosts_.size()));
    if (is_new) catalogue_.hosts_.push_back({host, 0, 0});
    return found->second;
  }

  IndexCatalogue& catalogue_;
  SpillArray<char> cluster_names_;
  SpillArray<ClusterName> named_;
  std::unordered_map<std::string, std::uint32_t, SeededHash> numbers_;
};

IndexCatalogue::IndexCatalogue(MemoryBudget& budget)
    : rows_(&budget), names_(&budget), by_text_(&budget), clusters_(&budget) {}

Result<std::unique_ptr<IndexCatalogue>> IndexCatalogue::create(const PageIndex& index, MemoryBudget& budget,
                                                               ProgressReporter& progress) {
  std::unique_ptr<IndexCatalogue> catalogue(new IndexCatalogue(budget));
  PARAPRINT_ASSIGN(const IndexStatistics statistics, index.statistics());
  progress.begin("pages", statistics.pages, "pages");
  {
    Reader reader(*catalogue, budget);
    PARAPRINT_TRY(index.for_each_page(false, [&](const IndexedPage& page, const Profile*) -> Status {
      progress.update(catalogue->size());
      return reader.add(page);
    }));
    progress.end();
    PARAPRINT_TRY(reader.finish());
  }
  PARAPRINT_TRY(catalogue->group());
  catalogue->count();
  budget.trim();
  PARAPRINT_TRY(budget.status());
  return catalogue;
}

std::string_view IndexCatalogue::id(std::uint32_t page) const {
  return names(rows_[page].names_begin, rows_[page].id_bytes);
}
std::string_view IndexCatalogue::url(std::uint32_t page) const {
  const CatalogueRow& row = rows_[page];
  return row.url_is_id ? id(page) : names(row.names_begin + row.id_bytes, row.url_bytes);
}
std::string_view IndexCatalogue::date(std::uint32_t page) const {
  const CatalogueRow& row = rows_[page];
  return names(row.names_begin + row.id_bytes + row.url_bytes, row.date_bytes);
}

std::optional<std::uint32_t> IndexCatalogue::find(std::string_view id) const {
  std::uint32_t begin = 0;
  for (std::uint32_t end = size(); begin < end;) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (this->id(middle) < id) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == size() || this->id(begin) != id) return std::nullopt;
  return begin;
}

// Names that are no page's id, or that of a page in another cluster, are sorted, so that each can be replaced by a page
// of its cluster: the one that began it or, if that is gone, the first one.
Status IndexCatalogue::find_clusters(const SpillArray<char>& cluster_names, SpillArray<ClusterName>& named) {
  const auto name_of = [&](const ClusterName& name) {
    return std::string_view(cluster_names.data() + name.begin, name.size);
  };
  std::size_t others = 0;
  for (const ClusterName& name : named) {
    PARAPRINT_TRY(check_stop());
    const std::optional<std::uint32_t> first = find(name_of(name));
    if (first && rows_[*first].cluster == *first) {
      rows_[name.page].cluster = *first;
    } else {
      named[others++] = name;
    }
  }
  std::sort(named.begin(), named.begin() + others, [&](const ClusterName& left, const ClusterName& right) {
    const int order = name_of(left).compare(name_of(right));
    return order != 0 ? order < 0 : left.page < right.page;
  });
  for (std::size_t begin = 0, end = 0; begin < others; begin = end) {
    const std::string_view name = name_of(named[begin]);
    std::uint32_t first = named[begin].page;
    for (; end < others && name_of(named[end]) == name; ++end) {
      if (id(named[end].page) == id_in_cluster_name(name)) first = named[end].page;
    }
    for (std::size_t i = begin; i < end; ++i) rows_[named[i].page].cluster = first;
  }
  return {};
}

Status IndexCatalogue::group() {
  PARAPRINT_TRY(by_text_.resize_for_overwrite(size()));
  std::iota(by_text_.begin(), by_text_.end(), 0U);
  PARAPRINT_TRY(clusters_.build(size(), by_text_, [this](std::uint32_t page) { return rows_[page].cluster; }));
  std::sort(by_text_.begin(), by_text_.end(), [this](std::uint32_t left, std::uint32_t right) {
    return rows_[left].text != rows_[right].text ? rows_[left].text < rows_[right].text : left < right;
  });
  return {};
}

std::span<const std::uint32_t> IndexCatalogue::text_pages(std::uint32_t page) const {
  struct ByText {
    const IndexCatalogue& catalogue;
    bool operator()(std::uint32_t left, std::uint64_t text) const { return catalogue.row(left).text < text; }
    bool operator()(std::uint64_t text, std::uint32_t right) const { return text < catalogue.row(right).text; }
  };
  const auto [begin, end] = std::equal_range(by_text_.begin(), by_text_.end(), rows_[page].text, ByText{*this});
  return {begin, end};
}

void IndexCatalogue::count() {
  std::vector<ClusterHead> largest;
  for (std::uint32_t page = 0; page < size(); ++page) {
    HostRow& host = hosts_[rows_[page].host];
    ++host.pages;
    if (is_copy(page)) {
      ++copies_;
      ++host.removed;
    }
    const auto pages = static_cast<std::uint32_t>(cluster_pages(page).size());
    if (pages < 2) continue;
    ++cluster_count_;
    count_cluster(pages, cluster_sizes_);
    keep_largest({pages, page}, largest);
  }
  for (const ClusterHead& head : largest) largest_clusters_.push_back(head.kept_page);
  matrix_ = count_host_matrix(hosts_, [this](const CopyVisitor& visit) {
    for (std::uint32_t page = 0; page < size(); ++page) {
      if (is_copy(page)) visit(rows_[page].host, rows_[rows_[page].cluster].host);
    }
  });
  const auto is_first = [this](std::uint32_t page) { return !is_copy(page); };
  dates_ = count_periods(
      size(), [this](std::uint32_t page) { return date(page); }, is_first);
  std::string seen;
  first_seen_ = count_periods(
      size(), [&](std::uint32_t page) -> std::string_view { return seen = utc_time(rows_[page].first_seen_seconds); },
      is_first);
}

std::string utc_time(std::uint64_t seconds) {
  std::tm parts{};
  const auto time = static_cast<std::time_t>(std::min<std::uint64_t>(seconds, UINT32_MAX));
  if (gmtime_r(&time, &parts) == nullptr) return {};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace paraprint::inline explorer::inline known
