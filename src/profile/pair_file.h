// Reads files of pairs of pages, named by their ids.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "paraprint/result.h"
#include "profile/page_table.h"

namespace paraprint::inline profile {

struct PairFileCounts {
  std::uint64_t pairs = 0;    // visited
  std::uint64_t unknown = 0;  // with an id that no page has, which are not visited
  std::string first_unknown;  // "line 3: no page has the id \"x\""
};

// Calls visit(page_a, page_b) for the first two columns of each line, separated by tabs (or spaces, in a line without
// tabs). Further columns, blank lines, lines that begin with '#' and a first line "id_a id_b" are ignored. Errors:
// kInvalidArgument for a line of one column or a page paired with itself; those of read_table()
// (profile/table_reader.h), and of `visit`. O(pairs * log pages).
Result<PairFileCounts> read_pair_file(const std::string& path, const PageTable& pages,
                                      const std::function<Status(std::uint32_t page_a, std::uint32_t page_b)>& visit);

}  // namespace paraprint::inline profile
