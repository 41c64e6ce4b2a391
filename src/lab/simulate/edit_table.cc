// The table of edits and the parser of edit specifications. Row order is significant: edits are applied in this order,
// and the random draw runs over it, so moving a row changes the corpus made from a given seed.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/nearest_name.h"
#include "base/propagate.h"
#include "lab/simulate/edit.h"

namespace paraprint::inline lab::inline simulate {
namespace {

bool always(const Article&) {
  return true;
}
// Edits that leave out or move whole paragraphs need several to choose from.
bool has_several_paragraphs(const Article& article) {
  constexpr std::size_t kSeveral = 4;
  return article.paragraphs.size() >= kSeveral;
}
bool is_chinese(const Article& article) {
  return article.language == ArticleLanguage::kChinese;
}
bool is_chinese_or_english(const Article& article) {
  return article.language != ArticleLanguage::kOther;
}
// The synonym lists and the rewriting rules are written in Simplified Chinese and English.
bool is_simplified_or_english(const Article& article) {
  return is_chinese_or_english(article) && !article.is_traditional;
}
// For exact-copy: GroupMaker copies the original's bytes instead of rendering the page.
void nothing(EditContext& context) {
  ++context.changes;
}

constexpr std::string_view kMeasured = "measured: near while Dice is at least 0.8, else topic";
constexpr std::string_view kTextKept = "text kept: dup";

// Weights follow how common an edit is among reposts, but leave each edit enough pages for a figure of its own.
constexpr EditRow kRows[] = {
    {{kExactCopyEdit, "the original's bytes under another address", "no meaning", kTextKept, 1, 1},
     EditPhase::kCopy,
     6,
     always,
     nothing},
    {{"digest", "several articles one after the other on one page, each under its title",
      "number of additional articles: 1 to 3", "topic, and the page contains each of them", 0.2, 1},
     EditPhase::kStructure,
     4,
     always,
     edit_digest},
    {{"excerpt", "a run of paragraphs with commentary before and after", "share of the text left out", kMeasured, 0.1,
      0.8},
     EditPhase::kStructure,
     5,
     has_several_paragraphs,
     edit_excerpt},
    {{kPaginationEdit, "the article over several pages", "number of pages: 2 to 5", "each is a part: topic", 0.1, 1},
     EditPhase::kStructure,
     3,
     has_several_paragraphs,
     edit_pagination},
    {{"truncation", "the beginning and 'read more'", "share of the text left out", kMeasured, 0.05, 0.7},
     EditPhase::kStructure,
     5,
     always,
     edit_truncation},
    {{"paragraph-deletion", "paragraphs left out", "share of the paragraphs", kMeasured, 0.05, 0.4},
     EditPhase::kContent,
     5,
     has_several_paragraphs,
     edit_paragraph_deletion},
    {{"sentence-deletion", "sentences left out", "share of the sentences", kMeasured, 0.05, 0.4},
     EditPhase::kContent,
     5,
     always,
     edit_sentence_deletion},
    {{"insertion", "sentences of other articles put in", "their characters as a share of the text's", kMeasured, 0.05,
      0.5},
     EditPhase::kContent,
     5,
     always,
     edit_insertion},
    {{"paragraph-order", "paragraphs in another order", "share of the paragraphs that change places",
      "text kept in pieces: near", 0.1, 1},
     EditPhase::kContent,
     5,
     has_several_paragraphs,
     edit_paragraph_order},
    {{"rewriting", "clauses swapped, connectors and markers of voice changed by rule",
      "share of the sentences in which a rule that fits is applied", kMeasured, 0.1, 1},
     EditPhase::kContent,
     6,
     is_simplified_or_english,
     edit_rewriting},
    {{"synonyms", "words replaced by synonyms, from a list of our own", "share of the words that the list knows",
      kMeasured, 0.1, 1},
     EditPhase::kContent,
     6,
     is_simplified_or_english,
     edit_synonyms},
    {{"word-substitution", "words replaced by words of other articles", "share of the words", kMeasured, 0.01, 0.3},
     EditPhase::kContent,
     5,
     always,
     edit_word_substitution},
    {{kRegionalWordsEdit, "words of the mainland for those used in Taiwan or back, by OpenCC, in the same script",
      "share of the paragraphs", kMeasured, 0.2, 1},
     EditPhase::kContent,
     3,
     is_chinese,
     edit_regional_words},
    {{"typos", "letters swapped, dropped, doubled, mistyped; homophones", "share of the words with a mistake",
      kMeasured, 0.005, 0.08},
     EditPhase::kContent,
     5,
     always,
     edit_typos},
    {{"ocr", "letters read as others of the same shape, stray spaces", "share of the words with a mistake", kMeasured,
      0.005, 0.08},
     EditPhase::kContent,
     4,
     always,
     edit_ocr},
    {{"paragraph-borders", "paragraphs split between sentences, and joined", "share of the paragraphs", kTextKept, 0.1,
      1},
     EditPhase::kSurface,
     5,
     always,
     edit_paragraph_borders},
    {{kScriptEdit, "Simplified to Traditional Chinese or back, by OpenCC's phrases", "no meaning", kTextKept, 1, 1},
     EditPhase::kSurface,
     5,
     is_chinese,
     edit_script},
    {{"width", "letters and digits to full width, or punctuation to half width", "share of the characters", kTextKept,
      0.1, 1},
     EditPhase::kSurface,
     4,
     is_chinese,
     edit_width},
    {{kTemplateEdit, "another site: navigation, advertisements, related links, layout, fonts",
      "how much of it surrounds the text", kTextKept, 0.1, 1},
     EditPhase::kPage,
     6,
     always,
     edit_template},
    {{"markup", "<p>, <br>, <div>, <font> or <section> instead of what the site has", "no meaning", kTextKept, 1, 1},
     EditPhase::kPage,
     5,
     always,
     edit_markup},
    {{"comments", "a thread of comments below the text", "number of comments: up to 24",
      "text kept: dup (comments are not the article)", 0.1, 1},
     EditPhase::kPage,
     5,
     always,
     edit_comments},
    {{"dateline", "date, author, source and editor above and below the text", "number of lines: 1 to 6",
      "text kept: dup (these lines are not the article)", 0.1, 1},
     EditPhase::kPage,
     5,
     always,
     edit_dateline},
    {{"charset", "GBK, GB18030, Big5, UTF-16, Shift_JIS, EUC-KR, windows-125x, windows-874, KOI8-R",
      "how badly it is declared: header, meta only, not at all, wrongly", kTextKept, 0.1, 1},
     EditPhase::kPage,
     5,
     always,
     edit_charset},
};

// from_chars() rather than strtod(): independent of the locale, and it reports trailing characters.
Result<double> parse_strength(std::string_view name, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value > 0 && value <= 1) return value;
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("edit '{}': the strength '{}' must be a number above 0 and at most 1", name, text));
}

