// What was meant by a name that nobody knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint {

// Levenshtein distance of bytes. Cost: the product of the lengths.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// The name among `rows` that is nearest to `name`; `name_of` tells a row's. The first of equals. Empty where all are so
// far that more than half of the longer one's letters would have to change: such a name was not mistyped.
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

// " did you mean 'nearest'?", or nothing if none is near; goes behind a semicolon.
template <class Rows, class NameOf>
std::string suggestion_for(std::string_view name, const Rows& rows, NameOf&& name_of) {
  const std::string_view nearest = nearest_name(name, rows, name_of);
  if (nearest.empty()) return {};
  std::string text = " did you mean '";
  text += nearest;
  return text + "'?";
}

}  // namespace paraprint
