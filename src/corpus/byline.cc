// Each date in the first bytes of a line is rated by the words before it, by where it stands below the heading, and by
// what else its line holds. The best one counts, the first of equal ones. The weights were chosen on one half of 337
// labelled pages and checked on the other (docs/extraction.md#dates-and-sources-in-the-text).
#include "corpus/byline.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "corpus/stated_source.h"
#include "html/tag_traits.h"
#include "html/walker.h"
#include "http/header_block.h"
#include "text/utf8.h"

namespace paraprint::inline corpus {
namespace {

constexpr std::size_t kLinesMaximum = 4000;
constexpr std::size_t kLineBytesMaximum = 600;  // of longer lines, the beginning is kept
constexpr std::size_t kLinksOfLineMaximum = 16;
constexpr std::size_t kTitleBytesMaximum = 1024;                     // no heading is that long
constexpr std::size_t kTitleBytesSearched = std::size_t{128} << 10;  // for all lines together
constexpr std::size_t kCandidatesMaximum = 2048;
constexpr std::size_t kLabelBytesMaximum = 48;  // before a date
constexpr std::size_t kShortLineBytes = 160;
constexpr std::size_t kLinesAboveHeading = 2;
constexpr std::size_t kCloseToHeadingBytes = 200;
constexpr std::size_t kNearHeadingBytes = 700;
constexpr std::size_t kFarFromHeadingBytes = 2500;
constexpr std::size_t kSignsBeforeNameBytes = 6;  // such as an opening bracket within the link
// What speaks for a date, and against it. Chosen together; only their sums mean something.
constexpr int kLabelScore = 6;  // also against it, if the words before it say that it is something else
constexpr int kTimeScore = 2;
constexpr int kAsideScore = -5;
constexpr int kLinkScore = -2;
constexpr int kProseScore = -3;
constexpr int kCurrentDayScore = -5;
constexpr int kCloseToHeadingScore = 6;
constexpr int kNearHeadingScore = 4;
constexpr int kFarFromHeadingScore = 1;
constexpr int kElsewhereScore = -1;
constexpr int kScoreMinimum = 4;
constexpr int kModifiedScoreMinimum = 1;

struct LabelWord {
  std::string_view word;
  DateLabel label = DateLabel::kNone;
};

// In lower case. The last one before a date decides; of those that begin at one place, the first of this list.
constexpr auto kLabelWords = [] {
  constexpr std::array<std::string_view, 33> kPublishedWords = {
      "publish",  "posted", "post date", "written", "created", "submitted", "launched", "issued", "entry-date",
      "filed on", "added",  "date:",     "date :",  "asked",   "started",   "发布",     "發布",   "发表",
      "發表",     "發佈",   "时间",      "時間",    "日期",    "创建",      "建立",     "刊登",   "登载",
      "来源于",   "發文",   "发文",      "出版",    "撰于",    "写于"};
  constexpr std::array<std::string_view, 11> kModifiedWords = {
      "updat", "modif", "edited", "lastmod", "revised", "reviewed", "更新", "修改", "修订", "修訂", "编辑于"};
  constexpr std::array<std::string_view, 17> kOtherWords = {
      "until", "expire", "valid",    "joined", "registered", "founded", "born", "since", "copyright",
      "(c)",   "says",   "deadline", "出生",   "版权",       "版權",    "注册", "加入"};
  std::array<LabelWord, kPublishedWords.size() + kModifiedWords.size() + kOtherWords.size()> words;
  std::size_t size = 0;
  for (const std::string_view word : kPublishedWords) words[size++] = {word, DateLabel::kPublished};
  for (const std::string_view word : kModifiedWords) words[size++] = {word, DateLabel::kModified};
  for (const std::string_view word : kOtherWords) words[size++] = {word, DateLabel::kOther};
  return words;
}();

// By a byte: a bit for each word that begins with it.
constexpr auto kLabelWordsByByte = [] {
  static_assert(kLabelWords.size() <= 64);
  std::array<std::uint64_t, 256> words{};
  for (std::size_t i = 0; i < kLabelWords.size(); ++i) {
    words[static_cast<unsigned char>(kLabelWords[i].word[0])] |= std::uint64_t{1} << i;
  }
  return words;
}();

DateLabel label_in(std::string_view text) {
  const std::string lower = to_lower(text);
  for (std::size_t at = lower.size(); at-- > 0;) {
    for (std::uint64_t words = kLabelWordsByByte[static_cast<unsigned char>(lower[at])]; words != 0;
         words &= words - 1) {
      const LabelWord& word = kLabelWords[static_cast<std::size_t>(std::countr_zero(words))];
      if (std::string_view(lower).substr(at).starts_with(word.word)) return word.label;
    }
  }
  return DateLabel::kNone;
}

bool names_weekday(std::string_view text) {
  const std::string lower = to_lower(text);
  for (const std::string_view day :
       {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "星期"}) {
    if (lower.find(day) != std::string::npos) return true;
  }
  return false;
}

// Letters and digits in lower case, for the comparison with a title.
std::string letters_of(std::string_view text) {
  std::string letters;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const DecodedCharacter character = decode_character(at, end);
    const char32_t c = character.code_point;
    const bool is_sign = c < 0x30 || (c > 0x39 && c < 0x41) || (c > 0x5A && c < 0x61) || (c > 0x7A && c < 0xC0) ||
                         (c >= 0x2000 && c < 0x2E80) || (c >= 0x3000 && c < 0x3040) || (c >= 0xFF00 && c < 0xFF10) ||
                         c == kInvalidCharacter;
    if (!is_sign) letters.append(at, character.size_bytes);
    at += character.size_bytes;
  }
  return to_lower(letters);
}

bool is_aside_name(std::string_view name) {
  const std::string lower = to_lower(name);
  return lower.find("comment") != std::string::npos || lower.find("related") != std::string::npos ||
         lower.find("sidebar") != std::string::npos || lower.find("recommend") != std::string::npos;
}

}  // namespace

