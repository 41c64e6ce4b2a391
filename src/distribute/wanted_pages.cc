#include "distribute/wanted_pages.h"

#include <algorithm>

namespace paraprint::distribute {

std::vector<std::uint32_t> positions_of_pages(std::span<const std::uint32_t> number_of_position) {
  std::vector<std::uint32_t> positions(number_of_position.size());
  for (std::uint32_t position = 0; position < positions.size(); ++position) {
    positions[number_of_position[position]] = position;
  }
  return positions;
}

void write_wanted_pages(std::span<std::uint32_t> pages, std::uint32_t task, std::span<const std::uint32_t> positions,
                        std::uint32_t partitions, ParcelBox& box) {
  std::sort(pages.begin(), pages.end());
  for (std::size_t at = 0; at < pages.size(); ++at) {
    if (at > 0 && pages[at] == pages[at - 1]) continue;
    const std::uint64_t position = positions[pages[at]];
    ByteWriter out(box.record_for(static_cast<std::uint32_t>(position * partitions / positions.size())));
    write_wanted_page({position, pages[at], task}, out);
  }
}

}  // namespace paraprint::distribute
