// `paraprint compare` on a terminal: one column in the order of a, like a diff that knows paragraphs.
//
//   1 ~ passage in both, with [-words of a-] {+words of b+}, [~words of a~] {~their synonyms in b~} and
//       [>words found elsewhere in b>] {>the place where they are>}
//   2 = passage in both, same words
//   3 > = passage in both, moved
//     - only in a
//     + only in b, between the passages that surround it in b
//
// All text is printed through append_terminal_text(): a page must not send escape sequences to a terminal.
#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "report/compare_report.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"
#include "text/utf8.h"

namespace paraprint::inline report {
namespace {

enum class Style : std::uint8_t {
  kPlain,
  kRemoved,
  kAdded,
  kSynonymRemoved,
  kSynonymAdded,
  kMovedFrom,
  kMovedTo,
  kFaint,
  kStrong,
};

// Opening and closing marks. Those for removed and added words are wdiff's.
struct Marks {
  std::string_view open;
  std::string_view close;
};

Marks marks_of(Style style, bool use_colour) {
  // Indexed by Style.
  constexpr std::array kPlainMarks = {Marks{"", ""},     Marks{"[-", "-]"}, Marks{"{+", "+}"},
                                      Marks{"[~", "~]"}, Marks{"{~", "~}"}, Marks{"[>", ">]"},
                                      Marks{"{>", ">}"}, Marks{"", ""},     Marks{"", ""}};
  constexpr std::string_view kReset = "\x1b[0m";
  constexpr Marks kSynonym = {"\x1b[36m", kReset};
  constexpr Marks kMoved = {"\x1b[35m", kReset};
  constexpr std::array kColourMarks = {
      Marks{"", ""}, Marks{"\x1b[31m", kReset}, Marks{"\x1b[32m", kReset}, kSynonym, kSynonym, kMoved,
      kMoved,        Marks{"\x1b[2m", kReset},  Marks{"\x1b[1m", kReset}};
  return (use_colour ? kColourMarks : kPlainMarks)[static_cast<std::size_t>(style)];
}

// Width in terminal columns: East Asian wide and full-width characters take two, combining marks none.
std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char *at = text.data(), *const end = at + text.size(); at < end;) {
    const DecodedCharacter character = decode_character(at, end);
    at += character.size_bytes;
    const auto c = static_cast<UChar32>(character.code_point);
    const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    if (width == U_EA_WIDE || width == U_EA_FULLWIDTH) {
      columns += 2;
    } else if (character.code_point == kInvalidCharacter ||
               character_class(character.code_point) != CharacterClass::kMark) {
      ++columns;
    }
  }
  return columns;
}

struct StyledText {
  std::string_view text;
  Style style;
};

// Writes entries: a label, then text folded at the width and indented under itself.
class EntryWriter {
 public:
  explicit EntryWriter(const TerminalOptions& options)
      : options_(options), width_(std::clamp(options.width_columns, kWidthMinimum, kWidthMaximum)) {}

  void blank_line() { out_ += '\n'; }

  void write(std::string_view label, const std::vector<StyledText>& parts) {
    out_ += fmt::format("{:>{}} ", label, kLabelColumns);
    column_ = kLabelColumns + 1;
    for (const StyledText& part : parts) add(part);
    out_ += '\n';
  }

  std::string take() { return std::move(out_); }

 private:
  static constexpr std::size_t kLabelColumns = 7;
  static constexpr std::size_t kWidthMinimum = 40;
  static constexpr std::size_t kWidthMaximum = 400;

  // Folds between the tokens of the word diff, hence never inside a word. Marks are closed at a fold and opened again,
  // so that every line can be read, or copied, by itself.
  void add(const StyledText& part) {
    std::string safe;
    append_terminal_text(safe, part.text);
    // An entry is a single paragraph: its own line ends would break the indentation.
    std::replace(safe.begin(), safe.end(), '\n', ' ');
    if (safe.empty()) return;
    const Marks marks = marks_of(part.style, options_.use_colour);
    // Escape sequences take no columns.
    const std::size_t mark_columns = options_.use_colour ? 0 : marks.open.size();
    bool is_open = false;
    for (const DiffToken& token : diff_tokens(safe)) {
      const auto word = std::string_view(safe).substr(token.span.begin_bytes, token.span.size_bytes());
      // Trailing spaces may reach beyond the width; a token that is longer than a line gets a line of its own.
      const std::size_t ink = word.find_last_not_of(' ') + 1;
      if (ink > 0 && column_ + columns_of(word.substr(0, ink)) > width_ && column_ > kLabelColumns + 1) {
        out_.erase(out_.find_last_not_of(' ') + 1);
        if (is_open) out_ += marks.close;
        out_ += fmt::format("\n{:{}}", "", kLabelColumns + 1);
        column_ = kLabelColumns + 1;
        is_open = false;
      }
      if (!is_open) {
        out_ += marks.open;
        column_ += mark_columns;
        is_open = true;
      }
      out_ += word;
      column_ += columns_of(word);
    }
    if (is_open) out_ += marks.close;
    column_ += mark_columns;
  }

