// Bytes are first mapped to the few symbols that occur in patterns, which keeps the transition table small enough for
// the cache. Failure links are resolved when the automaton is built, so matching needs one transition per byte.
#include "extract/word_automaton.h"

#include <bit>

namespace paraprint::inline extract {
namespace {

// kBorder must be 0: match() tests two kinds for it at once.
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

// Capitals share the symbols of small letters, and borders that of '-', so text is folded without being copied.
void WordAutomaton::number_symbols(const Pattern* patterns, std::size_t count) {
  for (std::size_t p = 0; p < count; ++p) {
    for (const char character : patterns[p].word) {
      auto& symbol = symbols_[static_cast<unsigned char>(character)];
      if (symbol == 0) symbol = static_cast<std::uint8_t>(symbol_count_++);
    }
  }
  for (unsigned char capital = 'A'; capital <= 'Z'; ++capital) symbols_[capital] = symbols_[capital | 0x20U];
  row_bits_ = static_cast<std::size_t>(std::bit_width(symbol_count_ - 1));
  for (std::size_t byte = 0; byte < symbols_.size(); ++byte) {
    word_symbols_[byte] = symbols_[kByteKinds[byte] == kBorder ? static_cast<unsigned char>('-') : byte];
  }
}

// First builds the trie of all patterns. 0 means both "no transition" and the start state, to which no trie edge leads.
void WordAutomaton::build(const Pattern* patterns, std::size_t count) {
  number_symbols(patterns, count);
  const std::size_t row_size = std::size_t{1} << row_bits_;
  transitions_.assign(row_size, 0);
  masks_.assign(1, 0);
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t state = kStart;
    for (const char character : patterns[p].word) {
      const std::size_t slot = state << row_bits_ | symbols_[static_cast<unsigned char>(character)];
      if (transitions_[slot] == 0) {
        transitions_[slot] = static_cast<State>(masks_.size());
        masks_.push_back(0);
        transitions_.resize(transitions_.size() + row_size, 0);
      }
      state = transitions_[slot];
    }
    masks_[state] |= patterns[p].mask;
  }
  complete_transitions();
}

// Breadth first, so that the longest proper suffix of a state is complete before the state itself: a missing transition
// becomes the suffix's transition, and the suffix's masks are inherited.
void WordAutomaton::complete_transitions() {
  std::vector<State> queue;
  std::vector<State> suffix(masks_.size(), kStart);
  for (std::size_t symbol = 0; symbol < symbol_count_; ++symbol) {
    if (transitions_[symbol] != 0) queue.push_back(transitions_[symbol]);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::size_t state = queue[head];
    masks_[state] |= masks_[suffix[state]];
    for (std::size_t symbol = 0; symbol < symbol_count_; ++symbol) {
      State& target = transitions_[state << row_bits_ | symbol];
      const State fallback = transitions_[std::size_t{suffix[state]} << row_bits_ | symbol];
      if (target == 0) {
        target = fallback;
      } else {
        suffix[target] = fallback;
        queue.push_back(target);
      }
    }
  }
}

// A border after a border leaves the state unchanged. That is a conditional move rather than a branch, because borders
// in names are hard to predict.
template <bool kSplitCamelCase>
std::uint64_t WordAutomaton::match(std::string_view text) const {
  std::uint64_t found = 0;
  State state = next(kStart, '-');
  std::uint8_t before = kBorder;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const std::uint8_t kind = kByteKinds[byte];
    if (kSplitCamelCase && kind == kCapital && before == kSmall) {
      state = next(state, '-');
      found |= mask(state);
    }
    const State target = follow(state, word_symbols_[byte]);
    state = (kind | before) == kBorder ? state : target;
    found |= mask(state);
    before = kind;
  }
  if (before != kBorder) found |= mask(next(state, '-'));
  return found;
}

std::uint64_t WordAutomaton::match_words(std::string_view text, bool split_camel_case) const {
  return split_camel_case ? match<true>(text) : match<false>(text);
}

}  // namespace paraprint::inline extract
