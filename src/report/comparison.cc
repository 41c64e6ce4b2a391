// Lays out a comparison in steps: usable spans in the order of a, without nested sentences, adjacent sentences joined,
// become passages with word diffs; then each side's text is cut into lines, and lines into runs that belong to at most
// one passage each. Spans come from stored profiles and are not trusted: they may overlap, or lie outside of the text.
#include "report/comparison.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/text_safety.h"
#include "text/normalise.h"

namespace paraprint::inline report {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

std::string_view part(std::string_view text, TextSpan span) {
  return text.substr(span.begin_bytes, span.size_bytes());
}

bool is_inside(TextSpan inner, TextSpan outer) {
  return inner.begin_bytes >= outer.begin_bytes && inner.end_bytes <= outer.end_bytes;
}

// The spans that can be shown: inside both (possibly shortened) texts and not empty, sorted by position in a. Stable,
// so that spans at equal positions keep the matcher's order.
std::vector<MatchedSpan> usable_spans(const Comparison& comparison, std::string_view text_a, std::string_view text_b) {
  std::vector<MatchedSpan> usable;
  for (MatchedSpan span : comparison.spans) {
    if (span.a.end_bytes > text_a.size() || span.b.end_bytes > text_b.size()) continue;
    // A span of another version of the text may end within a character, which would print as garbage.
    span.a = clamp_to_characters(text_a, span.a);
    span.b = clamp_to_characters(text_b, span.b);
    if (span.a.size_bytes() > 0 && span.b.size_bytes() > 0) usable.push_back(span);
  }
  std::stable_sort(usable.begin(), usable.end(), [](const MatchedSpan& x, const MatchedSpan& y) {
    return std::pair(x.a.begin_bytes, x.b.begin_bytes) < std::pair(y.a.begin_bytes, y.b.begin_bytes);
  });
  return usable;
}

// Drops sentences nested in a pair of matched paragraphs, because they belong to that match. Quadratic at worst, on at
// most kShownSpansMaximum spans.
std::vector<MatchedSpan> without_nested_sentences(const std::vector<MatchedSpan>& spans) {
  std::vector<MatchedSpan> whole;
  std::copy_if(spans.begin(), spans.end(), std::back_inserter(whole), [](const auto& s) { return !s.is_sentence; });
  std::vector<MatchedSpan> result;
  for (const MatchedSpan& span : spans) {
    const bool is_nested = span.is_sentence && std::any_of(whole.begin(), whole.end(), [&](const MatchedSpan& outer) {
                             return is_inside(span.a, outer.a) && is_inside(span.b, outer.b);
                           });
    if (!is_nested) result.push_back(span);
  }
  return result;
}

// True if nothing but white space without a line feed lies between `first` and `second`.
bool is_adjacent(std::string_view text, TextSpan first, TextSpan second) {
  if (second.begin_bytes < first.end_bytes) return false;
  const auto between = part(text, {first.end_bytes, second.begin_bytes});
  return is_blank(between) && between.find('\n') == std::string_view::npos;
}

// Joins sentences that follow each other on both sides: to a reader they are one passage. The distance of the joined
// passage is the largest of its sentences.
std::vector<MatchedSpan> with_joined_sentences(const std::vector<MatchedSpan>& spans, std::string_view text_a,
                                               std::string_view text_b) {
  std::vector<MatchedSpan> result;
  for (const MatchedSpan& span : spans) {
    if (!result.empty() && result.back().is_sentence && span.is_sentence &&
        is_adjacent(text_a, result.back().a, span.a) && is_adjacent(text_b, result.back().b, span.b)) {
      result.back().a.end_bytes = span.a.end_bytes;
      result.back().b.end_bytes = span.b.end_bytes;
      result.back().distance_bits = std::max(result.back().distance_bits, span.distance_bits);
    } else {
      result.push_back(span);
    }
  }
  return result;
}

// Marks moved passages: those outside of the increasing subsequence (order in a against order in b) that keeps the most
// text in place. By weight rather than by count, so that one long passage does not count as moved because of two short
// ones. Quadratic, on at most kShownSpansMaximum passages.
void mark_moved(std::vector<Passage>& passages) {
  // best[i] is the weight of the heaviest subsequence that ends with passage i, previous[i] its last but one member.
  constexpr std::size_t kNone = SIZE_MAX;
  std::vector<std::uint64_t> best(passages.size(), 0);
  std::vector<std::size_t> previous(passages.size(), kNone);
  std::size_t last = kNone;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (passages[j].b.begin_bytes < passages[i].b.begin_bytes && best[j] > best[i]) {
        best[i] = best[j];
        previous[i] = j;
      }
    }
    best[i] += passages[i].a.size_bytes();
    if (last == kNone || best[i] > best[last]) last = i;
  }
  // Walk back from the heaviest end.
  for (Passage& passage : passages) passage.is_moved = true;
  for (; last != kNone; last = previous[last]) passages[last].is_moved = false;
}

