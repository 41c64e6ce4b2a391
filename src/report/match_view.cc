// Turns a layout into the HTML of a side-by-side page. Passages are linked by their number in data-m:
// compare.js highlights and scrolls both sides and draws the ribbons between them. Without scripts the
// page still shows both texts with all marks.
#include "report/match_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

enum class Pane { kA, kB };

std::string_view kind_class(const Passage& passage) {
  return passage.kind == PassageKind::kChanged ? "changed" : "equal";
}

// The description of a passage for screen readers and tooltips.
std::string passage_words(const Passage& passage, std::uint32_t number) {
  return fmt::format("Passage {}: {}{}", number, passage.kind == PassageKind::kChanged ? "with changes" : "same words",
                     passage.is_moved ? ", moved" : "");
}

// Each begins with a space, because it is appended to another class.
std::string_view role_class(BlockRole role) {
  switch (role) {
    case BlockRole::kParagraph:
      return "";
    case BlockRole::kHeading:
    case BlockRole::kTitle:
      return " heading";
    case BlockRole::kListItem:
      return " item";
    case BlockRole::kTableRow:
      return " row";
    case BlockRole::kQuote:
      return " quote";
    case BlockRole::kCode:
      return " code";
  }
  return "";
}

// Writes the lines of one side. A passage's number appears where the passage begins, and only there.
class SideWriter {
 public:
  SideWriter(const ComparisonLayout& layout, std::string_view text, std::string_view partner_text, Pane side)
      : layout_(layout),
        text_(text),
        partner_text_(partner_text),
        side_(side),
        is_numbered_(layout.passages.size() + 1, false) {}

  std::string write(const std::vector<ComparisonLine>& lines) {
    for (const ComparisonLine& line : lines) add_line(line);
    if (lines.empty()) out_ += "<p class=\"empty\">No text.</p>\n";
    return std::move(out_);
  }

 private:
  void add_line(const ComparisonLine& line) {
    // Three kinds of lines: wholly within one passage (the line itself is the target), without any match, and mixed.
    const std::uint32_t only = line.runs.front().passage;
    const bool is_whole = only != 0 && std::all_of(line.runs.begin(), line.runs.end(),
                                                   [&](const TextRun& r) { return r.passage == only; });
    const bool is_alone =
        std::all_of(line.runs.begin(), line.runs.end(), [](const TextRun& r) { return r.passage == 0; });
    out_ += fmt::format("<div class=\"line{}{}", role_class(line.role), line.is_boilerplate ? " boilerplate" : "");
    if (is_whole) {
      open_passage_attributes(only, " whole");
      add_number(only);
      for (const TextRun& run : line.runs) add_words(run);
    } else {
      out_ += is_alone ? " alone\">" : "\">";
      add_mixed(line);
    }
    out_ += "</div>\n";
  }

  // A line with matched and unmatched parts; each part is marked separately.
  void add_mixed(const ComparisonLine& line) {
    for (std::size_t i = 0; i < line.runs.size();) {
      const std::uint32_t passage = line.runs[i].passage;
      if (passage == 0) {
        out_ += "<span class=\"rest\">";
        add_words(line.runs[i++]);
        out_ += "</span>";
        continue;
      }
      out_ += "<span class=\"m";
      open_passage_attributes(passage, "");
      add_number(passage);
      for (; i < line.runs.size() && line.runs[i].passage == passage; ++i) add_words(line.runs[i]);
      out_ += "</span>";
    }
  }

  // Completes the class attribute and the tag that the caller has opened.
  void open_passage_attributes(std::uint32_t number, std::string_view more_classes) {
    const Passage& passage = layout_.passages[number - 1];
    out_ += fmt::format("{} {}{}\" data-m=\"{}\" tabindex=\"0\" role=\"button\" title=\"{}\">", more_classes,
                        kind_class(passage), passage.is_moved ? " moved" : "", number, passage_words(passage, number));
  }

  void add_number(std::uint32_t number) {
    // A passage may cover several lines or continue after another one.
    if (is_numbered_[number]) return;
    is_numbered_[number] = true;
    const bool is_moved = layout_.passages[number - 1].is_moved;
    out_ += fmt::format("<span class=\"n\" aria-hidden=\"true\">{}{}</span>",
                        is_moved ? "<span class=\"arrow\">\u21C5</span>" : "", number);
  }

