// Runs carry their words, so that the page needs neither offsets nor a second request. Texts are those of strangers:
// they stay plain strings here, and the page shows them as text.
#include "view/pair_json.h"

#include <string_view>

#include "paraprint/engine.h"
#include "report/text_safety.h"

namespace paraprint::inline explorer {
namespace {

std::string_view role_name(BlockRole role) {
  switch (role) {
    case BlockRole::kParagraph:
      return "paragraph";
    case BlockRole::kHeading:
    case BlockRole::kTitle:
      return "heading";
    case BlockRole::kListItem:
      return "item";
    case BlockRole::kTableRow:
      return "row";
    case BlockRole::kQuote:
      return "quote";
    case BlockRole::kCode:
      return "code";
  }
  return "paragraph";
}

std::string_view run_kind_name(DiffKind kind) {
  switch (kind) {
    case DiffKind::kEqual:
      return "equal";
    case DiffKind::kSynonym:
      return "synonym";
    case DiffKind::kMoved:
      return "shifted";
    case DiffKind::kChanged:
      break;
  }
  return "changed";
}

std::string_view words_at(std::string_view text, TextSpan span) {
  return text.substr(span.begin_bytes, span.size_bytes());
}

void write_side(std::string_view name, const ShownPage& page, bool is_cut, const std::vector<ComparisonLine>& lines,
                std::string_view partner_text, JsonWriter& json) {
  json.key(name);
  json.begin_object();
  json.member("title", std::string_view(page.title));
  json.member("is_cut", is_cut);
  json.key("lines");
  json.begin_array();
  for (const ComparisonLine& line : lines) {
    json.begin_object();
    json.member("role", role_name(line.role));
    if (line.is_boilerplate) json.member("is_boilerplate", true);
    json.key("runs");
    json.begin_array();
    for (const TextRun& run : line.runs) {
      json.begin_object();
      json.member("text", words_at(page.text, run.span));
      if (run.passage != 0) json.member("passage", run.passage);
      if (run.kind != DiffKind::kEqual) json.member("kind", run_kind_name(run.kind));
      if (run.kind == DiffKind::kSynonym) json.member("partner", words_at(partner_text, run.partner));
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

void write_comparison(const Comparison& comparison, JsonWriter& json) {
  const ComparisonLayout layout = lay_out(comparison);
  const Match& match = comparison.match;
  json.member("verdict", verdict_name(match.verdict));
  json.member("resemblance", Real{match.resemblance});
  json.member("containment_a", Real{match.containment_a});
  json.member("containment_b", Real{match.containment_b});
  json.member("matched_characters", Real{match.matched_characters, 0});
  json.member("word_resemblance", Real{word_resemblance(comparison, layout.totals)});
  json.key("totals");
  json.begin_object();
  json.member("equal", layout.totals.equal);
  json.member("changed", layout.totals.changed);
  json.member("moved", layout.totals.moved);
  json.member("synonyms", layout.totals.synonyms);
  json.member("word_moves", layout.totals.word_moves);
  json.member("only_a", layout.totals.only_a);
  json.member("only_b", layout.totals.only_b);
  json.member("boilerplate", layout.totals.boilerplate);
  json.end_object();
  json.member("spans_cut", layout.spans_cut);
  json.key("passages");
  json.begin_array();
  for (const Passage& passage : layout.passages) {
    json.begin_object();
    json.member("kind", passage.kind == PassageKind::kChanged ? "changed" : "equal");
    json.member("is_moved", passage.is_moved);
    json.end_object();
  }
  json.end_array();
  write_side("text_a", comparison.a, layout.text_cut_a, layout.lines_a, comparison.b.text, json);
  write_side("text_b", comparison.b, layout.text_cut_b, layout.lines_b, comparison.a.text, json);
}

}  // namespace paraprint::inline explorer