std::vector<Passage> make_passages(const std::vector<MatchedSpan>& spans, std::string_view text_a,
                                   std::string_view text_b, const Comparison& comparison) {
  std::vector<Passage> passages;
  for (const MatchedSpan& span : spans) {
    Passage passage;
    passage.a = span.a;
    passage.b = span.b;
    passage.is_sentence = span.is_sentence;
    passage.distance_bits = span.distance_bits;
    const std::string_view words_a = part(text_a, span.a);
    const std::string_view words_b = part(text_b, span.b);
    // Equal bytes need no diff; a diff may still find only differences that folding ignores, such as case.
    if (words_a != words_b) {
      passage.diff = diff_words(words_a, words_b, comparison.fold);
      classify_changes(words_a, words_b, comparison.fold, comparison.synonyms, passage.diff);
      const bool has_change = std::any_of(passage.diff.runs.begin(), passage.diff.runs.end(),
                                          [](const DiffRun& run) { return run.kind != DiffKind::kEqual; });
      passage.kind = has_change ? PassageKind::kChanged : PassageKind::kEqual;
    }
    passages.push_back(std::move(passage));
  }
  mark_moved(passages);
  return passages;
}

enum class Side { kA, kB };

// The stretches of one side's text that belong to passages, ascending and disjoint. Sweeps over all span borders;
// paragraph matches are assigned first, so that a sentence matched elsewhere keeps its own words.
std::vector<TextRun> owned_stretches(const std::vector<Passage>& passages, Side side) {
  const auto span_of = [side](const Passage& passage) { return side == Side::kA ? passage.a : passage.b; };
  std::vector<std::uint32_t> borders;
  for (const Passage& passage : passages) {
    borders.push_back(span_of(passage).begin_bytes);
    borders.push_back(span_of(passage).end_bytes);
  }
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  // owner[i] is the passage (index + 1) between borders i and i + 1.
  std::vector<std::uint32_t> owner(borders.size(), 0);
  for (const bool paints_sentences : {false, true}) {
    for (std::size_t i = 0; i < passages.size(); ++i) {
      if (passages[i].is_sentence != paints_sentences) continue;
      const auto at = [&](std::uint32_t offset) {
        return std::lower_bound(borders.begin(), borders.end(), offset) - borders.begin();
      };
      const TextSpan span = span_of(passages[i]);
      std::fill(owner.begin() + at(span.begin_bytes), owner.begin() + at(span.end_bytes),
                static_cast<std::uint32_t>(i + 1));
    }
  }
  std::vector<TextRun> stretches;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    if (owner[i] == 0) continue;
    // Neighbouring pieces of one passage are one stretch, even if the borders of another passage cut it.
    if (!stretches.empty() && stretches.back().passage == owner[i] && stretches.back().span.end_bytes == borders[i]) {
      stretches.back().span.end_bytes = borders[i + 1];
    } else {
      stretches.push_back({{borders[i], borders[i + 1]}, owner[i], DiffKind::kEqual, {}});
    }
  }
  return stretches;
}

