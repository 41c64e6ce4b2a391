// `paraprint compare A B`: one pair as an HTML file, as terminal text, and as JSON. All three use the same layout
// (comparison.h), so they always agree.
#pragma once

#include <cstddef>
#include <string>

#include "report/comparison.h"

namespace paraprint::inline report {

// A complete, self-contained HTML document with the same view as the report's match pages.
std::string comparison_html(const Comparison& comparison);

struct TerminalOptions {
  bool use_colour = false;                  // ANSI colours; otherwise changes are marked [-like-] {+this+}
  std::size_t width_columns = 100;          // line width; Han characters take two columns. Range 40 to 400
  std::size_t unmatched_lines_maximum = 8;  // shown of a stretch in one text only; the rest is counted. 0: all
};

// The verdict, the scores in words, then both texts in the order of a: equal passages, changed passages with their
// changed words marked, and the text found on one side only.
std::string comparison_text(const Comparison& comparison, const TerminalOptions& options);

// One indented JSON object (docs/output.md) with a final line feed: pages, verdict, scores,
// passages with offsets and changed words.
std::string comparison_json(const Comparison& comparison);

}  // namespace paraprint::inline report
