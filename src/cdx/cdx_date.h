// Dates of records as the 14 digits of indexes.
#pragma once

#include <string>
#include <string_view>

namespace paraprint::inline cdx {

// Of a WARC-Date; fractions of a second are cut off. Empty if it is not a date.
std::string cdx_timestamp(std::string_view warc_date);

// Of the header line of an ARC record. Missing digits and parts out of range become the largest that are possible, as
// warcio reads them: early ARC files have no seconds. Empty if the line has no date.
std::string arc_timestamp(std::string_view header_line);

}  // namespace paraprint::inline cdx
