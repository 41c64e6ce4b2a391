// Finds pages of an index by what is asked of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view/known/index_catalogue.h"

namespace paraprint::inline explorer::inline known {

enum class KnownOrder : std::uint8_t { kId, kSizeDown, kClusterDown, kFirstSeenDown, kLastSeenDown };
// "id", "-size", "-cluster", "-first", "-last"; nothing for another name.
std::optional<KnownOrder> known_order_of(std::string_view name);

// Every condition that is given must hold. Texts are found anywhere, ASCII letters in any case.
struct KnownQuery {
  std::string id;
  std::string url;
  std::string host;
  std::optional<bool> is_copy;  // not the first page of its cluster
  std::uint32_t characters_minimum = 0;
  std::uint32_t cluster_pages_minimum = 1;
  std::optional<std::uint32_t> cluster;    // the cluster of this page
  std::optional<std::uint32_t> same_text;  // as this page has
  KnownOrder order = KnownOrder::kId;
};

// All pages that fulfil the conditions in their order, equal ones by id. About 0.1 us per page and condition. Threads:
// any number.
std::vector<std::uint32_t> find_known_pages(const IndexCatalogue& catalogue, const KnownQuery& query);

}  // namespace paraprint::inline explorer::inline known
