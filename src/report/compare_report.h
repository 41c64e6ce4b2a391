// `paraprint compare A B`: one pair as an HTML file, as terminal text, and as JSON. The same layout (comparison.h)
// serves all three, so they always agree.
#pragma once

#include <cstddef>
#include <string>

#include "report/comparison.h"

namespace paraprint {

// A complete HTML document, self-contained, the same view as the match pages of the report.
std::string comparison_html(const Comparison& comparison);

struct TerminalOptions {
  bool use_colour = false;                  // ANSI colours; without them changes are marked [-so-] {+thus+}
  std::size_t width_columns = 100;          // lines are folded here; Han characters take two columns. Range 40 to 400
  std::size_t unmatched_lines_maximum = 8;  // of a stretch that stands on one side only; the rest is counted. 0: all
};

// The verdict, the scores in words, then both texts in the order of a: equal passages, changed ones with the words
// marked, and what stands on one side only.
std::string comparison_text(const Comparison& comparison, const TerminalOptions& options);

// One JSON object (docs/output.md), indented, ending in a line end: pages, verdict, scores, passages with offsets and
// changed words.
std::string comparison_json(const Comparison& comparison);

}  // namespace paraprint
