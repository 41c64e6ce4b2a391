#include "extract/word_automaton.h"

namespace paraprint {

void WordAutomaton::build(const Pattern* patterns, std::size_t count) {
  for (std::size_t p = 0; p < count; ++p) {
    for (const char character : patterns[p].word) {
      auto& symbol = symbols_[static_cast<unsigned char>(character)];
      if (symbol == 0) symbol = static_cast<std::uint8_t>(symbol_count_++);
    }
  }
  for (unsigned char capital = 'A'; capital <= 'Z'; ++capital) symbols_[capital] = symbols_[capital | 0x20U];
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

enum ByteKind : std::uint8_t { kBorder, kSmall, kCapital, kOtherLetter };

constexpr std::array<std::uint8_t, 256> make_byte_kinds() {
  std::array<std::uint8_t, 256> kinds{};
  for (std::size_t byte = 0; byte < kinds.size(); ++byte) {
    const bool other = byte >= 0x80 || (byte >= '0' && byte <= '9') || byte == '+';
    kinds[byte] = byte >= 'a' && byte <= 'z'   ? kSmall
                  : byte >= 'A' && byte <= 'Z' ? kCapital
                  : other                      ? kOtherLetter
                                               : kBorder;
  }
  return kinds;
}
constexpr auto kByteKinds = make_byte_kinds();

}  // namespace

std::uint64_t WordAutomaton::match_words(std::string_view text, bool split_camel_case) const {
  std::uint64_t found = 0;
  State state = next(kStart, '-');
  std::uint8_t before = kBorder;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const std::uint8_t kind = kByteKinds[byte];
    if (kind == kBorder) {
      if (before == kBorder) continue;
      state = next(state, '-');
    } else {
      if (kind == kCapital && before == kSmall && split_camel_case) {
        state = next(state, '-');
        found |= mask(state);
      }
      state = next(state, byte);
    }
    found |= mask(state);
    before = kind;
  }
  if (before != kBorder) found |= mask(next(state, '-'));
  return found;
}

}  // namespace paraprint
