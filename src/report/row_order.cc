#include "report/row_order.h"

#include <fmt/format.h>

namespace paraprint {

Status check_ascending(const AtomicFile& file, std::uint64_t rows, std::string_view last_id, std::string_view id) {
  if (rows == 0 || last_id < id) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("{}: row {} ('{}') does not come after '{}'", file.path(), rows + 1, id, last_id));
}

Status check_pair_ascending(const AtomicFile& file, std::uint64_t rows, std::string_view last_id_a,
                            std::string_view last_id_b, std::string_view id_a, std::string_view id_b) {
  if (id_a >= id_b) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: row {}: '{}' must come before '{}'", file.path(), rows + 1, id_a, id_b));
  }
  if (rows == 0 || last_id_a < id_a || (last_id_a == id_a && last_id_b < id_b)) return {};
  return failure(ErrorCode::kInvalidArgument, fmt::format("{}: row {} ('{}', '{}') does not come after ('{}', '{}')",
                                                          file.path(), rows + 1, id_a, id_b, last_id_a, last_id_b));
}

}  // namespace paraprint
