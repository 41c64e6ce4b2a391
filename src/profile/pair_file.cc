// Ids are looked up in the table's order of ids, so that nothing is kept for pages that no line names.
#include "profile/pair_file.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string_view>

#include "base/propagate.h"
#include "profile/table_reader.h"

namespace paraprint::inline profile {
Result<PairFileCounts> read_pair_file(const std::string& path, const PageTable& pages,
                                      const std::function<Status(std::uint32_t page_a, std::uint32_t page_b)>& visit) {
  PairFileCounts counts;
  bool is_first = true;
  PARAPRINT_TRY(read_table(path, [&](std::uint64_t line, std::span<const std::string_view> fields) -> Status {
    const bool is_header = is_first && fields.size() > 1 && fields[0] == "id_a" && fields[1] == "id_b";
    is_first = false;
    if (is_header) return {};
    if (fields.size() < 2) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{}, line {}: one column; expected two ids, separated by a tab", path, line));
    }
    const std::optional<std::uint32_t> page_a = pages.find(fields[0]);
    const std::optional<std::uint32_t> page_b = pages.find(fields[1]);
    if (!page_a || !page_b) {
      if (++counts.unknown == 1) {
        counts.first_unknown = fmt::format("line {}: no page has the id \"{}\"", line, page_a ? fields[1] : fields[0]);
      }
      return {};
    }
    if (*page_a == *page_b) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{}, line {}: the page \"{}\" is paired with itself", path, line, fields[0]));
    }
    ++counts.pairs;
    return visit(*page_a, *page_b);
  }));
  return counts;
}

}  // namespace paraprint::inline profile
