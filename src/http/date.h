// Normalises the date formats of archives and data sets to "2024-05-01T10:00:00Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paraprint::inline http {

// Accepts ISO 8601 from "2024" to "2024-05-01T10:00:00.123+02:00" (with "T" or a space; no zone means UTC) and ARC's
// digits from "2024" to "20240501100000" (further digits are fractions). Missing parts default to their minimum.
// Returns nullopt if the text is not a date or names a day or time that does not exist.
std::optional<std::string> normalise_date(std::string_view text);

}  // namespace paraprint::inline http
