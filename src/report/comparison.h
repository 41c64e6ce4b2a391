// Two pages side by side: the input of every comparison view, and the layout that the HTML page, the terminal text and
// the JSON of a comparison share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/model.h"
#include "report/word_changes.h"
#include "report/word_diff.h"
#include "text/synonym_table.h"

namespace paraprint {

// A block of a page's text, for display: `MainContent::blocks` or the paragraphs of a profile. In text order, not
// overlapping; text outside every block is shown as running text.
struct ShownBlock {
  TextSpan span;
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t level = 0;       // of headings (1 to 6) and lists
  bool is_boilerplate = false;  // a template of its site: it has no weight in the scores
};

struct ShownPage {
  std::string id;
  std::string url;
  std::string title;
  std::string date;
  std::string label;  // "removed", "kept": what became of the page; empty if nothing
  std::string text;   // UTF-8, as extracted
  std::vector<ShownBlock> blocks;
  std::uint32_t content_characters = 0;
  // The text was longer than kept; the views say so. Spans beyond it are dropped.
  bool is_cut = false;
};

// A pair with everything needed to show it. `match` reads "a is ... b".
struct Comparison {
  ShownPage a;
  ShownPage b;
  Match match;
  std::vector<MatchedSpan> spans;
  TokenFold fold;  // optional: tokens equal after it are not marked as changed (case, width, script)
  const SynonymTable* synonyms = nullptr;  // optional: words of one meaning are marked apart from changed ones
};

// Text of a page beyond this is not shown in a view: a browser stays quick, and a person has stopped reading.
inline constexpr std::size_t kShownTextBytesMaximum = std::size_t{200} << 10;
// Matched spans beyond this are not shown.
inline constexpr std::size_t kShownSpansMaximum = 2'000;

enum class PassageKind : std::uint8_t {
  kEqual,    // the same words
  kChanged,  // one passage with edits
};

// A matched passage, numbered from 1 in the order of a.
struct Passage {
  TextSpan a;
  TextSpan b;
  PassageKind kind = PassageKind::kEqual;
  bool is_sentence = false;
  bool is_moved = false;  // out of the order that most passages keep (not in a longest increasing subsequence)
  std::uint8_t distance_bits = 0;
  WordDiff diff;  // of kChanged, classified; offsets relative to a.begin_bytes and b.begin_bytes
};

// Where a span of a passage stands in the page's text.
inline TextSpan shifted(TextSpan span, std::uint32_t offset_bytes) {
  return {span.begin_bytes + offset_bytes, span.end_bytes + offset_bytes};
}

// A stretch of one line of one side: part of at most one passage.
struct Run {
  TextSpan span;
  std::uint32_t passage = 0;  // index + 1 into Layout::passages, 0: unmatched
  DiffKind kind = DiffKind::kEqual;
  TextSpan partner;  // of kSynonym: the word of the other text
};

struct Line {
  std::vector<Run> runs;  // cover the line's text
  BlockRole role = BlockRole::kParagraph;
  std::uint8_t level = 0;
  bool is_boilerplate = false;
};

struct LayoutTotals {
  std::uint32_t equal = 0;  // passages
  std::uint32_t changed = 0;
  std::uint32_t moved = 0;   // also counted above
  std::uint32_t only_a = 0;  // lines of a with nothing matched, boilerplate aside
  std::uint32_t only_b = 0;
  std::uint32_t boilerplate = 0;  // lines of both
  std::uint32_t synonyms = 0;     // words in changed passages whose partner means the same
  std::uint32_t word_moves = 0;   // runs of words that stand elsewhere in the partner of their passage
  ChangeTotals words;             // of passages
};

// Of the content characters of both texts, templates of their sites aside, those in common by words, in any order,
// synonyms and moved words counted as equal: shared / (a + b - shared), shared being the mean of both sides. In [0, 1].
double word_resemblance(const Comparison& comparison, const LayoutTotals& totals);

struct Layout {
  std::vector<Passage> passages;
  std::vector<Line> lines_a;
  std::vector<Line> lines_b;
  LayoutTotals totals;
  bool text_cut_a = false;
  bool text_cut_b = false;
  bool spans_cut = false;
};

// Lays out `comparison`. Spans may overlap (a matched sentence inside a matched paragraph): one inside the same pair of
// passages is part of it, any other keeps its own words. Spans outside the text are dropped or cut to it.
// Deterministic. O(text + spans log spans) and the word diffs.
Layout lay_out(const Comparison& comparison);

}  // namespace paraprint