  const TerminalOptions& options_;
  std::size_t width_;
  std::size_t column_ = 0;
  std::string out_;
};

// Walks both texts at once: the lines of a in order, and before each passage that kept its place, the unmatched lines
// of b that precede it there.
class TerminalView {
 public:
  TerminalView(const Comparison& comparison, const TerminalOptions& options)
      : comparison_(comparison),
        options_(options),
        layout_(lay_out(comparison)),
        writer_(options),
        is_shown_(layout_.passages.size() + 1, false) {}

  std::string write() {
    write_head();
    for (const ComparisonLine& line : layout_.lines_a) {
      if (!line.is_boilerplate) add_line_of_a(line);
    }
    add_b_until(layout_.lines_b.size());
    flush_unmatched();
    return writer_.take();
  }

 private:
  void write_page(std::string_view name, const ShownPage& page) {
    writer_.write(name, {{!page.title.empty() ? page.title : page.id, Style::kStrong}});
    // Pages without a URL are named by their id.
    std::string details = !page.url.empty() ? page.url : page.id;
    if (!page.date.empty()) details += "  " + page.date;
    if (page.content_characters > 0) details += fmt::format("  {} characters", count_text(page.content_characters));
    writer_.write("", {{details, Style::kFaint}});
  }

  void write_head() {
    write_page("A", comparison_.a);
    write_page("B", comparison_.b);
    writer_.blank_line();
    const std::string sentence =
        fmt::format("{} Resemblance {:.2f}.", verdict_sentence(comparison_.match), comparison_.match.resemblance);
    writer_.write("", {{sentence, Style::kStrong}});
    const LayoutTotals& totals = layout_.totals;
    std::string counts =
        fmt::format("Passages: {} with the same words, {} changed, {} moved. Lines: {} only in A, {} only in B",
                    totals.equal, totals.changed, totals.moved, totals.only_a, totals.only_b);
    counts += totals.boilerplate > 0 ? fmt::format(", {} of site template (not shown).", totals.boilerplate) : ".";
    writer_.write("", {{counts, Style::kPlain}});
    if (totals.synonyms + totals.word_moves > 0) {
      writer_.write("", {{fmt::format("In changed passages: {} replaced by [~synonyms~], {} [>moved>].",
                                      counted(totals.synonyms, "word", "words"),
                                      counted(totals.word_moves, "run of words", "runs of words")),
                          Style::kPlain}});
    }
    if (layout_.text_cut_a || layout_.text_cut_b || layout_.spans_cut) {
      writer_.write("", {{fmt::format("Showing at most {} bytes of each text and {} matched spans.",
                                      count_text(kShownTextBytesMaximum), count_text(kShownSpansMaximum)),
                          Style::kPlain}});
    }
    writer_.blank_line();
  }

  void add_line_of_a(const ComparisonLine& line) {
    for (const TextRun& run : line.runs) {
      if (run.passage == 0) {
        add_unmatched('-', text(comparison_.a, run.span));
      } else if (!is_shown_[run.passage]) {
        is_shown_[run.passage] = true;
        // A moved passage says nothing about the place in b: following it would print later lines of b too early.
        if (!layout_.passages[run.passage - 1].is_moved) add_b_until(line_of_b(run.passage));
        flush_unmatched();
        write_passage(run.passage);
      }
    }
  }

  // Adds text found only in b, up to a line.
  void add_b_until(std::size_t end) {
    for (; next_b_ < end; ++next_b_) {
      const ComparisonLine& line = layout_.lines_b[next_b_];
      if (line.is_boilerplate) continue;
      for (const TextRun& run : line.runs) {
        if (run.passage == 0) add_unmatched('+', text(comparison_.b, run.span));
      }
    }
  }

