// Which task has a page. The pages of a run are divided into ranges
// of consecutive numbers, one per task: the owner of a page reads the batch that the page is in. So each task reads its
// share of the stored batches from front to back, however many tasks want pages of it.
#pragma once

#include <cstdint>
#include <span>

namespace paraprint::distribute {

// `first_pages`: StageSettings::first_pages. Requires page < first_pages.back().
std::uint32_t owner_of_page(std::span<const std::uint32_t> first_pages, std::uint32_t page);

}  // namespace paraprint::distribute
