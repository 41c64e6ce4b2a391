#include "repeated_text.h"

#include <array>

namespace paraprint {
namespace {

constexpr std::array<std::string_view, 96> kWords = {
    "river",  "the",     "of",      "bridge", "old",    "and",    "town",    "council", "water",    "in",
    "spring", "a",       "ferry",   "pilot",  "knows",  "every",  "bank",    "stone",   "stairs",   "people",
    "buy",    "tickets", "from",    "woman",  "who",    "has",    "sold",    "them",    "for",      "thirty",
    "years",  "counts",  "coins",   "twice",  "before", "tears",  "slip",    "roll",    "nobody",   "ever",
    "seen",   "hurry",   "when",    "new",    "was",    "plan",   "that",    "would",   "stay",     "promise",
    "kept",   "four",    "then",    "two",    "more",   "last",   "autumn",  "landing", "got",      "roof",
    "market", "school",  "teacher", "letter", "window", "garden", "evening", "train",   "road",     "hill",
    "forest", "winter",  "summer",  "price",  "report", "music",  "story",   "history", "number",   "light",
    "house",  "kitchen", "paper",   "city",   "north",  "south",  "voice",   "answer",  "question", "doctor",
    "moment", "morning", "village", "field",  "song",   "island"};

constexpr std::string_view kNumber = "{n}";

}  // namespace

std::string prose(std::size_t words, Sequence& sequence) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    std::string word(kWords[sequence.next(kWords.size())]);
    const bool begins = i % 14 == 0;
    if (begins) word[0] = static_cast<char>(word[0] - 'a' + 'A');
    if (i > 0) text += begins ? ". " : " ";
    text += word;
  }
  return text + ".";
}

std::string words_of(std::size_t size_bytes, char separator, Sequence& sequence) {
  std::string text;
  while (text.size() < size_bytes) {
    text += kWords[sequence.next(kWords.size())];
    text += separator;
  }
  return text;
}

void append_unit(std::string_view unit, std::size_t number, std::string& text) {
  while (!unit.empty()) {
    const std::size_t at = unit.find(kNumber);
    text += unit.substr(0, at);
    if (at == std::string_view::npos) return;
    text += std::to_string(number);
    unit.remove_prefix(at + kNumber.size());
  }
}

void fill(std::string_view unit, std::size_t size_bytes, std::string& text) {
  for (std::size_t number = 0; text.size() < size_bytes; ++number) append_unit(unit, number, text);
}

}  // namespace paraprint