  // Writes the words of a run, marked if changed. White space after them stays outside of the mark, so that no
  // underlined gap is shown.
  void add_words(const TextRun& run) {
    std::string_view words = text_.substr(run.span.begin_bytes, run.span.size_bytes());
    const std::size_t end = words.find_last_not_of(" \t\n") + 1;
    if (run.kind == DiffKind::kEqual || end == 0) {
      append_html_text(out_, words);
      return;
    }
    // A is the text before the change, B the text after it.
    const std::string_view tag = side_ == Pane::kA ? "del" : "ins";
    out_ += fmt::format("<{}{}>", tag, change_attributes(run));
    append_html_text(out_, words.substr(0, end));
    out_ += fmt::format("</{}>", tag);
    append_html_text(out_, words.substr(end));
  }

  std::string change_attributes(const TextRun& run) const {
    const char other = side_ == Pane::kA ? 'B' : 'A';
    if (run.kind == DiffKind::kMoved) return fmt::format(" class=\"shifted\" title=\"elsewhere in {}\"", other);
    if (run.kind != DiffKind::kSynonym) return {};
    const std::string_view partner = partner_text_.substr(run.partner.begin_bytes, run.partner.size_bytes());
    return fmt::format(" class=\"synonym\" title=\"{}: {}\"", other,
                       html_text(partner.substr(0, partner.find_last_not_of(" \t\n") + 1)));
  }

  const ComparisonLayout& layout_;
  std::string_view text_;
  std::string_view partner_text_;
  Pane side_;
  std::vector<bool> is_numbered_;
  std::string out_;
};

// Kinds that do not occur are left out, except for equal passages, so that the legend explains what is on the page.
std::string legend(const LayoutTotals& totals, bool has_neighbours) {
  std::string out = "<div class=\"legend\">";
  out += fmt::format("<span class=\"l-equal\">{} with the same words</span>",
                     counted(totals.equal, "passage", "passages"));
  if (totals.changed > 0) {
    out += fmt::format("<span class=\"l-changed\">{} changed: <del>words of A</del> <ins>words of B</ins></span>",
                       count_text(totals.changed));
  }
  if (totals.synonyms > 0) {
    out += fmt::format("<span class=\"l-only\">{} replaced by <ins class=\"synonym\">synonyms</ins></span>",
                       counted(totals.synonyms, "word", "words"));
  }
  if (totals.word_moves > 0) {
    out += fmt::format("<span class=\"l-only\">{} <ins class=\"shifted\">moved within a passage</ins></span>",
                       counted(totals.word_moves, "run of words", "runs of words"));
  }
  if (totals.moved > 0) out += fmt::format("<span class=\"l-moved\">{} moved</span>", count_text(totals.moved));
  if (totals.only_a > 0)
    out += fmt::format("<span class=\"l-only\">{} only in A</span>", counted(totals.only_a, "line", "lines"));
  if (totals.only_b > 0)
    out += fmt::format("<span class=\"l-only\">{} only in B</span>", counted(totals.only_b, "line", "lines"));
  if (totals.boilerplate > 0) {
    out += fmt::format("<span class=\"l-only\"><s>{} of site template</s></span>",
                       counted(totals.boilerplate, "line", "lines"));
  }
  out += "<span class=\"tools\"><label><input type=\"checkbox\" id=\"follow\" checked>scroll together</label>";
  out += "<span class=\"keys-hint\"><kbd>j</kbd> <kbd>k</kbd> next, previous passage";
  if (has_neighbours) out += " &ensp; <kbd>\u2190</kbd> <kbd>\u2192</kbd> match";
  out += "</span></span>";
  return out + "</div>\n";
}

