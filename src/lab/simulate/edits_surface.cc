// Changes of script, regional vocabulary and character width: the same text in other characters. Except for regional
// words, which replace words, these edits come after the text has been measured and leave the label "dup".
#include "lab/simulate/text_pieces.h"

namespace paraprint::inline lab::inline simulate {
namespace {

constexpr char32_t kFullWidthOffset = 0xFEE0;  // from "!" to its full-width form

struct WidthPair {
  std::string_view full;
  std::string_view half;
};
constexpr WidthPair kPunctuation[] = {{"，", ","}, {"。", "."}, {"：", ":"}, {"；", ";"}, {"（", "("},
                                      {"）", ")"}, {"！", "!"}, {"？", "?"}, {"“", "\""}, {"”", "\""}};

std::string widened(std::string_view character) {
  std::string wide;
  append_character(static_cast<char32_t>(static_cast<unsigned char>(character.front())) + kFullWidthOffset, wide);
  return wide;
}

// The character in the other width: letters and digits to full width, or punctuation to
// half width. Empty if it has no other form.
std::string other_width(std::string_view character, bool widens) {
  if (widens) {
    const bool is_ascii_content =
        character.size() == 1 && is_content_character(static_cast<unsigned char>(character[0]));
    return is_ascii_content ? widened(character) : std::string();
  }
  for (const WidthPair& pair : kPunctuation) {
    if (pair.full == character) return std::string(pair.half);
  }
  return {};
}

}  // namespace

void edit_regional_words(EditContext& context) {
  Article& article = context.draft.article;
  // Convert to the other region's words and script, then only the characters back: the text stays in its script but
  // uses the other region's vocabulary.
  const ScriptConversion there =
      article.is_traditional ? ScriptConversion::kToMainlandWords : ScriptConversion::kToTaiwanWords;
  const ScriptConversion back = article.is_traditional ? ScriptConversion::kToTaiwan : ScriptConversion::kFromTaiwan;
  for (std::size_t i = 0; i < article.paragraphs.size(); ++i) {
    if (!context.random.chance(context.strength)) continue;
    std::string& text = article.paragraphs[i].text;
    std::string converted = context.converter.convert(back, context.converter.convert(there, text));
    if (converted == text) continue;
    text = std::move(converted);
    context.changed(i);
  }
}

void edit_script(EditContext& context) {
  Article& article = context.draft.article;
  const ScriptConversion conversion =
      article.is_traditional ? ScriptConversion::kToSimplified : ScriptConversion::kToTraditional;
  for (std::size_t i = 0; i < article.paragraphs.size(); ++i) {
    std::string converted = context.converter.convert(conversion, article.paragraphs[i].text);
    if (converted == article.paragraphs[i].text) continue;
    article.paragraphs[i].text = std::move(converted);
    context.changed(i);
  }
  // The title changes with the text, and the whole text changes, whatever the strength.
  article.title = context.converter.convert(conversion, article.title);
  context.note = article.is_traditional ? "t2s" : "s2t";
  article.is_traditional = !article.is_traditional;
}

void edit_width(EditContext& context) {
  // One direction per page; the note says which.
  const bool widens = context.random.chance(0.5);
  context.note = widens ? "full" : "half";
  std::vector<ArticleParagraph>& paragraphs = context.draft.article.paragraphs;
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    std::string text;
    for (const std::string_view character : characters(paragraphs[i].text)) {
      const std::string other = other_width(character, widens);
      if (other.empty() || !context.random.chance(context.strength)) {
        text += character;
        continue;
      }
      text += other;
      context.changed(i);
    }
    paragraphs[i].text = std::move(text);
  }
}

}  // namespace paraprint::inline lab::inline simulate
