// The HTML and JSON forms of a comparison; the terminal form is in terminal_view.cc. JSON keys are part of the
// documented output (docs/output.md), so adding one is safe, while renaming or removing one breaks callers.
#include "report/compare_report.h"

#include <string_view>
#include <utility>

#include "report/json_lines.h"
#include "report/json_writer.h"
#include "report/match_view.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

void write_page(JsonWriter& json, std::string_view name, const ShownPage& page, bool is_cut) {
  json.key(name);
  json.begin_object();
  json.member("id", std::string_view(page.id));
  json.member("url", std::string_view(page.url));
  json.member("title", std::string_view(page.title));
  json.member("date", std::string_view(page.date));
  json.member("content_characters", page.content_characters);
  json.member("is_cut", is_cut);
  json.end_object();
}

// Spans come from the layout, which has dropped those outside of the text.
std::string_view words_of(const ShownPage& page, TextSpan span) {
  return std::string_view(page.text).substr(span.begin_bytes, span.size_bytes());
}

// Names are part of the JSON format.
std::string_view kind_name(DiffKind kind) {
  switch (kind) {
    case DiffKind::kEqual:
      return "equal";
    case DiffKind::kSynonym:
      return "synonym";
    case DiffKind::kMoved:
      return "moved";
    case DiffKind::kChanged:
      break;
  }
  return "changed";
}

// A pair of spans with their texts, so that readers of the JSON need no second lookup.
void write_words(JsonWriter& json, const Comparison& comparison, TextSpan a, TextSpan b) {
  write_span(json, "span_a", a);
  write_span(json, "span_b", b);
  json.member("text_a", words_of(comparison.a, a));
  json.member("text_b", words_of(comparison.b, b));
}

// One passage: how it matched, where it is in both texts, and each changed run within it.
void write_passage(JsonWriter& json, const Comparison& comparison, const Passage& passage) {
  json.begin_object();
  json.member("kind", passage.kind == PassageKind::kEqual ? "equal" : "changed");
  json.member("is_moved", passage.is_moved);
  json.member("is_sentence", passage.is_sentence);
  json.member("distance_bits", passage.distance_bits);
  write_words(json, comparison, passage.a, passage.b);
  // Always present, so that readers need no test for the key; empty for equal passages.
  json.key("changes");
  json.begin_array();
  if (passage.kind == PassageKind::kChanged) {
    for (const DiffRun& run : passage.diff.runs) {
      if (run.kind == DiffKind::kEqual) continue;
      json.begin_object();
      json.member("kind", kind_name(run.kind));
      if (run.kind == DiffKind::kMoved) json.member("move", run.move);
      // The diff is relative to the passage, the output to the page's text.
      write_words(json, comparison, shifted(run.a, passage.a.begin_bytes), shifted(run.b, passage.b.begin_bytes));
      json.end_object();
    }
  }
  json.end_array();
  json.end_object();
}

void write_totals(JsonWriter& json, const LayoutTotals& totals) {
  json.key("totals");
  json.begin_object();
  json.member("passages_equal", totals.equal);
  json.member("passages_changed", totals.changed);
  json.member("passages_moved", totals.moved);
  json.member("lines_only_a", totals.only_a);
  json.member("lines_only_b", totals.only_b);
  json.member("lines_boilerplate", totals.boilerplate);
  json.member("synonyms", totals.synonyms);
  json.member("word_moves", totals.word_moves);
  json.end_object();
}

// Content characters of passages, by kind of change.
void write_word_characters(JsonWriter& json, const ChangeTotals& words) {
  json.key("word_characters");
  json.begin_object();
  json.member("equal_a", words.equal_a);
  json.member("equal_b", words.equal_b);
  json.member("synonym_a", words.synonym_a);
  json.member("synonym_b", words.synonym_b);
  json.member("moved_a", words.moved_a);
  json.member("moved_b", words.moved_b);
  json.member("changed_a", words.changed_a);
  json.member("changed_b", words.changed_b);
  json.end_object();
}

}  // namespace

std::string comparison_html(const Comparison& comparison) {
  PageFrame frame;
  frame.title = "paraprint compare";
  frame.name = "paraprint compare";
  return match_page(std::move(frame), comparison);
}

std::string comparison_json(const Comparison& comparison) {
  const ComparisonLayout layout = lay_out(comparison);
  const Match& match = comparison.match;
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  write_page(json, "a", comparison.a, layout.text_cut_a);
  write_page(json, "b", comparison.b, layout.text_cut_b);
  json.member("verdict", verdict_name(match.verdict));
  json.member("resemblance", Real{match.resemblance});
  json.member("containment_a", Real{match.containment_a});
  json.member("containment_b", Real{match.containment_b});
  json.member("matched_characters", Real{match.matched_characters, kCharactersDecimals});
  json.member("word_resemblance", Real{word_resemblance(comparison, layout.totals)});
  write_totals(json, layout.totals);
  write_word_characters(json, layout.totals.words);
  json.member("spans_cut", layout.spans_cut);
  json.key("passages");
  json.begin_array();
  for (const Passage& passage : layout.passages) write_passage(json, comparison, passage);
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace paraprint::inline report
