// What addresses that one program makes have in common: the crawler counts per shape how many pages in a row brought
// nothing new, and so sees a calendar or a list of session ids for what it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "web/url.h"

namespace paraprint {

// "https://example.org/calendar/2031/05?view=month&day=3" -> "example.org/calendar/#/#?view&day". Runs of digits become
// '#'; a path segment or a run in it that reads like an identifier (eight or more hexadecimal digits, letters and
// digits mixed) becomes '*'; of parameters the names remain, in their order.
std::string url_shape(const Url& url);

// How often the same run of path segments stands right behind itself, at most: "/a/b/a/b/a/b/c" -> 3 ("a/b"), "/x/y" ->
// 1. Relative links on pages that should not exist make such paths without end. Cost: quadratic in the segments, of
// which kUrlBytesMaximum allows a thousand.
std::size_t repeated_path_segments(const Url& url);

}  // namespace paraprint
