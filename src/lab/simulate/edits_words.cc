// Replaces words, by synonyms or by arbitrary words of other articles. The first keeps the meaning and the second does
// not; both keep length and position of the text roughly the same.
#include <array>
#include <string>
#include <string_view>

#include "lab/simulate/language/word_swaps.h"
#include "lab/simulate/text_pieces.h"

namespace paraprint::inline lab::inline simulate {
namespace {

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
bool begins_with_vowel(std::string_view word) {
  return !word.empty() && std::string_view("aeiouAEIOU").find(word.front()) != std::string_view::npos;
}

// `new_word`, capitalised if `old_word` was.
std::string in_case_of(std::string_view old_word, std::string_view new_word) {
  std::string result(new_word);
  if (!old_word.empty() && is_capital(old_word.front()) && is_ascii_letter(result.front())) {
    result.front() = static_cast<char>(result.front() & ~0x20);
  }
  return result;
}

// Corrects "a" or "an" before the replaced word; `word` is its index in `pieces`.
void agree_article(std::vector<std::string>& pieces, std::size_t word) {
  // pieces[word - 1] is the gap, pieces[word - 2] the word before it.
  if (word < 2) return;
  std::string& before = pieces[word - 2];
  const std::string lower = lower_ascii(before);
  if (lower != "a" && lower != "an") return;
  before = in_case_of(before, begins_with_vowel(pieces[word]) ? "an" : "a");
}

// Applies `replace` (word -> new word, empty to keep it) to every word of prose. Pieces are copied first, because
// agree_article() may change a piece that has already been visited.
template <class Replace>
void replace_words(EditContext& context, Replace&& replace) {
  std::vector<ArticleParagraph>& paragraphs = context.draft.article.paragraphs;
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    if (!is_prose(paragraphs[i])) continue;
    const WordPieces cut = word_pieces(paragraphs[i].text);
    std::vector<std::string> pieces(cut.pieces.begin(), cut.pieces.end());
    for (std::size_t word = 1; word < pieces.size(); word += 2) {
      const std::string replacement = replace(std::string_view(pieces[word]));
      if (replacement.empty()) continue;
      pieces[word] = in_case_of(pieces[word], replacement);
      agree_article(pieces, word);
      context.changed(i);
    }
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    paragraphs[i].text = std::move(text);
  }
}

}  // namespace

void edit_synonyms(EditContext& context) {
  replace_words(context, [&](std::string_view word) -> std::string {
    const std::span<const std::string_view> group = synonyms_of(lower_ascii(word));
    if (group.empty() || !context.random.chance(context.strength)) return {};
    const std::string_view other = context.random.pick(group);
    // A word picked for itself would change nothing although it counts as a
    // change, so another one of the group is taken.
    return other == lower_ascii(word) ? std::string(group[0] == other ? group[1] : group[0]) : std::string(other);
  });
}

void edit_word_substitution(EditContext& context) {
  // Enough for variety; more would only cost time, because the pool is rebuilt for every page.
  constexpr std::size_t kWordsPerPool = 4000;
  // Words of other articles by their length in characters: replacing a word by one of the same length keeps lines and
  // paragraphs as long as they were.
  constexpr std::size_t kSizes = 12;
  std::array<std::vector<std::string>, kSizes> pool;
  std::size_t pooled = 0;
  for (const Article* donor : donors_like(context)) {
    for (const ArticleParagraph& paragraph : donor->paragraphs) {
      if (!is_prose(paragraph) || pooled > kWordsPerPool) continue;
      const WordPieces cut = word_pieces(paragraph.text);
      for (std::size_t word = 1; word < cut.pieces.size(); word += 2) {
        const std::size_t size = characters(cut.pieces[word]).size();
        // One-character words are mostly function words.
        if (size < 2 || size >= kSizes) continue;
        pool[size].emplace_back(lower_ascii(cut.pieces[word]));
        ++pooled;
      }
    }
  }
  replace_words(context, [&](std::string_view word) -> std::string {
    const std::size_t size = characters(word).size();
    if (size >= kSizes || pool[size].empty() || !context.random.chance(context.strength)) return {};
    const std::string& other = context.random.pick(pool[size]);
    return other == lower_ascii(word) ? std::string() : other;
  });
}

}  // namespace paraprint::inline lab::inline simulate
