// Which task has a page, and requests for pages to the tasks that have them. The pages of a run are divided into ranges
// of consecutive numbers, one per task: the owner of a page reads the batch that the page is in. So each task reads its
// share of the stored batches from front to back, however many tasks want pages of it.
#pragma once

#include <cstdint>
#include <span>

#include "distribute/records.h"

namespace paraprint::distribute {

// `first_pages`: StageSettings::first_pages. Requires page < first_pages.back().
std::uint32_t owner_of_page(std::span<const std::uint32_t> first_pages, std::uint32_t page);

// Writes "requests" records for `box`, which has a partition per owner. `task` is the task that wants the pages; a page
// that is given several times is written once. `pages` is sorted by this call.
void write_wanted_pages(std::span<std::uint32_t> pages, std::uint32_t task, std::span<const std::uint32_t> first_pages,
                        ParcelBox& box);

}  // namespace paraprint::distribute