  // Linear, once per passage; a comparison has at most kShownSpansMaximum passages.
  std::size_t line_of_b(std::uint32_t passage) const {
    const auto holds = [passage](const ComparisonLine& line) {
      return std::any_of(line.runs.begin(), line.runs.end(),
                         [&](const TextRun& run) { return run.passage == passage; });
    };
    const auto found = std::find_if(layout_.lines_b.begin(), layout_.lines_b.end(), holds);
    return static_cast<std::size_t>(found - layout_.lines_b.begin());
  }

  void write_passage(std::uint32_t number) {
    const Passage& passage = layout_.passages[number - 1];
    const bool is_changed = passage.kind == PassageKind::kChanged;
    const std::string label = fmt::format("{} {}{}", number, passage.is_moved ? "> " : "", is_changed ? "~" : "=");
    std::vector<StyledText> parts;
    if (!is_changed) {
      // Equal apart from folding (case, width, script), so one side is enough.
      parts.push_back({text(comparison_.a, passage.a), Style::kPlain});
    } else {
      const std::string_view words_a = text(comparison_.a, passage.a);
      const std::string_view words_b = text(comparison_.b, passage.b);
      for (const DiffRun& run : passage.diff.runs) {
        const auto removed = words_a.substr(run.a.begin_bytes, run.a.size_bytes());
        if (run.kind == DiffKind::kEqual) {
          parts.push_back({removed, Style::kPlain});
          continue;
        }
        const auto [from, to] = styles_of(run.kind);
        add_change(parts, removed, from);
        add_change(parts, words_b.substr(run.b.begin_bytes, run.b.size_bytes()), to);
      }
    }
    writer_.write(label, parts);
  }

  static std::pair<Style, Style> styles_of(DiffKind kind) {
    if (kind == DiffKind::kSynonym) return {Style::kSynonymRemoved, Style::kSynonymAdded};
    if (kind == DiffKind::kMoved) return {Style::kMovedFrom, Style::kMovedTo};
    return {Style::kRemoved, Style::kAdded};
  }

  // Trailing white space of changed words stays outside of the marks.
  static void add_change(std::vector<StyledText>& parts, std::string_view words, Style style) {
    const std::size_t end = words.find_last_not_of(" \t\n") + 1;
    if (end > 0) parts.push_back({words.substr(0, end), style});
    parts.push_back({words.substr(end), Style::kPlain});
  }

  void add_unmatched(char sign, std::string_view words) {
    constexpr std::string_view kSpaces = " \t\r\n";
    const std::size_t begin = words.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return;
    words = words.substr(begin, words.find_last_not_of(kSpaces) + 1 - begin);
    // Stretches of a and b alternate; each is flushed before the other begins.
    if (sign != unmatched_sign_) flush_unmatched();
    unmatched_sign_ = sign;
    unmatched_.push_back(words);
  }

  void flush_unmatched() {
    // Prints the collected stretch. Limited, because text found on one side only can be most of a page.
    const std::size_t limit = options_.unmatched_lines_maximum;
    const std::size_t shown = limit == 0 ? unmatched_.size() : std::min(limit, unmatched_.size());
    const Style style = unmatched_sign_ == '-' ? Style::kRemoved : Style::kAdded;
    const std::string label(1, unmatched_sign_);
    for (std::size_t i = 0; i < shown; ++i) {
      // Without colours the sign is enough.
      writer_.write(label, {{unmatched_[i], options_.use_colour ? style : Style::kPlain}});
    }
    if (shown < unmatched_.size()) {
      writer_.write(label, {{fmt::format("... and {} more only in {}", count_text(unmatched_.size() - shown),
                                         unmatched_sign_ == '-' ? "A" : "B"),
                             Style::kFaint}});
    }
    unmatched_.clear();
  }

  static std::string_view text(const ShownPage& page, TextSpan span) {
    return std::string_view(page.text).substr(span.begin_bytes, span.size_bytes());
  }

  const Comparison& comparison_;
  const TerminalOptions& options_;
  ComparisonLayout layout_;
  EntryWriter writer_;
  std::vector<bool> is_shown_;
  std::size_t next_b_ = 0;
  char unmatched_sign_ = '-';
  std::vector<std::string_view> unmatched_;
};

}  // namespace

std::string comparison_text(const Comparison& comparison, const TerminalOptions& options) {
  return TerminalView(comparison, options).write();
}

}  // namespace paraprint::inline report
