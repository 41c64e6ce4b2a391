// The pages that tasks want to compare, as parcels for the tasks that fetch them. The positions of a run are divided
// evenly among these, so that each reads its share of the stored batches once, from front to back, however many tasks
// want pages of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "distribute/records.h"

namespace paraprint::distribute {

// For each page number the position of its batch entry.
std::vector<std::uint32_t> positions_of_pages(std::span<const std::uint32_t> number_of_position);

// Writes "requests" records for `box`, which has a partition per task of stage "fetch". `task` is the task that wants
// the pages; a page that is given several times is written once. `pages` is sorted by this call.
void write_wanted_pages(std::span<std::uint32_t> pages, std::uint32_t task, std::span<const std::uint32_t> positions,
                        std::uint32_t partitions, ParcelBox& box);

}  // namespace paraprint::distribute
