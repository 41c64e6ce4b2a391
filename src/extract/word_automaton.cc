#include "extract/word_automaton.h"

namespace paraprint {

void WordAutomaton::build(const Pattern* patterns, std::size_t count) {
  for (std::size_t p = 0; p < count; ++p) {
    for (const char character : patterns[p].word) {
      auto& symbol = symbols_[static_cast<unsigned char>(character)];
      if (symbol == 0) symbol = static_cast<std::uint8_t>(symbol_count_++);
    }
  }
  transitions_.assign(symbol_count_, 0);
  masks_.assign(1, 0);
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t state = kStart;
    for (const char character : patterns[p].word) {
      const std::size_t slot = state * symbol_count_ + symbols_[static_cast<unsigned char>(character)];
      if (transitions_[slot] == 0) {
        transitions_[slot] = static_cast<State>(masks_.size());
        masks_.push_back(0);
        transitions_.resize(transitions_.size() + symbol_count_, 0);
      }
      state = transitions_[slot];
    }
    masks_[state] |= patterns[p].mask;
  }
  // Breadth first: a missing transition becomes that of the longest proper suffix, whose masks are inherited.
  std::vector<State> queue;
  std::vector<State> suffix(masks_.size(), kStart);
  for (std::size_t symbol = 0; symbol < symbol_count_; ++symbol) {
    if (transitions_[symbol] != 0) queue.push_back(transitions_[symbol]);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::size_t state = queue[head];
    masks_[state] |= masks_[suffix[state]];
    for (std::size_t symbol = 0; symbol < symbol_count_; ++symbol) {
      State& target = transitions_[state * symbol_count_ + symbol];
      const State fallback = transitions_[std::size_t{suffix[state]} * symbol_count_ + symbol];
      if (target == 0) {
        target = fallback;
      } else {
        suffix[target] = fallback;
        queue.push_back(target);
      }
    }
  }
}

namespace {

bool is_lower(unsigned char byte) {
  return byte >= 'a' && byte <= 'z';
}
bool is_upper(unsigned char byte) {
  return byte >= 'A' && byte <= 'Z';
}
bool is_word(unsigned char byte) {
  return is_lower(byte) || byte >= 0x80 || (byte >= '0' && byte <= '9') || byte == '+';
}

}  // namespace

std::uint64_t WordAutomaton::match_words(std::string_view text, bool split_camel_case) const {
  std::uint64_t found = 0;
  State state = next(kStart, '-');
  bool at_border = true;
  bool after_lower = false;
  for (const char character : text) {
    auto byte = static_cast<unsigned char>(character);
    const bool upper = is_upper(byte);
    if (upper) byte |= 0x20U;
    const bool in_word = is_word(byte);
    if (!in_word || (upper && after_lower && split_camel_case)) {
      if (!at_border) {
        state = next(state, '-');
        found |= mask(state);
      }
      at_border = true;
      after_lower = false;
      if (!in_word) continue;
    }
    state = next(state, byte);
    found |= mask(state);
    at_border = false;
    after_lower = !upper && is_lower(byte);
  }
  if (!at_border) found |= mask(next(state, '-'));
  return found;
}

}  // namespace paraprint