// Cuts each stretch at the borders of its passage's changed words.
std::vector<TextRun> with_changes(const std::vector<TextRun>& stretches, const std::vector<Passage>& passages,
                                  Side side) {
  std::vector<TextRun> runs;
  for (const TextRun& stretch : stretches) {
    const Passage& passage = passages[stretch.passage - 1];
    if (passage.kind == PassageKind::kEqual) {
      runs.push_back(stretch);
      continue;
    }
    for (const DiffRun& run : passage.diff.runs) {
      TextSpan words = shifted(run.a, passage.a.begin_bytes);
      TextSpan partner = shifted(run.b, passage.b.begin_bytes);
      // The diff is stored from a's point of view.
      if (side == Side::kB) std::swap(words, partner);
      // Another passage may own part of this one, so a change may lie partly or wholly outside of the stretch.
      const TextSpan inside{std::max(words.begin_bytes, stretch.span.begin_bytes),
                            std::min(words.end_bytes, stretch.span.end_bytes)};
      if (inside.begin_bytes < inside.end_bytes) runs.push_back({inside, stretch.passage, run.kind, partner});
    }
  }
  return runs;
}

// Cuts text into lines and lines into runs in a single pass: both are added in ascending order, and `next_` is the
// first run that may reach into the current line.
class LineBuilder {
 public:
  LineBuilder(std::string_view text, const std::vector<TextRun>& runs) : text_(text), runs_(runs) {}

  void add(TextSpan span, const ShownBlock& block) {
    while (span.begin_bytes < span.end_bytes) {
      const auto line_end = std::min<std::size_t>(text_.find('\n', span.begin_bytes), span.end_bytes);
      add_line({span.begin_bytes, static_cast<std::uint32_t>(line_end)}, block);
      span.begin_bytes = static_cast<std::uint32_t>(line_end) + 1;
    }
  }

  std::vector<ComparisonLine> take() { return std::move(lines_); }

 private:
  void add_line(TextSpan span, const ShownBlock& block) {
    // Blank lines carry nothing to compare and would count as unmatched.
    if (is_blank(part(text_, span))) return;
    ComparisonLine line;
    line.role = block.role;
    line.level = block.level;
    line.is_boilerplate = block.is_boilerplate;
    std::uint32_t at = span.begin_bytes;
    while (next_ < runs_.size() && runs_[next_].span.end_bytes <= at) ++next_;
    // A run may span several lines, so `next_` is not advanced past it here.
    for (std::size_t i = next_; i < runs_.size() && runs_[i].span.begin_bytes < span.end_bytes; ++i) {
      TextRun run = runs_[i];
      run.span.begin_bytes = std::max(run.span.begin_bytes, at);
      run.span.end_bytes = std::min(run.span.end_bytes, span.end_bytes);
      if (run.span.begin_bytes > at) line.runs.push_back(unmatched({at, run.span.begin_bytes}));
      line.runs.push_back(run);
      at = run.span.end_bytes;
    }
    if (at < span.end_bytes) line.runs.push_back(unmatched({at, span.end_bytes}));
    lines_.push_back(std::move(line));
  }

  static TextRun unmatched(TextSpan span) { return {span, 0, DiffKind::kEqual, {}}; }

  std::string_view text_;
  const std::vector<TextRun>& runs_;
  std::size_t next_ = 0;
  std::vector<ComparisonLine> lines_;
};

std::vector<ComparisonLine> make_lines(const ShownPage& page, std::string_view text, const std::vector<TextRun>& runs) {
  // Blocks should be sorted and disjoint; sort and clip them anyway, because LineBuilder relies on it.
  std::vector<ShownBlock> blocks = page.blocks;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const ShownBlock& x, const ShownBlock& y) { return x.span.begin_bytes < y.span.begin_bytes; });
  LineBuilder builder(text, runs);
  std::uint32_t at = 0;
  for (const ShownBlock& block : blocks) {
    TextSpan span = clamp_to_characters(text, block.span);
    span.begin_bytes = std::max(span.begin_bytes, at);
    if (span.begin_bytes >= span.end_bytes) continue;
    // Text between blocks is shown as running text: nothing of the page may be missing from the view.
    builder.add({at, span.begin_bytes}, ShownBlock{});
    builder.add(span, block);
    at = span.end_bytes;
  }
  builder.add({at, static_cast<std::uint32_t>(text.size())}, ShownBlock{});
  return builder.take();
}

