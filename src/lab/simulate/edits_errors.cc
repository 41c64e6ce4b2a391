// Typing errors and OCR errors. Both change single characters within words, at a rate per word,
// and leave everything between words alone.
#include <array>

#include "lab/simulate/text_pieces.h"

namespace paraprint::inline lab::inline simulate {
namespace {

struct Confusion {
  std::string_view from;
  std::string_view to;
};

// Homophones, as input methods produce them: the same sound, another character.
constexpr Confusion kSameSound[] = {
    {"的", "得"}, {"得", "的"}, {"地", "的"}, {"在", "再"}, {"再", "在"}, {"做", "作"}, {"作", "做"}, {"以", "已"},
    {"已", "以"}, {"像", "象"}, {"他", "她"}, {"她", "他"}, {"它", "他"}, {"那", "哪"}, {"哪", "那"}, {"是", "事"},
    {"事", "是"}, {"时", "是"}, {"有", "又"}, {"又", "有"}, {"和", "合"}, {"个", "各"}, {"各", "个"}, {"其", "期"},
    {"期", "其"}, {"进", "近"}, {"近", "进"}, {"带", "代"}, {"代", "带"}, {"场", "厂"}, {"元", "圆"}, {"需", "须"},
    {"须", "需"}, {"分", "份"}, {"份", "分"}, {"坐", "座"}, {"座", "坐"}, {"长", "常"}, {"常", "长"}, {"向", "像"},
    {"由", "有"}, {"因", "应"}, {"应", "因"}, {"现", "线"}, {"线", "现"}, {"方", "放"}, {"放", "方"}, {"同", "通"},
    {"通", "同"}, {"法", "发"}, {"发", "法"}, {"理", "里"}, {"里", "理"}, {"成", "程"}, {"程", "成"}, {"数", "术"},
};

// Characters that OCR confuses: the same shape.
constexpr Confusion kSameShape[] = {
    {"己", "已"}, {"已", "己"}, {"未", "末"}, {"末", "未"}, {"日", "曰"}, {"土", "士"}, {"士", "土"}, {"人", "入"},
    {"入", "人"}, {"大", "太"}, {"太", "大"}, {"天", "夭"}, {"千", "干"}, {"干", "千"}, {"于", "干"}, {"了", "丁"},
    {"口", "囗"}, {"目", "日"}, {"白", "自"}, {"自", "白"}, {"间", "问"}, {"问", "间"}, {"们", "门"}, {"体", "休"},
    {"休", "体"}, {"木", "本"}, {"本", "木"}, {"王", "玉"}, {"主", "王"}, {"免", "兔"}, {"今", "令"}, {"令", "今"},
    {"失", "矢"}, {"束", "柬"}, {"候", "侯"}, {"拔", "拨"}, {"析", "折"}, {"折", "析"}, {"析", "拆"}, {"准", "淮"},
    {"治", "冶"}, {"析", "忻"}, {"一", "-"},  {"二", "="},  {"三", "≡"},  {"。", "."},  {"，", "."},  {"的", "旳"},
    {"l", "1"},   {"1", "l"},   {"O", "0"},   {"0", "O"},   {"o", "0"},   {"I", "l"},   {"i", "l"},   {"e", "c"},
    {"c", "e"},   {"h", "b"},   {"b", "h"},   {"n", "ri"},  {"m", "rn"},  {"w", "vv"},  {"d", "cl"},  {"S", "5"},
    {"5", "S"},   {"B", "8"},   {"g", "q"},   {"u", "v"},   {"t", "f"},   {"f", "t"},   {"a", "o"},   {"r", "n"},
};

// Linear search: the tables are small.
std::string_view confused(std::span<const Confusion> table, std::string_view character) {
  for (const Confusion& row : table) {
    if (row.from == character) return row.to;
  }
  return {};
}

bool is_ascii_word(std::string_view word) {
  return !word.empty() && static_cast<unsigned char>(word.front()) < 0x80;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

// The key to the right, or to the left at the end of a row. Upper-case letters and digits are not in the rows and stay.
std::string neighbour_key(std::string_view character) {
  constexpr std::array<std::string_view, 3> kKeyRows = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
  for (const std::string_view row : kKeyRows) {
    const std::size_t place = row.find(character);
    if (place != std::string_view::npos) return std::string(1, row[place + 1 < row.size() ? place + 1 : place - 1]);
  }
  return std::string(character);
}

std::string mistyped(Random& random, std::string_view word) {
  const std::vector<std::string_view> views = characters(word);
  std::vector<std::string> letters(views.begin(), views.end());
  // Input methods confuse homophones; only if the character has none does the word get one of the errors below.
  if (!is_ascii_word(word)) {
    const std::size_t place = random.below(letters.size());
    const std::string_view same = confused(kSameSound, letters[place]);
    if (!same.empty()) {
      letters[place] = same;
      return joined(letters);
    }
  }
  enum Mistake : std::size_t { kSwap, kDrop, kDouble, kNeighbour, kMistakes };
  const std::size_t place = random.below(letters.size());
  switch (random.below(kMistakes)) {
    // A one-letter word cannot be swapped, and dropping its letter would remove the word.
    case kSwap:
      if (letters.size() > 1) std::swap(letters[place], letters[place + 1 < letters.size() ? place + 1 : place - 1]);
      break;
    case kDrop:
      if (letters.size() > 1) letters.erase(letters.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case kDouble:
      letters[place] += views[place];
      break;
    default:
      letters[place] =
          is_ascii_word(word) ? neighbour_key(views[place]) : std::string(views[place]) + std::string(views[place]);
      break;
  }
  return joined(letters);
}

// Replaces the first confusable character at or after a random place, so that most
// words with such a character are changed.
std::string misread(Random& random, std::string_view word) {
  const std::vector<std::string_view> views = characters(word);
  std::vector<std::string> letters(views.begin(), views.end());
  const std::size_t start = random.below(letters.size());
  for (std::size_t step = 0; step < letters.size(); ++step) {
    std::string& letter = letters[(start + step) % letters.size()];
    const std::string_view other = confused(kSameShape, letter);
    if (other.empty()) continue;
    letter = other;
    return joined(letters);
  }
  // No similar character: a stray space within the word, another common OCR error.
  letters[start] += ' ';
  return joined(letters);
}

// Applies `spoil` (random, word -> new word) to each word with probability `strength`.
template <class Spoil>
void spoil_words(EditContext& context, Spoil&& spoil) {
  std::vector<ArticleParagraph>& paragraphs = context.draft.article.paragraphs;
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    const WordPieces cut = word_pieces(paragraphs[i].text);
    std::string text;
    for (std::size_t piece = 0; piece < cut.pieces.size(); ++piece) {
      const bool is_word = piece % 2 == 1;
      if (is_word && context.random.chance(context.strength)) {
        text += spoil(context.random, cut.pieces[piece]);
        context.changed(i);
      } else {
        text += cut.pieces[piece];
      }
    }
    paragraphs[i].text = std::move(text);
  }
}

}  // namespace

void edit_typos(EditContext& context) {
  spoil_words(context, mistyped);
}

void edit_ocr(EditContext& context) {
  spoil_words(context, misread);
}

}  // namespace paraprint::inline lab::inline simulate
