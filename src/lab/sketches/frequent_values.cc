// Sorts all values of all pages and counts runs: values are distinct within a page, so the length of a run is the
// number of pages.
#include "lab/sketches/frequent_values.h"

#include <algorithm>
#include <numeric>

#include "memory/radix_sort.h"

namespace paraprint::inline lab::inline sketches {

std::vector<std::uint64_t> frequent_values(std::span<const PageFingerprint> fingerprints, std::uint64_t pages_maximum) {
  std::vector<std::uint32_t> by_text(fingerprints.size());
  std::iota(by_text.begin(), by_text.end(), std::uint32_t{0});
  const auto text = [&](std::uint32_t page) { return fingerprints[page].text_hash; };
  std::sort(by_text.begin(), by_text.end(), [&](std::uint32_t a, std::uint32_t b) { return text(a) < text(b); });

  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < by_text.size(); ++i) {
    if (i > 0 && text(by_text[i]) == text(by_text[i - 1])) continue;  // equal text has equal values
    const PageFingerprint& page = fingerprints[by_text[i]];
    if (page.state == FingerprintState::kUsable) values.insert(values.end(), page.values.begin(), page.values.end());
  }
  radix_sort(std::span(values), [](std::uint64_t value) { return value; });

  std::vector<std::uint64_t> frequent;
  for (std::size_t begin = 0; begin < values.size();) {
    std::size_t end = begin + 1;
    while (end < values.size() && values[end] == values[begin]) ++end;
    if (end - begin > pages_maximum) frequent.push_back(values[begin]);
    begin = end;
  }
  return frequent;
}

}  // namespace paraprint::inline lab::inline sketches
