#include "distribute/wanted_pages.h"

#include <algorithm>

namespace paraprint::distribute {

// A task without pages has the first page of the next one, which upper_bound() skips.
std::uint32_t owner_of_page(std::span<const std::uint32_t> first_pages, std::uint32_t page) {
  return static_cast<std::uint32_t>(std::upper_bound(first_pages.begin(), first_pages.end(), page) -
                                    first_pages.begin() - 1);
}

}  // namespace paraprint::distribute
