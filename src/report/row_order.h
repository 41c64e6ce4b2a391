// The order of every table: ascending by id as bytes, so that equal runs write equal files.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/atomic_file.h"
#include "paraprint/result.h"

namespace paraprint::inline report {

// kInvalidArgument unless `id` > `last_id`; the first row (rows == 0) is always in order.
Status check_ascending(const AtomicFile& file, std::uint64_t rows, std::string_view last_id, std::string_view id);

// The same for pairs, which also need id_a < id_b.
Status check_pair_ascending(const AtomicFile& file, std::uint64_t rows, std::string_view last_id_a,
                            std::string_view last_id_b, std::string_view id_a, std::string_view id_b);

}  // namespace paraprint::inline report
