// The body of a side-by-side page: verdict and scores in words, legend, the two texts with linked passages. The
// report's match pages and `paraprint compare` share it.
#pragma once

#include <string>

#include "report/comparison.h"
#include "report/html_page.h"

namespace paraprint::inline report {

// A complete document in `frame`, whose script is set here.
std::string match_page(PageFrame frame, const Comparison& comparison);

}  // namespace paraprint::inline report
