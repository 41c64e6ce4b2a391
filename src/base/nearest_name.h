// Suggests the known name that an unknown, probably mistyped one was meant to be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint::inline base {

// Bytes to insert, drop, replace, or exchange with their neighbour (the optimal string alignment of F. Damerau, 1964:
// the most frequent typing errors). Cost: the product of the lengths.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool is_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// The name among `rows` that is nearest to `name`, the first of several; `name_of` returns the name of a row. Empty if
// for every name more than half of the letters of the longer one would have to change, which is not a typing error.
template <class Rows, class NameOf>
std::string_view nearest_name(std::string_view name, const Rows& rows, NameOf&& name_of) {
  std::string_view nearest;
  std::size_t best = std::string_view::npos;
  for (const auto& row : rows) {
    const std::size_t distance = edit_distance(name, name_of(row));
    if (distance >= best || 2 * distance > std::max(name.size(), name_of(row).size())) continue;
    best = distance;
    nearest = name_of(row);
  }
  return nearest;
}

// " did you mean 'nearest'?", to be appended after a semicolon, or an empty string if no name is near.
template <class Rows, class NameOf>
std::string suggestion_for(std::string_view name, const Rows& rows, NameOf&& name_of) {
  const std::string_view nearest = nearest_name(name, rows, name_of);
  if (nearest.empty()) return {};
  std::string text = " did you mean '";
  text += nearest;
  return text + "'?";
}

}  // namespace paraprint::inline base
