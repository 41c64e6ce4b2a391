// Compares what pages say of each other with which texts are equal. Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audit/site_page.h"
#include "paraprint/audit.h"

namespace paraprint::inline audit {

// `pages` are ascending by address, without duplicates. The result is by issue, group and address. Cost: a few searches
// for each page, alternate and copy.
std::vector<AuditRow> check_site(std::span<const SitePage> pages, std::uint64_t near_empty_characters);

// Whether two pages of a cluster have one text: one is a same or near copy of the other, or both are of a third. Parts
// of pages (contained, overlap) are not copies here.
bool is_copy_of_kept(const SitePage& page);

// The most frequent types first; those of equal frequency by shape.
std::vector<AuditPageType> page_types_of(std::span<const SitePage> pages);

}  // namespace paraprint::inline audit
