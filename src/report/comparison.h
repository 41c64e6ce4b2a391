// Two pages side by side: the input of every comparison view, and the layout shared by the HTML page, the terminal text
// and the JSON of a comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/model.h"
#include "report/word_changes.h"
#include "report/word_diff.h"
#include "text/synonym_table.h"

namespace paraprint::inline report {

// A block of a page's text, for display: `MainContent::blocks` or the paragraphs of a profile. In text order, without
// overlaps; text outside every block is shown as running text.
struct ShownBlock {
  TextSpan span;
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t level = 0;       // for headings (1 to 6) and lists
  bool is_boilerplate = false;  // part of its site's template, which has no weight in the scores
};

struct ShownPage {
  std::string id;
  std::string url;
  std::string title;
  std::string date;
  std::string label;  // "removed" or "kept"; empty if neither
  std::string text;   // UTF-8, as extracted
  std::vector<ShownBlock> blocks;
  std::uint32_t content_characters = 0;
  // The text was longer than what was kept, which the views state. Spans beyond its end are dropped.
  bool is_cut = false;
};

// A pair and everything needed to show it. `match` reads "a is ... b".
struct Comparison {
  ShownPage a;
  ShownPage b;
  Match match;
  std::vector<MatchedSpan> spans;
  TokenFold fold;  // optional: tokens that are equal after folding (case, width, script) are not marked as changed
  const SynonymTable* synonyms = nullptr;  // optional: marks synonyms separately from changed words
};

// Maximum text of a page shown in a view, so that browsers stay responsive.
inline constexpr std::size_t kShownTextBytesMaximum = std::size_t{200} << 10;
// Maximum number of matched spans shown.
inline constexpr std::size_t kShownSpansMaximum = 2'000;

enum class PassageKind : std::uint8_t {
  kEqual,    // the same words
  kChanged,  // one passage with edits
};

// A matched passage; passages are numbered from 1 in the order of a.
struct Passage {
  TextSpan a;
  TextSpan b;
  PassageKind kind = PassageKind::kEqual;
  bool is_sentence = false;
  bool is_moved = false;  // not part of the largest set of passages that keep their order
  std::uint8_t distance_bits = 0;
  WordDiff diff;  // for kChanged, classified; offsets relative to a.begin_bytes and b.begin_bytes
};

// Converts a span relative to a passage into one relative to the page's text.
inline TextSpan shifted(TextSpan span, std::uint32_t offset_bytes) {
  return {span.begin_bytes + offset_bytes, span.end_bytes + offset_bytes};
}

// A stretch within one line of one side; part of at most one passage.
struct TextRun {
  TextSpan span;
  std::uint32_t passage = 0;  // index + 1 into ComparisonLayout::passages; 0 if unmatched
  DiffKind kind = DiffKind::kEqual;
  TextSpan partner;  // for kSynonym: the word in the other text
};

struct ComparisonLine {
  std::vector<TextRun> runs;  // cover the line completely
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t level = 0;
  bool is_boilerplate = false;
};

struct LayoutTotals {
  std::uint32_t equal = 0;  // passages
  std::uint32_t changed = 0;
  std::uint32_t moved = 0;   // included in the above
  std::uint32_t only_a = 0;  // lines of a without any match, except boilerplate
  std::uint32_t only_b = 0;
  std::uint32_t boilerplate = 0;  // lines of both texts
  std::uint32_t synonyms = 0;     // words in changed passages replaced by a synonym
  std::uint32_t word_moves = 0;   // runs of words moved within their passage
  ChangeTotals words;             // content characters of passages by kind of change
};

// Word-level resemblance in [0, 1]: shared / (a + b - shared), where a and b are the content characters of the two
// texts without site templates, and shared is the mean of the characters that each has in common with the other, in any
// order, synonyms and moved words included.
double word_resemblance(const Comparison& comparison, const LayoutTotals& totals);

struct ComparisonLayout {
  std::vector<Passage> passages;
  std::vector<ComparisonLine> lines_a;
  std::vector<ComparisonLine> lines_b;
  LayoutTotals totals;
  bool text_cut_a = false;
  bool text_cut_b = false;
  bool spans_cut = false;
};

// Lays out `comparison`. Spans may overlap (a matched sentence inside a matched paragraph): a span nested in a pair of
// matched paragraphs belongs to it; any other keeps its own words. Spans that reach beyond the text are dropped.
// Deterministic. O(text + spans log spans) plus the word diffs.
ComparisonLayout lay_out(const Comparison& comparison);

}  // namespace paraprint::inline report