// Everything the page leaves out or simplifies is stated at its top.
std::string notes(const ComparisonLayout& layout) {
  std::string out;
  const auto note = [&out](std::string_view words) { out += fmt::format("<p class=\"notes\">{}</p>\n", words); };
  if (layout.text_cut_a || layout.text_cut_b) {
    note(fmt::format("{} shown up to {} bytes; passages beyond are not linked.",
                     layout.text_cut_a && layout.text_cut_b ? "Both texts are"
                     : layout.text_cut_a                    ? "Text A is"
                                                            : "Text B is",
                     count_text(kShownTextBytesMaximum)));
  }
  if (layout.spans_cut)
    note(fmt::format("Only the first {} matched spans are linked.", count_text(kShownSpansMaximum)));
  // The word diff gives up on very long or heavily edited passages (word_diff.h).
  const auto is_rough = [](const Passage& p) { return !p.diff.complete; };
  if (std::any_of(layout.passages.begin(), layout.passages.end(), is_rough)) {
    note("In very long or heavily edited passages, the whole stretch between the first and the last change is marked.");
  }
  return out;
}

std::string head(const Comparison& comparison, const ComparisonLayout& layout, bool has_neighbours) {
  const Match& match = comparison.match;
  std::string out = "<header class=\"head\">\n";
  out += fmt::format("<h1>{}</h1>\n<div class=\"scores\">", html_text(verdict_headline(match.verdict)));
  out += fmt::format("<span><b>{}</b> of A is in B</span>", html_text(percent_text(match.containment_a)));
  out += fmt::format("<span><b>{}</b> of B is in A</span>", html_text(percent_text(match.containment_b)));
  out += fmt::format("<span>resemblance <b>{:.2f}</b></span>", match.resemblance);
  out += fmt::format("<span>word by word <b>{:.2f}</b></span>", word_resemblance(comparison, layout.totals));
  out += fmt::format("<span><b>{}</b> characters matched</span></div>\n",
                     count_text(static_cast<std::uint64_t>(std::max(0.0F, match.matched_characters))));
  return out + legend(layout.totals, has_neighbours) + notes(layout) + "</header>\n";
}

// One text with its names above. Panes can be focused by script but are not tab stops themselves (tabindex -1).
std::string pane(const ShownPage& page, const ShownPage& partner, const ComparisonLayout& layout, Pane side) {
  const bool is_a = side == Pane::kA;
  const std::string_view name = !page.title.empty() ? page.title : page.id;
  std::string out = fmt::format("<article class=\"pane\" id=\"pane-{}\" aria-label=\"Text {}\" tabindex=\"-1\">\n",
                                is_a ? "a" : "b", is_a ? "A" : "B");
  out += fmt::format("<header><b>{}</b><div>", is_a ? "A" : "B");
  if (!page.label.empty()) out += fmt::format("<span class=\"role\">{}</span>", html_text(page.label));
  out += fmt::format("<bdi class=\"title break\">{}</bdi></div>", html_text(utf8_prefix(name, kShownNameBytesMaximum)));
  // Pages without a URL, such as rows of JSON lines, are named by their id.
  const std::string_view address = !page.url.empty() ? page.url : page.id;
  out += "<span class=\"url\">";
  if (!page.date.empty()) out += html_text(page.date) + " &ensp; ";
  if (page.content_characters > 0) out += count_text(page.content_characters) + " characters &ensp; ";
  if (address != name) out += fmt::format("<bdi>{}</bdi>", url_html(address));
  out += "</span></header>\n<div class=\"text\">\n";
  // The same limit as in lay_out(), which made the lines from this prefix.
  const std::string_view text = utf8_prefix(page.text, kShownTextBytesMaximum);
  out += SideWriter(layout, text, partner.text, side).write(is_a ? layout.lines_a : layout.lines_b);
  if (is_a ? layout.text_cut_a : layout.text_cut_b)
    out += "<p class=\"empty\">The text continues; only its beginning is shown.</p>\n";
  return out + "</div>\n</article>\n";
}

}  // namespace

std::string match_page(PageFrame frame, const Comparison& comparison) {
  frame.script = PageScript::kCompare;
  const ComparisonLayout layout = lay_out(comparison);
  std::string out = page_begin(frame);
  // Only pages of a report have neighbours, so only they mention the keys for them.
  out += head(comparison, layout, !frame.links.empty());
  out += "<main class=\"panes\">\n";
  out += pane(comparison.a, comparison.b, layout, Pane::kA);
  out += "<svg id=\"ribbons\" aria-hidden=\"true\"></svg>\n";
  out += pane(comparison.b, comparison.a, layout, Pane::kB);
  out += "</main>\n";
  return out + page_end(frame);
}

}  // namespace paraprint::inline report
