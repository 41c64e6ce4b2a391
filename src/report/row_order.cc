// Rows out of order are a mistake of the engine that would silently produce a file other programs cannot merge or
// search, so the writers check every row. One comparison per row, of strings that were just touched.
#include "report/row_order.h"

#include <fmt/format.h>

namespace paraprint::inline report {

Status check_ascending(const AtomicFile& file, std::uint64_t rows, std::string_view last_id, std::string_view id) {
  // std::string_view compares bytes as unsigned char, like memcmp, whatever the locale. `rows` and not an empty last_id
  // marks the first row: an empty id is possible.
  if (rows == 0 || last_id < id) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{}: row {}: id '{}' is out of order after '{}'", file.path(), rows + 1, id, last_id));
}

Status check_pair_ascending(const AtomicFile& file, std::uint64_t rows, std::string_view last_id_a,
                            std::string_view last_id_b, std::string_view id_a, std::string_view id_b) {
  if (id_a >= id_b) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: row {}: id_a '{}' must be less than id_b '{}'", file.path(), rows + 1, id_a, id_b));
  }
  if (rows == 0 || last_id_a < id_a || (last_id_a == id_a && last_id_b < id_b)) return {};
  return failure(ErrorCode::kInvalidArgument, fmt::format("{}: row {}: ('{}', '{}') is out of order after ('{}', '{}')",
                                                          file.path(), rows + 1, id_a, id_b, last_id_a, last_id_b));
}

}  // namespace paraprint::inline report