// Divides the text into lines, which begin and end with blocks.
struct BylineReader::LineVisitor {
  static constexpr std::uint32_t kNoDepth = 0xFFFFFFFF;

  WalkAction enter(const HtmlNode* node, std::uint32_t depth) {
    if (stop.after(StopCheck::kUnitsPerNode) || lines.size() >= kLinesMaximum) return WalkAction::kStop;
    if (is_text(node)) {
      append(text_of(node));
      return WalkAction::kContinue;
    }
    if (!is_element(node)) return WalkAction::kContinue;
    const HtmlTag tag = tag_of(node);
    const std::uint16_t traits = tag_traits(tag);
    if ((traits & kTagNeverText) != 0) return WalkAction::kSkipSubtree;
    if ((traits & (kTagBlock | kTagLineBreak | kTagTableCell)) != 0) end_line();
    if (tag == LXB_TAG_A) {
      ++link_depth;
      if (line.links.size() < kLinksOfLineMaximum) {
        line.links.push_back({line.text.size(), document.attribute(node, HtmlAttribute::kHref)});
      }
    }
    heading_depth += (traits & kTagHeading) != 0 ? 1 : 0;
    if (aside_depth == kNoDepth && (is_aside_name(document.attribute(node, HtmlAttribute::kClass)) ||
                                    is_aside_name(document.attribute(node, HtmlAttribute::kId)))) {
      aside_depth = depth;
    }
    return WalkAction::kContinue;
  }

  void leave(const HtmlNode* node, std::uint32_t depth) {
    const HtmlTag tag = tag_of(node);
    const std::uint16_t traits = tag_traits(tag);
    if ((traits & (kTagBlock | kTagTableCell)) != 0) end_line();
    link_depth -= tag == LXB_TAG_A ? 1 : 0;
    heading_depth -= (traits & kTagHeading) != 0 ? 1 : 0;
    if (aside_depth == depth) aside_depth = kNoDepth;
  }

  // With single spaces.
  void append(std::string_view text) {
    const std::size_t size = line.text.size();
    for (const char c : text) {
      if (line.text.size() >= kLineBytesMaximum) break;
      const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
      if (!is_space) {
        line.text += c;
      } else if (!line.text.empty() && line.text.back() != ' ') {
        line.text += ' ';
      }
    }
    if (link_depth > 0) line.link_bytes += line.text.size() - size;
    line.is_heading |= heading_depth > 0;
    line.is_aside |= aside_depth != kNoDepth;
  }

  void end_line() {
    if (line.text.find_first_not_of(' ') != std::string::npos) {
      line.bytes_before = bytes;
      bytes += line.text.size();
      lines.push_back(std::move(line));
    }
    line = Line();
  }

  const HtmlDocument& document;
  StopCheck& stop;
  std::vector<Line>& lines;
  Line line = {};
  std::size_t bytes = 0;
  int link_depth = 0;
  int heading_depth = 0;
  std::uint32_t aside_depth = kNoDepth;  // of the outermost element around this place that is beside the article
};

// A line whose letters the title begins with or contains; headings before other lines, longer ones before shorter ones.
// Lines that cannot be better than one before are not searched for, nor, in a long title, the last ones of many.
std::size_t BylineReader::heading_line(std::string_view title) const {
  constexpr std::size_t kLettersMinimum = 6;
  const std::string wanted = letters_of(title.substr(0, kTitleBytesMaximum));
  std::size_t best = std::string::npos;
  std::size_t best_rank = 0;
  std::size_t searched_bytes = 0;
  for (std::size_t i = 0; i < lines_.size() && searched_bytes < kTitleBytesSearched; ++i) {
    const std::size_t factor = lines_[i].is_heading ? 3 : 1;
    const std::size_t bytes = lines_[i].text.size();
    if (bytes > kLineBytesMaximum / 2 || 2 * factor * bytes <= best_rank) continue;
    const std::string letters = letters_of(lines_[i].text);
    if (letters.size() < kLettersMinimum || letters.size() > wanted.size()) continue;
    searched_bytes += wanted.size();
    if (wanted.find(letters) == std::string::npos) continue;
    const std::size_t rank = letters.size() * factor * (wanted.starts_with(letters) ? 2 : 1);
    if (rank > best_rank) {
      best_rank = rank;
      best = i;
    }
  }
  if (best != std::string::npos) return best;
  const auto first = std::find_if(lines_.begin(), lines_.end(), [](const Line& line) { return line.is_heading; });
  return first == lines_.end() ? best : static_cast<std::size_t>(first - lines_.begin());
}

