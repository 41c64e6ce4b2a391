// The rules are conservative: a false synonym makes different texts equal, while a missed one costs only recall.
#include "semantics/vectors/synonym_guard.h"

#include <algorithm>
#include <array>

#include "text/utf8.h"
#include "text/word_segmenter.h"
#include "text/word_weights.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

// Shorter words have too many meanings for one vector.
constexpr std::size_t kHanCharactersMinimum = 2;
constexpr std::size_t kLettersMinimum = 4;

std::vector<std::string_view> characters_of(std::string_view word) {
  std::vector<std::string_view> characters;
  for (std::size_t begin = 0; begin < word.size();) {
    std::size_t end = begin + 1;
    while (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) ++end;
    characters.push_back(word.substr(begin, end - begin));
    begin = end;
  }
  return characters;
}

// The dictionary's tags of names of people, places and institutions (nr, ns, nt, nz and their kinds), times, numerals,
// measure words, abbreviations, foreign words and non-words.
bool is_tag_of_names(std::string_view tag) {
  static constexpr std::array<std::string_view, 4> kNames = {"nr", "ns", "nt", "nz"};
  const bool is_name =
      std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) { return tag.starts_with(name); });
  return is_name || std::string_view("tmqjx").find(tag.front()) != std::string_view::npos || tag == "eng";
}

bool share_one(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::uint32_t line) { return std::find(b.begin(), b.end(), line) != b.end(); });
}

// Whether one word is the other with a prefix or suffix: a narrower term (客户端, 客户) or its opposite (不可能,
// unable).
bool adds_to(std::string_view longer, std::string_view shorter) {
  return longer.size() > shorter.size() && (longer.starts_with(shorter) || longer.ends_with(shorter));
}

// Whether the words differ as "useful" and "useless" do.
bool is_with_and_without(std::string_view a, std::string_view b) {
  const auto stem = [](std::string_view word, std::string_view ending) {
    return word.ends_with(ending) ? word.substr(0, word.size() - ending.size()) : std::string_view{};
  };
  const std::string_view with = stem(a, "ful");
  const std::string_view without = stem(b, "less");
  return !with.empty() && with == without;
}

}  // namespace

SynonymGuard::SynonymGuard(const SynonymLists& lists) {
  for (std::uint32_t line = 0; line < lists.apart.size(); ++line) {
    for (const std::string& word : lists.apart[line]) lines_of_[word].push_back(line);
  }
}

const std::vector<std::uint32_t>* SynonymGuard::lines_of(std::string_view word) const {
  const auto found = lines_of_.find(word);
  return found == lines_of_.end() ? nullptr : &found->second;
}

// Stop words and words with digits keep may_merge false, whatever their tag.
GuardedWord SynonymGuard::look_at(std::string_view word) const {
  GuardedWord guarded;
  guarded.word = word;
  guarded.is_han = begins_with_han(word);
  if (const std::vector<std::uint32_t>* lines = lines_of(word); lines != nullptr) guarded.apart = *lines;
  const std::uint32_t word_id = WordSegmenter::shared().find_word(word);
  const std::string_view tag = WordSegmenter::shared().part_of_speech(word_id);
  guarded.tag = tag.empty() ? '\0' : tag.front();
  const bool has_digit = std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  const Token token{0, static_cast<std::uint32_t>(word.size()), word_id};
  const bool is_stop_word = WordWeights::bundled().weigh(token, word).is_stop_word;
  const std::size_t characters = characters_of(word).size();
  if (has_digit || is_stop_word) return guarded;
  guarded.may_merge = guarded.is_han ? characters >= kHanCharactersMinimum && !tag.empty() && !is_tag_of_names(tag)
                                     : characters >= kLettersMinimum;
  return guarded;
}

// Words of equal length are compared character by character. Only a single differing place counts: 上班 and 下班 differ
// in 上 and 下, which a line of single characters keeps apart.
bool SynonymGuard::is_apart(const GuardedWord& a, const GuardedWord& b) const {
  if (share_one(a.apart, b.apart)) return true;
  if (!a.is_han || !b.is_han) return false;
  const std::vector<std::string_view> of_a = characters_of(a.word);
  const std::vector<std::string_view> of_b = characters_of(b.word);
  if (of_a.size() != of_b.size()) return false;
  std::size_t place = of_a.size();
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (of_a[i] == of_b[i]) continue;
    if (place != of_a.size()) return false;
    place = i;
  }
  if (place == of_a.size()) return false;
  const std::vector<std::uint32_t>* lines_a = lines_of(of_a[place]);
  const std::vector<std::uint32_t>* lines_b = lines_of(of_b[place]);
  return lines_a != nullptr && lines_b != nullptr && share_one(*lines_a, *lines_b);
}

bool SynonymGuard::may_merge(const GuardedWord& a, const GuardedWord& b) const {
  return a.may_merge && b.may_merge && a.is_han == b.is_han && a.tag == b.tag && !adds_to(a.word, b.word) &&
         !adds_to(b.word, a.word) && !is_with_and_without(a.word, b.word) && !is_with_and_without(b.word, a.word) &&
         !is_apart(a, b);
}

}  // namespace paraprint::inline semantics::inline vectors