// Boilerplate is counted apart, even if it matched: it has no weight in the scores that the view explains.
void count_lines(const std::vector<ComparisonLine>& lines, std::uint32_t& only_here, std::uint32_t& boilerplate) {
  for (const ComparisonLine& line : lines) {
    const bool is_unmatched =
        std::all_of(line.runs.begin(), line.runs.end(), [](const TextRun& r) { return r.passage == 0; });
    if (line.is_boilerplate) {
      ++boilerplate;
    } else if (is_unmatched) {
      ++only_here;
    }
  }
}

void count_words(const Passage& passage, std::string_view text_a, std::string_view text_b, LayoutTotals& totals) {
  // An equal passage has no diff; count it as a single equal run.
  WordDiff equal;
  equal.runs.push_back({{0, passage.a.size_bytes()}, {0, passage.b.size_bytes()}, DiffKind::kEqual, 0});
  const WordDiff& diff = passage.kind == PassageKind::kEqual ? equal : passage.diff;
  totals.words.add(part(text_a, passage.a), part(text_b, passage.b), diff);
  for (const DiffRun& run : diff.runs) {
    if (run.kind == DiffKind::kSynonym) ++totals.synonyms;
    // A move has a run on each side; count it once.
    if (run.kind == DiffKind::kMoved && run.a.size_bytes() > 0) ++totals.word_moves;
  }
}

// The page's content characters outside of its site's template.
std::uint64_t own_characters(const ShownPage& page) {
  std::uint64_t boilerplate = 0;
  for (const ShownBlock& block : page.blocks) {
    const bool is_shown = block.span.begin_bytes < page.text.size();  // a long text may be cut
    if (block.is_boilerplate && is_shown) boilerplate += count_content_characters(part(page.text, block.span));
  }
  return page.content_characters - std::min<std::uint64_t>(boilerplate, page.content_characters);
}

}  // namespace

double word_resemblance(const Comparison& comparison, const LayoutTotals& totals) {
  const ChangeTotals& words = totals.words;
  const auto both = static_cast<double>(own_characters(comparison.a) + own_characters(comparison.b));
  // Joined or overlapping passages may count characters twice; the cap keeps the result at most 1.
  const double shared = std::min(both / 2, static_cast<double>(words.equal_a + words.equal_b + words.synonym_a +
                                                               words.synonym_b + words.moved_a + words.moved_b) /
                                               2);
  return both > 0 ? shared / (both - shared) : 0;
}

ComparisonLayout lay_out(const Comparison& comparison) {
  // Limits first, layout after: all steps below work on texts and spans of bounded size.
  const std::string_view text_a = utf8_prefix(comparison.a.text, kShownTextBytesMaximum);
  const std::string_view text_b = utf8_prefix(comparison.b.text, kShownTextBytesMaximum);
  ComparisonLayout layout;
  layout.text_cut_a = comparison.a.is_cut || text_a.size() < comparison.a.text.size();
  layout.text_cut_b = comparison.b.is_cut || text_b.size() < comparison.b.text.size();

  std::vector<MatchedSpan> spans = usable_spans(comparison, text_a, text_b);
  if (spans.size() > kShownSpansMaximum) {
    spans.resize(kShownSpansMaximum);
    layout.spans_cut = true;
  }
  spans = with_joined_sentences(without_nested_sentences(spans), text_a, text_b);
  layout.passages = make_passages(spans, text_a, text_b, comparison);

  const auto runs_of = [&](Side side) {
    return with_changes(owned_stretches(layout.passages, side), layout.passages, side);
  };
  layout.lines_a = make_lines(comparison.a, text_a, runs_of(Side::kA));
  layout.lines_b = make_lines(comparison.b, text_b, runs_of(Side::kB));

  for (const Passage& passage : layout.passages) {
    ++(passage.kind == PassageKind::kEqual ? layout.totals.equal : layout.totals.changed);
    if (passage.is_moved) ++layout.totals.moved;
    count_words(passage, text_a, text_b, layout.totals);
  }
  count_lines(layout.lines_a, layout.totals.only_a, layout.totals.boilerplate);
  count_lines(layout.lines_b, layout.totals.only_b, layout.totals.boilerplate);
  return layout;
}

}  // namespace paraprint::inline report
