// The rules are inlined into the loops of joins; only the check of their minimum is here.
#include "index/overlap_rule.h"

#include <fmt/format.h>

namespace paraprint::inline index {

Status check_overlap_minimum(double minimum) {
  if (minimum > 0 && minimum <= 1) return {};
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("similarity minimum is {}; it must be above 0 and at most 1", minimum));
}

}  // namespace paraprint::inline index