Result<EditChoice> choose_edit(std::string_view specification) {
  const std::size_t equals = specification.find('=');
  const std::string_view name = specification.substr(0, equals);
  const auto row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const EditRow& known) { return known.info.name == name; });
  if (row == std::end(kRows)) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("unknown edit '{}';{} `paraprint simulate --list-edits` lists all", name,
                               suggestion_for(name, kRows, [](const EditRow& known) { return known.info.name; })));
  }
  EditChoice choice{row, row->info.strength_least, row->info.strength_most};
  if (equals == std::string_view::npos) return choice;
  const std::string_view range = specification.substr(equals + 1);
  const std::size_t dash = range.find('-');
  const Result<double> least = parse_strength(name, range.substr(0, dash));
  PARAPRINT_TRY(least);
  PARAPRINT_ASSIGN(const double most,
                   dash == std::string_view::npos ? least : parse_strength(name, range.substr(dash + 1)));
  if (most < *least) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("edit '{}': the range {} ends below its start", name, range));
  }
  // A single number is a range of one value.
  choice.strength_least = *least;
  choice.strength_most = most;
  return choice;
}

}  // namespace

std::span<const EditRow> edit_rows() {
  return kRows;
}

}  // namespace paraprint::inline lab::inline simulate

namespace paraprint {

std::vector<EditInfo> edit_types() {
  std::vector<EditInfo> infos;
  for (const EditRow& row : kRows) infos.push_back(row.info);
  return infos;
}

}  // namespace paraprint

namespace paraprint::inline lab::inline simulate {

std::uint32_t pagination_parts(double strength) {
  // Two to five pages.
  constexpr double kMostBeyondTwo = 3;
  return 2 + static_cast<std::uint32_t>(strength * kMostBeyondTwo);
}

Result<std::vector<EditChoice>> choose_edits(const std::vector<std::string>& specifications) {
  std::vector<EditChoice> choices;
  for (const std::string& specification : specifications) {
    PARAPRINT_ASSIGN(EditChoice choice, choose_edit(specification));
    // Two ranges for one edit would be ambiguous.
    for (const EditChoice& other : choices) {
      if (other.row != choice.row) continue;
      return failure(ErrorCode::kInvalidArgument, fmt::format("edit '{}' is given twice", choice.row->info.name));
    }
    choices.push_back(choice);
  }
  if (choices.empty()) {
    for (const EditRow& row : kRows) choices.push_back({&row, row.info.strength_least, row.info.strength_most});
  }
  // Into table order, which is the order in which edits are applied.
  std::sort(choices.begin(), choices.end(), [](const EditChoice& a, const EditChoice& b) { return a.row < b.row; });
  return choices;
}

}  // namespace paraprint::inline lab::inline simulate
