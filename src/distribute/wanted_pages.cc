#include "distribute/wanted_pages.h"

#include <algorithm>

namespace paraprint::distribute {

// A task without pages has the first page of the next one, which upper_bound() skips.
std::uint32_t owner_of_page(std::span<const std::uint32_t> first_pages, std::uint32_t page) {
  return static_cast<std::uint32_t>(std::upper_bound(first_pages.begin(), first_pages.end(), page) -
                                    first_pages.begin() - 1);
}

void write_wanted_pages(std::span<std::uint32_t> pages, std::uint32_t task, std::span<const std::uint32_t> first_pages,
                        ParcelBox& box) {
  std::sort(pages.begin(), pages.end());
  for (std::size_t at = 0; at < pages.size(); ++at) {
    if (at > 0 && pages[at] == pages[at - 1]) continue;
    ByteWriter out(box.record_for(owner_of_page(first_pages, pages[at])));
    write_wanted_page({pages[at], task}, out);
  }
}

}  // namespace paraprint::distribute
