// Reads tab-separated tables, plain or gzip: the format of labels and of judged pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint::inline profile {

// Lines hold ids and short words; a longer line cannot be one.
inline constexpr std::size_t kTableLineBytesMaximum = std::size_t{1} << 20;

// Calls visit(1-based line number, fields) for every line that is neither blank nor starts with '#'.
// Fields are separated by tabs, or by spaces in a line without tabs, and trimmed. Errors: those of
// `visit`, which stop the reading; kNotFound, kPermissionDenied, kInputOutput; kCorruptData for damaged
// gzip data; kLimitExceeded for an overlong line.
Status read_table(const std::string& path,
                  const std::function<Status(std::uint64_t line, std::span<const std::string_view> fields)>& visit);

}  // namespace paraprint::inline profile
