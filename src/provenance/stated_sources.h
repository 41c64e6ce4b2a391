// Statements of pages about where their text comes from, resolved among the pages of a cluster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "provenance/traced_page.h"

namespace paraprint::inline provenance {

// `page` points to `source`.
struct SourceStatement {
  std::uint32_t page = 0;
  std::uint32_t source = 0;
  Reason reason = Reason::kStatedSource;
  double lean = 0;    // log odds that `source` was there first
  double parent = 0;  // the same, that it is the direct source and no other page
};

struct StatedSources {
  std::vector<SourceStatement> statements;  // by page, then by source; one per pair and reason
  std::vector<bool> names_source;           // by page: another one than itself, in the cluster or not
};

// `problems`, one list per page, receives what cannot be relied upon. Of an address, host or name that many pages
// answer to, the first kNamesakesMaximum count. Pure. Cost: O(n log n).
inline constexpr std::size_t kNamesakesMaximum = 8;
StatedSources resolve_sources(std::span<const TracedPage> pages, std::span<std::vector<StatementProblem>> problems);

}  // namespace paraprint::inline provenance
