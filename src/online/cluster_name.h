// The names of clusters: the id of the page that began it, and for a page that had begun another cluster of that name
// before "##" and a number behind it. Ids of pages seldom end like this: those that occur again in a run end in '#' and
// a number, as many URLs do.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint::inline online {

inline constexpr std::string_view kClusterNumberMark = "##";

inline std::string numbered_cluster_name(std::string_view id, std::uint64_t number) {
  return fmt::format("{}{}{}", id, kClusterNumberMark, number);
}

// The id of the page that began a cluster of this name, if the name has a number; else the name. An id may look like
// such a name, so the page that has the name as its id comes first.
inline std::string_view id_in_cluster_name(std::string_view cluster) {
  const std::size_t mark = cluster.rfind(kClusterNumberMark);
  if (mark == std::string_view::npos) return cluster;
  const std::string_view number = cluster.substr(mark + kClusterNumberMark.size());
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? cluster.substr(0, mark) : cluster;
}

}  // namespace paraprint::inline online