// What stands before a date: in its line or, if it begins it, in the short line above.
std::string_view BylineReader::before(const Candidate& candidate) const {
  std::string_view text = std::string_view(lines_[candidate.line].text).substr(0, candidate.date.begin_bytes);
  if (text.find_first_not_of(" |(") == std::string_view::npos && candidate.line > 0) {
    const std::string_view above = lines_[candidate.line - 1].text;
    text = above.size() <= kLabelBytesMaximum ? above : std::string_view();
  }
  return text.size() > kLabelBytesMaximum ? text.substr(text.size() - kLabelBytesMaximum) : text;
}

// A day above 12 in one date of the page tells the order of the others.
void BylineReader::settle_order_of_days() {
  const auto has = [&](DayOrder order) {
    return std::any_of(candidates_.begin(), candidates_.end(),
                       [&](const Candidate& candidate) { return candidate.date.order == order; });
  };
  if (!has(DayOrder::kEither) || !has(DayOrder::kDayFirst) || has(DayOrder::kMonthFirst)) return;
  for (Candidate& candidate : candidates_) {
    if (candidate.date.order == DayOrder::kEither) candidate.date = candidate.date.exchanged();
  }
}

int BylineReader::score_of(const Candidate& candidate, DateLabel label, std::size_t heading) const {
  const std::size_t line = candidate.line;
  const WrittenDate& date = candidate.date;
  const Line& at = lines_[line];
  int score = 0;
  if (label == DateLabel::kPublished) score += kLabelScore;
  if (label == DateLabel::kOther) score -= kLabelScore;
  if (date.has_time) score += kTimeScore;
  if (at.is_aside && (heading == std::string::npos || !lines_[heading].is_aside)) score += kAsideScore;
  if (at.link_bytes * 2 > at.text.size()) score += kLinkScore;
  if (at.text.size() > kShortLineBytes && date.begin_bytes > kLabelBytesMaximum) score += kProseScore;
  if (heading == std::string::npos) return score;
  if (line < heading) {
    // Blogs have the day above the heading; the current day is at the top of the page.
    if (line + kLinesAboveHeading >= heading) return score + kNearHeadingScore;
    return at.names_weekday ? score + kCurrentDayScore : score + kElsewhereScore;
  }
  const std::size_t distance = at.bytes_before - lines_[heading].bytes_before;
  if (distance <= kCloseToHeadingBytes) return score + kCloseToHeadingScore;
  if (distance <= kNearHeadingBytes) return score + kNearHeadingScore;
  return distance <= kFarFromHeadingBytes ? score + kFarFromHeadingScore : score + kElsewhereScore;
}

Byline BylineReader::read(const HtmlDocument& document, std::string_view title, bool with_dates, StopCheck& stop) {
  lines_.clear();
  LineVisitor visitor{document, stop, lines_};
  walk_tree(document.root(), visitor);
  visitor.end_line();
  Byline byline;
  if (with_dates) find_dates(title, byline, stop);
  find_source(byline);
  return byline;
}

void BylineReader::find_dates(std::string_view title, Byline& byline, StopCheck& stop) {
  candidates_.clear();
  for (std::size_t line = 0; line < lines_.size() && candidates_.size() < kCandidatesMaximum; ++line) {
    dates_.clear();
    find_written_dates(lines_[line].text, dates_);
    for (const WrittenDate& date : dates_) candidates_.push_back({date, line});
    if (!dates_.empty()) lines_[line].names_weekday = names_weekday(lines_[line].text);
    if (stop.after(lines_[line].text.size())) return;
  }
  settle_order_of_days();
  const std::size_t heading = candidates_.empty() ? std::string::npos : heading_line(title);
  int best_published = kScoreMinimum - 1;
  int best_modified = kModifiedScoreMinimum - 1;
  for (const Candidate& candidate : candidates_) {
    const DateLabel label = label_in(before(candidate));
    const bool is_modified = label == DateLabel::kModified;
    const int score = score_of(candidate, label, heading);
    int& best = is_modified ? best_modified : best_published;
    if (score <= best) continue;
    best = score;
    (is_modified ? byline.modified : byline.published) = candidate.date.iso();
  }
}

// The first statement that is not in a comment. If its name begins a link, that leads to the source.
void BylineReader::find_source(Byline& byline) const {
  for (const Line& line : lines_) {
    if (line.is_aside) continue;
    const std::optional<StatedSource> source = find_stated_source(line.text);
    if (!source) continue;
    byline.source_name = source->name;
    const auto link = std::find_if(line.links.begin(), line.links.end(), [&](const LineLink& each) {
      return each.begin_bytes <= source->begin_bytes && source->begin_bytes <= each.begin_bytes + kSignsBeforeNameBytes;
    });
    if (link != line.links.end()) byline.source_href = link->href;
    return;
  }
}

}  // namespace paraprint::inline corpus
