// A cluster or a text has its pages listed; every other search looks at all pages.
#include "view/known/known_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "view/page_search.h"

namespace paraprint::inline explorer::inline known {
namespace {

class KnownFilter {
 public:
  KnownFilter(const IndexCatalogue& catalogue, const KnownQuery& query) : catalogue_(catalogue), query_(query) {
    if (query.host.empty()) return;
    for (const HostRow& host : catalogue.hosts()) hosts_.push_back(contains_text(host.name, query.host));
  }

  bool accepts(std::uint32_t page) const {
    const CatalogueRow& row = catalogue_.row(page);
    if (row.characters < query_.characters_minimum) return false;
    if (query_.is_copy && *query_.is_copy != catalogue_.is_copy(page)) return false;
    if (query_.same_text && row.text != catalogue_.row(*query_.same_text).text) return false;
    if (!query_.host.empty() && !hosts_[row.host]) return false;
    if (query_.cluster_pages_minimum > 1 && catalogue_.cluster_pages(row.cluster).size() < query_.cluster_pages_minimum)
      return false;
    return (query_.id.empty() || contains_text(catalogue_.id(page), query_.id)) &&
           (query_.url.empty() || contains_text(catalogue_.url(page), query_.url));
  }

 private:
  const IndexCatalogue& catalogue_;
  const KnownQuery& query_;
  std::vector<bool> hosts_;
};

}  // namespace

std::optional<KnownOrder> known_order_of(std::string_view name) {
  static constexpr std::string_view kNames[] = {"id", "-size", "-cluster", "-first", "-last"};
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<KnownOrder>(found - std::begin(kNames));
}

std::vector<std::uint32_t> find_known_pages(const IndexCatalogue& catalogue, const KnownQuery& query) {
  const KnownFilter filter(catalogue, query);
  std::vector<std::uint32_t> found;
  if (query.cluster) {
    for (const std::uint32_t page : catalogue.cluster_pages(catalogue.row(*query.cluster).cluster)) {
      if (filter.accepts(page)) found.push_back(page);
    }
  } else {
    for (std::uint32_t page = 0; page < catalogue.size(); ++page) {
      if (filter.accepts(page)) found.push_back(page);
    }
  }
  switch (query.order) {
    case KnownOrder::kId:
      break;
    case KnownOrder::kSizeDown:
      sort_pages_by(found, [&](std::uint32_t page) { return -std::int64_t{catalogue.row(page).characters}; });
      break;
    case KnownOrder::kClusterDown:
      sort_pages_by(found, [&](std::uint32_t page) {
        return -static_cast<std::int64_t>(catalogue.cluster_pages(catalogue.row(page).cluster).size());
      });
      break;
    case KnownOrder::kFirstSeenDown:
      sort_pages_by(found, [&](std::uint32_t page) {
        return -static_cast<std::int64_t>(catalogue.row(page).first_seen_seconds);
      });
      break;
    case KnownOrder::kLastSeenDown:
      sort_pages_by(
          found, [&](std::uint32_t page) { return -static_cast<std::int64_t>(catalogue.row(page).last_seen_seconds); });
      break;
  }
  return found;
}

}  // namespace paraprint::inline explorer::inline known
