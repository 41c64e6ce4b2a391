// Tab-separated tables, plain or gzip: how labels come.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "paraprint/result.h"

namespace paraprint {

// Fields of a labels line are ids and short words: a longer line is no label.
inline constexpr std::size_t kTableLineBytesMaximum = std::size_t{1} << 20;

// Calls visit(line number from 1, fields) for every line that is neither blank nor begins with '#'. Fields are
// separated by tabs, in a line without one by spaces, and trimmed. Errors: those of `visit`, which end the reading;
// kNotFound, kPermissionDenied, kInputOutput; kCorruptData for broken compression, kLimitExceeded for a line that is
// too long.
Status read_table(const std::string& path,
                  const std::function<Status(std::uint64_t line, std::span<const std::string_view> fields)>& visit);

}  // namespace paraprint
